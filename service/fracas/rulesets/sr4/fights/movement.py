"""Movement in Shadowrun 4: walking, running, swimming and the sprint, in metres (rulebook section 6).

Rates are for a whole Combat Turn; one Initiative Pass has its part of them, with all fractions kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.intents import Participant
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.turns import Moving
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.harms.harm import marks
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.receivers import Receiver
from fracas.rulesets.sr4.rolls.roll_vocabulary import TEST_FIELDS
from fracas.rulesets.sr4.rolls.success_test import pool_of, tester_of
from fracas.rulesets.sr4.sheet import Monitors
from fracas.rulesets.sr4.vocabulary import combatant_fields

STATIONARY, WALK, RUN, SWIM, SPRINT = "stationary", "walk", "run", "swim", "sprint"
MODES = (STATIONARY, WALK, RUN, SWIM, SPRINT)
RATES = {WALK: "walk", RUN: "run", SWIM: "swim", SPRINT: "run"}
"""The field of a sheet that holds the rate of each mode; a sprint begins with the running rate."""
METRES_A_HIT = 2
"""What each hit of a sprint adds to the running rate."""

SPRINTING, SPRINTED, OUT_OF_BREATH = "sprinting", "sprinted", "out-of-breath"
WALKING, SWIMMING = "walking", "swimming"
"""Conditions of the packs; running is a field of the sheet, which ``running`` and ``sprinting`` set."""

RATE = "movement.rate"

MOVEMENT = vocabulary(
    Record("tester", "Who moves", "combatant"),
    combatant_fields("tester"),
    (
        Field(
            f"tester.{name}",
            "whole",
            label,
            "Metres in a Combat Turn; that of the metatype unless said.",
            most=1000,
        )
        for name, label in (("walk", "Walking rate"), ("run", "Running rate"), ("swim", "Swimming rate"))
    ),
    fields(
        "tester",
        pool=whole("Pool", "Of a sprint, in place of Strength + Running.", most=60),
        specialized=flag("Specialized", "The specialization covers this sprint."),
        sprint_turns=whole(
            "Turns sprinted before",
            "Combat Turns without a pause before this one; not said, nobody gets tired.",
            most=1000,
        ),
        sprinted=flag("Has sprinted in this turn", "A turn tires once."),
    ),
    fields(
        "",
        mode=choice("Mode", choices=MODES, example=RUN),
        passes=whole(
            "Passes of the Combat Turn", "The largest number that anyone acts in.", least=1, most=10
        ),
        sprint_hits=whole("Hits of a sprint", "Of a test that has been made already.", most=60),
    ),
    (field._replace(derived_from="mode") for field in TEST_FIELDS if field.path in ("attribute", "skill")),
)


class Movement:
    """How far somebody gets in a Combat Turn and in each of its passes; a sprint is a test."""

    id = "movement"
    label = "Movement"
    doc = "Metres in a Combat Turn and in a pass, by the mode; a sprint is a test of Running + Strength."
    vocabulary = MOVEMENT
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {RATE: "Metres in a Combat Turn", "test.pool": "Pool"}
    measures = (
        Measure(
            "metres", "Expected metres in the Combat Turn", lambda facts: float(facts["metres_turn"] or 0)
        ),
        Measure("hits", "Expected hits", lambda facts: float(facts.get("hits") or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        mode = facts.get("mode")
        if mode is None:
            raise lacks("mode", "to know how the combatant moves")
        hits = facts.get("sprint_hits", 0)
        rate = asked.rules.tally(RATE, self.targets[RATE], _rate(mode, hits, asked), facts, asked.hand)
        rate = rate.at_least(0, "Nobody moves less than not at all")
        refusals = asked.rules.refusals(facts)
        end = MovementEnd(mode, rate.total, facts.get("passes", 0))
        if mode != SPRINT or "sprint_hits" in facts:
            return Prepared(None if refusals else end, (rate,), refusals)
        pool, refusals, test = pool_of(_sprint(asked))
        if refusals:
            return Prepared(None, (rate, pool), refusals)
        turns = facts.get("tester.sprint_turns")
        if turns is not None:
            tires = not facts.get("tester.sprinted")
            end = end._replace(turns=turns + tires, tires=tires, body=facts.get("tester.body", -1))
        end = end._replace(monitors=Monitors.of(facts, "tester", asked.options))
        rules = RollRules.of(asked.options)

        def first(dice: int) -> Stage:
            return dice_test.start(tester_of("test", dice, test, asked), None, Sprint(end), rules)

        def rebuild(changed: Any) -> Stage | None:
            return first(changed.total) if changed.to == "test.pool" else None

        return Prepared(first(pool.total), (rate, pool), (), {}, rebuild)


def _rate(mode: str, hits: int, asked: Asked) -> list[Entry]:
    """What the mode gives, and the hits of a sprint that has been made.

    Raises:
        InputError: neither the rate nor the metatype is said.
    """
    facts = asked.said.facts
    if mode == STATIONARY:
        return [Entry(STATIONARY, "Stationary", 0)]
    field = RATES[mode]
    label = asked.said.facts.get("tester.metatype", "").capitalize()
    value = facts.get(f"tester.{field}")
    source = ""
    if value is None:
        metatype = asked.catalog.entry("metatype", facts.get("tester.metatype", ""))
        if metatype is None or field not in metatype.data:
            what = f"the metatype, or tester.{field}: metres in a Combat Turn"
            raise lacks("tester.metatype", what, there="tester.metatype" in facts)
        value, source, label = metatype.data[field], metatype.id, metatype.label
    named = {"walk": "walking", "run": "running", "swim": "swimming"}[field]
    entries = [Entry(field, f"{label}: {named} rate".removeprefix(": ").capitalize(), value, source=source)]
    if hits:
        entries.append(Entry("sprint", "Hits of the sprint", METRES_A_HIT * hits, origin="rule"))
    return entries


def _sprint(asked: Asked) -> Asked:
    """The test of a sprint: it is how somebody runs, and not hampered by running."""
    facts = {name: value for name, value in asked.said.facts.items() if name != "tester.running"}
    facts |= {"attribute": "strength", "skill": "running"}
    return asked.saying(facts)


class Sprint(Receiver, kind="sr4.sprint"):
    """Takes the hits of a sprint."""

    end: MovementEnd

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return self.end._replace(hits=net, edge_spent=edge_spent[0])


class MovementEnd(Outcome, kind="sr4.movement-end"):
    """How far somebody gets.

    Attributes:
        rate: metres in a Combat Turn, without the hits of a sprint that is made now.
        passes: of the Combat Turn; 0 if not known.
        hits: of a sprint; -1 without one.
        turns: Combat Turns sprinted in a row, with this one; 0 if nobody counts them.
        tires: this is the first sprint of the turn.
        body: which counts against getting tired; -1 if not known.
    """

    mode: str
    rate: int
    passes: int
    hits: int = -1
    turns: int = 0
    tires: bool = False
    body: int = -1
    monitors: Monitors | None = None
    edge_spent: int = 0

    @property
    def tired(self) -> bool:
        """After as many turns of sprinting as Body and hits, each further one costs a box (confidence M)."""
        return self.tires and 0 <= self.body < self.turns - max(0, self.hits)

    def notes(self) -> Facts:
        metres = self.rate + METRES_A_HIT * max(0, self.hits)
        facts: dict[str, Fact] = {"mode": self.mode, "metres_turn": metres}
        if self.passes:
            facts["metres_pass"] = metres / self.passes
        if self.hits >= 0:
            facts |= {"hits": self.hits, "tired": self.tired}
        return facts

    def changes(self) -> Iterator[Effect]:
        if self.hits < 0:
            return
        yield from spent_edge("tester", self.edge_spent)
        yield Effect("add-condition", "tester", SPRINTING, None, (("set_sprint_hits", self.hits),))
        if self.tires:
            yield Effect("add-condition", "tester", SPRINTED)
            yield Effect("add-condition", "tester", OUT_OF_BREATH, None, (("set_sprint_turns", self.turns),))
        if self.tired:
            yield from marks("tester", self.monitors, 1, "stun")


def moving(who: Participant, passes: int) -> Moving:
    """The mode of somebody in a fight, and how far it gets, as far as the rates are known.

    Args:
        passes: of the Combat Turn, 1 at least.
    """
    mode = _mode(who)
    rate = 0 if mode == STATIONARY else who.sheet.get(RATES[mode])
    if not isinstance(rate, int):
        return Moving(mode, None, None)
    hits = who.sheet.get("sprint_hits", 0) if mode == SPRINT else 0
    rate += METRES_A_HIT * (hits if isinstance(hits, int) else 0)
    return Moving(mode, rate / max(1, passes), rate)


def _mode(who: Participant) -> str:
    """What was declared; somebody who lies, is held or cannot act gets nowhere."""
    if not who.able or who.sheet.get("prone") or "held" in who.conditions:
        return STATIONARY
    if who.sheet.get("running"):
        return SPRINT if SPRINTING in who.conditions else RUN
    return WALK if WALKING in who.conditions else SWIM if SWIMMING in who.conditions else STATIONARY
