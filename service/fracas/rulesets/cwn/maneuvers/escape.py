"""How a grapple goes on: getting free, and dragging or throwing whom one holds (rulebook section 8.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Stage
from fracas.kernel.tally import Tally
from fracas.rulesets.cwn.attacks.attack import chance
from fracas.rulesets.cwn.maneuvers.bouts import CONTESTS, FIRST, SECOND, contest_check
from fracas.rulesets.cwn.maneuvers.contest_stages import Contest, beyond_of
from fracas.rulesets.cwn.maneuvers.grapple import GRAPPLED, GRAPPLING
from fracas.rulesets.cwn.maneuvers.maneuver_vocabulary import DRAG, ESCAPE, HOLDERS

DRAG_RESULT = "drag-result"
DRAGGED, THROWN, FREED = "drag", "throw", "freed"
_METRES = {DRAGGED: 3, THROWN: 2}
_SKILLS = ("punch",)
_OPTIONS = (Option(DRAGGED, "Drag up to 3 metres"), Option(THROWN, "Throw 2 metres, to the ground"))
OWNERS: Mapping[str, str] = {
    "escape.check": "escaper",
    **{f"escape.{who}": who for who in HOLDERS},
}
"""Whose number each tally is, see `TurnRules.tallies`."""


class EscapeGrapple:
    """Strength and Punch against everybody who holds one."""

    id = "escape-grapple"
    label = "Break out of a grapple"
    doc = "Opposed checks of strength; the check must beat that of every grappler."
    vocabulary = ESCAPE
    decisions: tuple[DecisionInfo, ...] = ()
    targets: Mapping[str, str] = {
        "escape.check": "Check to get free",
        **{f"escape.{who}": f"{who.replace('_', ' ').capitalize()}: check to hold on" for who in HOLDERS},
    }
    measures = (Measure("success", "Chance to get free", chance(lambda facts: facts["escaped"])),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        holders = [who for who in HOLDERS if who == HOLDERS[0] or has_record(facts, who)]
        own = contest_check(asked, facts, "escaper", "escape.check", _SKILLS)
        theirs = {who: contest_check(asked, facts, who, f"escape.{who}", _SKILLS) for who in holders}
        tallies = (own, *theirs.values())
        if refusals := asked.rules.refusals(facts):
            return Prepared(None, tallies, refusals)
        end = EscapeEnd(tuple(holders))

        def begin(changed: Tally | None = None) -> Stage:
            totals = {tally.to: tally.total for tally in (*tallies, *((changed,) if changed else ()))}
            player = bool(facts.get("escaper.player"))
            others = tuple(
                (who, totals[f"escape.{who}"], beyond_of(player, bool(facts.get(f"{who}.player"))))
                for who in holders
            )
            return Contest("escaper", totals["escape.check"], others, end)

        return Prepared(begin(), tallies, (), {}, begin)


class EscapeEnd(Part, kind="cwn.escape-end"):
    """What follows the contest; `holders`: all who hold on."""

    holders: tuple[str, ...]

    def settled(self, won: bool) -> Stage:
        return Escaped(won, self.holders)


class Escaped(Outcome, kind="cwn.escaped"):
    """Whether somebody got free of everybody who held on."""

    escaped: bool
    holders: tuple[str, ...]

    def notes(self) -> Facts:
        return {"escaped": self.escaped}

    def effects(self) -> tuple[Effect, ...]:
        if not self.escaped:
            return ()
        return tuple(effect for who in self.holders for effect in freed("escaper", who))


def freed(held: str, holder: str) -> tuple[Effect, Effect]:
    """Somebody is no longer held by somebody."""
    return (
        Effect("remove-condition", held, GRAPPLED, None, (("towards", holder),)),
        Effect("remove-condition", holder, GRAPPLING, None, (("towards", held),)),
    )


class DragGrappled:
    """Strength and Punch against those of whom one holds: a tie frees them."""

    id = "drag-grappled"
    label = "Drag or throw a grappled foe"
    doc = "Opposed checks of strength; dragged 3 metres, or thrown 2 and prone; unless it is won the victim is free."
    vocabulary = DRAG
    decisions = (DecisionInfo(DRAG_RESULT, "Drag or throw", (DRAGGED, THROWN), DRAGGED),)
    targets: Mapping[str, str] = CONTESTS
    measures = (
        Measure("success", "Chance to move them", chance(lambda facts: facts["result"] != FREED)),
        Measure("freed", "Chance that they get free", chance(lambda facts: facts["result"] == FREED)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        own = contest_check(asked, facts, "attacker", FIRST, _SKILLS)
        theirs = contest_check(asked, facts, "target", SECOND, _SKILLS)
        if refusals := asked.rules.refusals(facts):
            return Prepared(None, (own, theirs), refusals)
        end = DragEnd(DRAG_RESULT in asked.open)

        def begin(changed: Tally | None = None) -> Stage:
            totals = {tally.to: tally.total for tally in (own, theirs, *((changed,) if changed else ()))}
            return Contest("attacker", totals[FIRST], (("target", totals[SECOND], 0),), end)

        return Prepared(begin(), (own, theirs), (), {}, begin)


class DragEnd(Part, kind="cwn.drag-end"):
    """What follows the contest; `asks`: the grappler chooses what comes of it."""

    asks: bool

    def settled(self, won: bool) -> Stage:
        if won and self.asks:
            return DragChoice()
        return Dragged(DRAGGED if won else FREED)


class DragChoice(Waiting, kind="cwn.drag-choice"):
    """Waits for what the grappler does with the victim."""

    @property
    def awaits(self) -> Awaited:
        return Decision(DRAG_RESULT, "attacker", _OPTIONS, DRAGGED)

    def advance(self, answer: Any) -> Stage:
        return Dragged(str(answer))


class Dragged(Outcome, kind="cwn.dragged"):
    """How it ended: ``drag``, ``throw`` or ``freed``. Whoever is thrown is out of the grapple."""

    result: str

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result}
        return facts | ({"moved_m": _METRES[self.result]} if self.result in _METRES else {})

    def effects(self) -> tuple[Effect, ...]:
        if self.result == DRAGGED:
            return ()
        prone = (Effect("add-condition", "target", "prone"),) if self.result == THROWN else ()
        return (*prone, *freed("target", "attacker"))
