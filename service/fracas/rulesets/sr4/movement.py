"""Movement in Shadowrun 4: walking, running, swimming and the sprint, in metres (rulebook section 6).

Rates are for a whole Combat Turn; one Initiative Pass has its part of them, with all fractions kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, fields, flag, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.intents import Participant
from fracas.kernel.procedures import Attempt, mean
from fracas.kernel.required import lacks
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.turns import Moving
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.harms.harm import marks
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Receiver, RollRules, Spent
from fracas.rulesets.sr4.rolls.success_test import POOL, POOLS, TEST_FIELDS, number_of_test, tester_of
from fracas.rulesets.sr4.sheet import Monitors, spent_edge
from fracas.rulesets.sr4.vocabulary import combatant_fields, dice

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
_OF_METATYPE = "Metres in a Combat Turn; that of the metatype unless given."
_PASSES = "The largest number that anyone acts in."
_SPRINTED_BEFORE = "Combat Turns without a pause before this one."
_BY_POWER = "By the power Movement: the rate is {} by this; 0 for not at all."
MOVEMENT = vocabulary(
    Record("tester", "Who moves", "combatant"),
    combatant_fields(
        "tester",
        walk=whole("Walking rate", _OF_METATYPE),
        run=whole("Running rate", _OF_METATYPE),
        swim=whole("Swimming rate", _OF_METATYPE),
        pool=dice("Pool", "Of a sprint, in place of Strength + Running."),
        specialized=flag("Specialized", "The specialization covers this sprint."),
        sprint_turns=whole("Turns sprinted before", _SPRINTED_BEFORE),
        hastened=whole("Hastened", _BY_POWER.format("multiplied"), most=50),
        hindered=whole("Hindered", _BY_POWER.format("divided"), most=50),
        sprinted=flag("Has sprinted in this turn", "A turn tires once."),
    ),
    fields(
        "",
        mode=choice("Mode", choices=MODES, example=RUN, required="to know how the combatant moves"),
        passes=whole("Passes of the Combat Turn", _PASSES, least=1, most=10),
        sprint_hits=whole("Hits of a sprint", "Of a test that has been made already.", most=60),
    ),
    (field._replace(derived_from="mode") for field in TEST_FIELDS if field.path in ("attribute", "skill")),
)


class Movement(dice_test.TestingProcedure):
    """Metres in a Combat Turn and in a pass, by the mode; a sprint is a test of Running + Strength."""

    vocabulary = MOVEMENT
    targets = {RATE: "Metres in a Combat Turn", **POOLS}
    measures = (
        mean("metres_turn", "Expected metres in the Combat Turn", "metres"),
        mean("hits", "Expected hits"),
    )

    def numbers(self, it: Attempt) -> None:
        if (mode := it.facts.get("mode")) is None:
            return
        with it.faults.collect():
            it.tally(RATE, *_rate(mode, it), least=0, floor="Nobody moves less than not at all")
        if mode == SPRINT and "sprint_hits" not in it.facts:
            # it is how a combatant runs, and not hampered by running
            it.facts |= {"attribute": "strength", "skill": "running"}
            it.facts.pop("tester.running", None)
            number_of_test(it)

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        end = MovementEnd(facts["mode"], it.total(RATE), facts.get("passes", 0))
        if POOL not in it.made:
            return end
        turns = facts.get("tester.sprint_turns")
        if turns is not None:
            tires = not facts.get("tester.sprinted")
            end = end._replace(turns=turns + tires, tires=tires, body=facts.get("tester.body", -1))
        end = end._replace(monitors=Monitors.of(facts, "tester", it.options))
        side = tester_of("test", it.total(POOL), facts, it.request)
        return dice_test.start(side, None, Sprint(end), RollRules.of(it.options))


def _rate(mode: str, it: Attempt) -> list[Entry]:
    """What the mode gives, with the hits of a sprint made. `InputError`: neither rate nor metatype is given."""
    facts, hits = it.facts, it.facts.get("sprint_hits", 0)
    if mode == STATIONARY:
        return [Entry(STATIONARY, "Stationary", 0)]
    field, source = RATES[mode], ""
    label, value = facts.get("tester.metatype", "").capitalize(), facts.get(f"tester.{field}")
    if value is None:
        metatype = it.lookup.entry("metatype", facts.get("tester.metatype", ""))
        if metatype is None or field not in metatype.data:
            what = f"the metatype, or tester.{field}: metres in a Combat Turn"
            raise lacks("tester.metatype", what, there="tester.metatype" in facts)
        value, source, label = metatype.data[field], metatype.id, metatype.label
    named = {"walk": "walking", "run": "running", "swim": "swimming"}[field]
    entries = [Entry(field, f"{label}: {named} rate".removeprefix(": ").capitalize(), value, source=source)]
    if changed := _by_powers(value, facts.get("tester.hastened", 0), facts.get("tester.hindered", 0)) - value:
        entries.append(Entry("power", "Power Movement", changed, origin="rule"))
    if hits:
        entries.append(Entry("sprint", "Hits of the sprint", METRES_A_HIT * hits, origin="rule"))
    return entries


def _by_powers(rate: int, hastened: int, hindered: int) -> int:
    """A rate as the power Movement changes it (section 30.4), rounded down."""
    return rate * max(1, hastened) // max(1, hindered)


class Sprint(Receiver, kind="sr4.sprint"):
    """Takes the hits of a sprint."""

    end: MovementEnd

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return self.end._replace(hits=net, edge_spent=edge_spent[0])


class MovementEnd(Outcome, kind="sr4.movement-end"):
    """How far a combatant gets.

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
    """The mode of a combatant and how far it gets, as far as known. `passes`: of the Combat Turn, 1 at least."""
    mode = _mode(who)
    rate = 0 if mode == STATIONARY else who.sheet.get(RATES[mode])
    if not isinstance(rate, int):
        return Moving(mode, None, None)
    rate = _by_powers(rate, who.sheet.get("hastened", 0), who.sheet.get("hindered", 0))
    hits = who.sheet.get("sprint_hits", 0) if mode == SPRINT else 0
    rate += METRES_A_HIT * (hits if isinstance(hits, int) else 0)
    return Moving(mode, rate / max(1, passes), rate)


def _mode(who: Participant) -> str:
    """What was declared; a combatant who lies, is held or cannot act gets nowhere."""
    if not who.able or who.sheet.get("prone") or "held" in who.conditions:
        return STATIONARY
    if who.sheet.get("running"):
        return SPRINT if SPRINTING in who.conditions else RUN
    return WALK if WALKING in who.conditions else SWIM if SWIMMING in who.conditions else STATIONARY
