"""Shoves and grapples: pushing somebody back or to the ground, getting hold, dragging, throwing, and getting free.

Rulebook section 8.1, grabbed drones among it. What a grapple does as each round ends is an attack with
``attack.hold``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Stage
from fracas.rulesets.cwn.attacks.attack import DECISIONS
from fracas.rulesets.cwn.attacks.blows import NO_ROUNDS, costs_of, reactions_of, squeezes
from fracas.rulesets.cwn.attacks.numbers import named
from fracas.rulesets.cwn.checks.skill_check import number_of_check
from fracas.rulesets.cwn.maneuvers import contests

SHOVE_RESULT = "shove-result"
PUSHED, PRONE = "push", "prone"
METRES = 3
_PUNCH = ("punch",)
_OF_SHOVE = (Option(PUSHED, "Push back up to 3 metres"), Option(PRONE, "Knock to the ground"))


class Shove(contests.Bout):
    """Attack roll without damage, then opposed checks of strength; pushed up to 3 metres back, or knocked prone."""

    vocabulary = contests.SHOVE
    decisions = (*DECISIONS, DecisionInfo(SHOVE_RESULT, "Push back or knock prone", (PUSHED, PRONE), PUSHED))
    skills = ("exert", "punch")
    measures = (
        chance("hit", "Chance to hit"),
        chance("result", "Chance to shove", "success", among=("shoved",)),
    )

    def end(self, it: Attempt) -> ShoveEnd:
        return ShoveEnd((), SHOVE_RESULT in it.asked.open)


class ShoveEnd(Part, kind="cwn.shove-end"):
    """What follows the contest of a shove; `asks`: the attacker chooses what comes of it."""

    spent: tuple[str, ...]
    asks: bool

    def with_spent(self, spent: tuple[str, ...]) -> ShoveEnd:
        return self._replace(spent=spent)

    def missed(self, spent: tuple[str, ...]) -> Stage:
        return Shoved("miss", "", spent)

    def settled(self, won: bool) -> Stage:
        if not won:
            return Shoved("resisted", "", self.spent)
        return ShoveChoice(self.spent) if self.asks else Shoved("shoved", PUSHED, self.spent)


class ShoveChoice(Waiting, kind="cwn.shove-choice"):
    """Waits for what the shove does."""

    spent: tuple[str, ...]

    @property
    def awaits(self) -> Awaited:
        return Decision(SHOVE_RESULT, "attacker", _OF_SHOVE, PUSHED)

    def advance(self, answer: Any) -> Stage:
        return Shoved("shoved", str(answer), self.spent)


class Shoved(Outcome, kind="cwn.shoved"):
    """How a shove ended: ``miss``, ``resisted`` or ``shoved``; `how` it did, and what was spent on it."""

    result: str
    how: str
    spent: tuple[str, ...]

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result, "hit": self.result != "miss"}
        if self.how:
            facts |= {"shoved": self.how} | ({"pushed_m": METRES} if self.how == PUSHED else {})
        return facts | reactions_of(self.spent)

    def changes(self) -> Iterator[Effect]:
        yield from costs_of(NO_ROUNDS, self.spent, "target")
        if self.how == PRONE:
            yield Effect("add-condition", "target", "prone")


GRAPPLING, GRAPPLED = "grappling", "grappled"
SHARKSKIN = "sharkskin-electrodes"


class Grapple(contests.Bout):
    """Unarmed attack roll without damage, then opposed checks of strength; a drone does not resist."""

    vocabulary = contests.GRAPPLE
    decisions = DECISIONS
    skills = _PUNCH
    measures = (
        chance("hit", "Chance to hit"),
        chance("result", "Chance to get hold", "success", among=(GRAPPLED,)),
    )

    def resists(self, facts: Mapping[str, Any]) -> bool:
        return not facts.get("target.machine")

    def end(self, it: Attempt) -> GrappleEnd:
        skins = {who: it.facts.get(f"{who}.augmentations", ()) for who in ("attacker", "target")}
        shocking = (who for who, implants in skins.items() if SHARKSKIN in {one.slug for one in implants})
        return GrappleEnd((), tuple(shocking))


class GrappleEnd(Part, kind="cwn.grapple-end"):
    """What follows the contest of a grapple; `shocking`: those whose skin shocks whoever is in a grapple with them."""

    spent: tuple[str, ...]
    shocking: tuple[str, ...]

    def with_spent(self, spent: tuple[str, ...]) -> GrappleEnd:
        return self._replace(spent=spent)

    def missed(self, spent: tuple[str, ...]) -> Stage:
        return Grappled("miss", (), spent)

    def settled(self, won: bool) -> Stage:
        return Grappled(GRAPPLED if won else "resisted", self.shocking if won else (), self.spent)


class Grappled(Outcome, kind="cwn.grappled"):
    """How it ended: ``miss``, ``resisted`` or ``grappled``; the rest as in `GrappleEnd`."""

    result: str
    shocking: tuple[str, ...]
    spent: tuple[str, ...]

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result, "hit": self.result != "miss"}
        return facts | reactions_of(self.spent)

    def changes(self) -> Iterator[Effect]:
        yield from costs_of(NO_ROUNDS, self.spent, "target")
        if self.result != GRAPPLED:
            return
        yield Effect("add-condition", "attacker", GRAPPLING, None, (("towards", "target"),))
        yield Effect("add-condition", "target", GRAPPLED, None, (("towards", "attacker"),))
        yield squeezes("grapple", 0)
        for who in self.shocking:
            yield squeezes("skin-of-grappler" if who == "attacker" else "skin-of-grappled", 0, who)


DRAG_RESULT = "drag-result"
DRAGGED, THROWN, FREED = "drag", "throw", "freed"
_METRES = {DRAGGED: 3, THROWN: 2}
_OF_DRAG = (Option(DRAGGED, "Drag up to 3 metres"), Option(THROWN, "Throw 2 metres, to the ground"))


class EscapeGrapple(Procedure):
    """Opposed checks of strength; the check must beat that of every grappler."""

    label = "Break out of a grapple"
    vocabulary = contests.ESCAPE
    targets: Mapping[str, str] = {
        "escape.check": "Check to get free",
        **{f"escape.{who}": f"{named(who)}: check to hold on" for who in contests.HOLDERS},
    }
    owners: Mapping[str, str] = {f"escape.{who}": who for who in contests.HOLDERS}
    measures = (chance("escaped", "Chance to get free", "success"),)

    def numbers(self, it: Attempt) -> None:
        it.plan = [who for who in contests.HOLDERS if who == contests.HOLDERS[0] or has_record(it.facts, who)]
        number_of_check(it, "escape.check", "escaper", _PUNCH, contests.STRENGTH)
        for who in it.plan:
            number_of_check(it, f"escape.{who}", who, _PUNCH, contests.STRENGTH)

    def first(self, it: Attempt) -> Stage:
        player = bool(it.facts.get("escaper.player"))
        others = tuple(
            (who, it.total(f"escape.{who}"), contests.beyond_of(player, bool(it.facts.get(f"{who}.player"))))
            for who in it.plan
        )
        return contests.Contest("escaper", it.total("escape.check"), others, EscapeEnd(tuple(it.plan)))


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

    def changes(self) -> Iterator[Effect]:
        for who in self.holders if self.escaped else ():
            yield from freed("escaper", who)


def freed(held: str, holder: str) -> tuple[Effect, Effect]:
    """Somebody is no longer held by somebody."""
    return (
        Effect("remove-condition", held, GRAPPLED, None, (("towards", holder),)),
        Effect("remove-condition", holder, GRAPPLING, None, (("towards", held),)),
    )


class DragGrappled(Procedure):
    """Opposed checks of strength; dragged 3 metres, or thrown 2 and prone; unless it is won the victim is free."""

    label = "Drag or throw a grappled foe"
    vocabulary = contests.DRAG
    decisions = (DecisionInfo(DRAG_RESULT, "Drag or throw", (DRAGGED, THROWN), DRAGGED),)
    targets: Mapping[str, str] = contests.CONTESTS
    owners: Mapping[str, str] = contests.OWNERS
    measures = (
        chance("result", "Chance to move them", "success", but=(FREED,)),
        chance("result", "Chance that they get free", "freed", among=(FREED,)),
    )

    def numbers(self, it: Attempt) -> None:
        number_of_check(it, contests.FIRST, "attacker", _PUNCH, contests.STRENGTH)
        number_of_check(it, contests.SECOND, "target", _PUNCH, contests.STRENGTH)

    def first(self, it: Attempt) -> Stage:
        others = (("target", it.total(contests.SECOND), 0),)
        return contests.Contest(
            "attacker", it.total(contests.FIRST), others, DragEnd(DRAG_RESULT in it.asked.open)
        )


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
        return Decision(DRAG_RESULT, "attacker", _OF_DRAG, DRAGGED)

    def advance(self, answer: Any) -> Stage:
        return Dragged(str(answer))


class Dragged(Outcome, kind="cwn.dragged"):
    """How it ended: ``drag``, ``throw`` or ``freed``. Whoever is thrown is out of the grapple."""

    result: str

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result}
        return facts | ({"moved_m": _METRES[self.result]} if self.result in _METRES else {})

    def changes(self) -> Iterator[Effect]:
        if self.result == THROWN:
            yield Effect("add-condition", "target", "prone")
        if self.result != DRAGGED:
            yield from freed("target", "attacker")
