"""Edge at death's door in Shadowrun 4: the Dead Man's Trigger, and survival bought for ever (rulebook section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.errors import InputError
from fracas.kernel.fields import fields, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.monitors import DEAD, DYING, STABILIZED
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules, Side
from fracas.rulesets.sr4.rolls.edge_burning import Burn, needs_edge
from fracas.rulesets.sr4.rolls.receivers import Receiver
from fracas.rulesets.sr4.sheet import Monitors, attribute_entries, wounds_of
from fracas.rulesets.sr4.vocabulary import combatant_fields

LAST_ACTION = 3
"""Hits that one more action takes."""
LAST_ACTION_CONDITION = "last-action"
"""Of the packs: one action, in spite of all that takes somebody out, and no movement."""
STATES = (DYING, DEAD)
"""Conditions that somebody who escapes death is not in."""

_TESTER = (Record("tester", "Tester", "combatant"),)

DEAD_MANS_TRIGGER = vocabulary(
    *_TESTER,
    combatant_fields("tester"),
    fields("tester", pool=whole("Pool", "In place of Body + Willpower, before modifiers.", most=60)),
)
ESCAPE_DEATH = vocabulary(
    *_TESTER,
    combatant_fields("tester"),
    fields(
        "",
        boxes=whole(
            "Physical boxes left filled",
            "What the gamemaster finds plausible; the whole monitor unless said.",
            most=200,
        ),
    ),
)


class DeadMansTrigger:
    """A point of Edge and Body + Willpower (3) for one more action."""

    id = "dead-mans-trigger"
    label = "Dead Man's Trigger"
    doc = (
        "Struck down with an action still due in this turn: a point of Edge, and Body + Willpower (3) for it."
    )
    vocabulary = DEAD_MANS_TRIGGER
    decisions: tuple[DecisionInfo, ...] = ()
    targets: Mapping[str, str] = {"last-action.pool": "Pool for a last action"}
    measures = (
        Measure("success", "Chance of a last action", lambda facts: 1.0 if facts["success"] else 0.0),
        Measure("hits", "Expected hits", lambda facts: float(facts["hits"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        needs_edge(facts, "tester", "edge_points", "no point of Edge is left for it")
        if "tester.pool" in facts:
            entries = [Entry("pool", "Pool given", facts["tester.pool"])]
        else:
            entries = attribute_entries(facts, "tester", ("body", "willpower"), "tester.pool")
        wounds = facts["tester.wound_modifier"] = wounds_of(facts, "tester", asked.options)
        if wounds:
            entries.append(Entry("wounds", "Wounds", wounds, origin="rule"))
        refusals = asked.rules.refusals(facts)
        label = self.targets["last-action.pool"]
        pool = asked.rules.tally("last-action.pool", label, entries, facts, asked.hand)
        pool = pool.at_least(0, "A pool never falls below 0")
        if refusals:
            return Prepared(None, (pool,), refusals)

        def first(pool: Tally) -> Stage:
            side = Side("last_action", "tester", max(0, pool.total))
            return dice_test.start(side, None, LastAction(), RollRules.of(asked.options))

        return Prepared(first(pool), (pool,), rebuild=first)


class LastAction(Receiver, kind="sr4.last-action"):
    """Takes the hits."""

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return LastActionEnd(net)

    def short(self, net: int, scoreless: bool) -> int:
        return LAST_ACTION - net

    def notes(self) -> Facts:
        return {"threshold": LAST_ACTION}


class LastActionEnd(Outcome, kind="sr4.last-action-end"):
    """How it ended. On a success there is one action, without movement."""

    hits: int

    def notes(self) -> Facts:
        return {"success": self.hits >= LAST_ACTION, "hits": self.hits}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", 1)
        if self.hits >= LAST_ACTION:
            yield Effect("add-condition", "tester", LAST_ACTION_CONDITION)


class EscapeDeath:
    """A point of the Edge attribute, for ever, for a life."""

    id = "escape-death"
    label = "Escape certain death"
    doc = (
        "Burns a point of the Edge attribute: a dying or dead character lives, stable, with the monitor full."
    )
    vocabulary = ESCAPE_DEATH
    decisions: tuple[DecisionInfo, ...] = ()
    targets: Mapping[str, str] = {"escape-death.boxes": "Physical boxes left filled"}
    measures = (
        Measure("boxes", "Physical boxes left filled", lambda facts: float(facts["physical_after"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        needs_edge(facts, "tester", "edge", "no Edge is left to burn")
        monitors = Monitors.of({"tester.stun": 0, **facts}, "tester", asked.options)
        if monitors is None:
            missing = next(
                name for name in ("physical", "body", "willpower") if f"tester.{name}" not in facts
            )
            raise lacks(f"tester.{missing}", f"{missing.capitalize()}")
        if not monitors.after(0, "physical").dying:
            raise InputError.one(
                "situation.tester.physical",
                "not-dying",
                f"{monitors.physical} of {monitors.physical_boxes} boxes are filled: nobody is about to die",
            )
        said = facts.get("boxes")
        # With one monitor for both kinds, Stun boxes keep their places in it.
        whole = monitors.physical_boxes - (monitors.stun if monitors.single else 0)
        full = Entry("monitor", "The whole monitor", whole)
        entry = full if said is None else Entry("boxes", "Boxes given", said)
        refusals = asked.rules.refusals(facts)
        label = self.targets["escape-death.boxes"]
        boxes = asked.rules.tally("escape-death.boxes", label, [entry], facts, asked.hand)
        boxes = boxes.at_least(0, "No fewer boxes than none")
        if refusals:
            return Prepared(None, (boxes,), refusals)
        left = min(boxes.total, monitors.physical)
        burn = Burn(facts["tester.edge"], shared=bool(facts.get("tester.edge_group")))
        return Prepared(EscapeEnd(burn, monitors.physical, left, left >= whole), (boxes,))


class EscapeEnd(Outcome, kind="sr4.escape-death-end"):
    """Somebody lives.

    Attributes:
        burn: the Edge of which a point is burned.
        boxes: filled Physical boxes before.
        left: filled boxes afterwards.
        down: the monitor is still full: unconscious, but stable.
    """

    burn: Burn
    boxes: int
    left: int
    down: bool

    def notes(self) -> Facts:
        return {"physical_after": self.left}

    def changes(self) -> Iterator[Effect]:
        yield self.burn.effect("tester")
        if self.left < self.boxes:
            yield Effect("mark", "tester", "physical", self.left - self.boxes)
        for state in STATES:
            yield Effect("remove-condition", "tester", state)
        if self.down:
            yield Effect("add-condition", "tester", STABILIZED)
