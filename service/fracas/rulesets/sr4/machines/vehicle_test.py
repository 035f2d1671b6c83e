"""Vehicle Tests, chases of one Combat Turn, and locks of sensors: rulebook sections 31.2, 31.3 and 31.5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4 import controls
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Receiver, RollRules, Spent, side_of
from fracas.rulesets.sr4.rolls.success_test import Threshold
from fracas.rulesets.sr4.sheet import make_pool, pool_given, skill_entries, spent_edges
from fracas.rulesets.sr4.vocabulary import BURN_EDGE, combatant_fields, dice

POOL, OTHER = "vehicle.pool", "vehicle-opposition.pool"
SENSOR, HIDING = "sensor.pool", "hiding.pool"
STEPS = ("touching", "short", "long", "gone")
METRES_FOR_A_DIE = 20
"""How much faster a machine must be for each die more in a chase."""


def driver_fields(*people: str) -> tuple[object, ...]:
    """The fields of machines with the one at their controls."""
    more = fields(
        *people,
        pool=dice("Pool", "Dice before modifiers, in place of what the control gives."),
        speed=whole("Speed", "Greatest safe speed.", most=5000, unit="metres in a Combat Turn", example=120),
        burn_edge=BURN_EDGE,
    )
    return (*(field for who in people for field in combatant_fields(who)), *more)


def number_of_driving(it: Attempt, who: str, to: str, *more: Entry) -> None:
    """Make the pool of a Vehicle Test; a person on foot dodges instead."""
    facts = it.facts
    given = pool_given(facts, f"{who}.pool")
    with it.faults.collect():
        make_pool(it, to, *(given or controls.vehicle_test(facts, who)), *more)


class VehicleTest(Procedure):
    """What a driver, a rigger or a Pilot does with a machine, against a threshold or another machine."""

    label = "Vehicle Test"
    vocabulary = vocabulary(
        person("tester", "Machine", "With what the one at its controls has."),
        person("target", "Other machine", "Of a chase.", optional=True),
        driver_fields("tester", "target"),  # type: ignore[arg-type]
        fields(
            "",
            threshold=whole("Threshold", "Hits needed, where nobody opposes.", most=20, example=2),
            terrain=whole("Terrain", "Dice that it costs.", least=-10, most=0, example=-2),
            chase_distance=choice("Distance before", "Of a chase.", choices=STEPS),
            opens_up=flag("Wants to get away", "If not, it wants to get closer."),
        ),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "Vehicle pool", OTHER: "Vehicle pool of the other"}
    owners: Mapping[str, str] = {OTHER: "target"}
    measures = (chance("success", "Chance of success"), mean("net_hits", "Expected net hits", "hits"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        terrain = [Entry("terrain", "Terrain", facts["terrain"])] if facts.get("terrain") else []
        chased = has_record(facts, "target")
        number_of_driving(it, "tester", POOL, *terrain, *_faster(facts, "tester", "target"))
        if chased:
            number_of_driving(it, "target", OTHER, *terrain, *_faster(facts, "target", "tester"))
        else:
            it.need("threshold", "the threshold, or the other machine")
        it.plan = chased

    def first(self, it: Attempt) -> Stage:
        facts, rules = it.facts, RollRules.of(it.options)
        first = side_of("driving", "tester", it.total(POOL), facts, it.request, says=True)
        if not it.plan:
            return dice_test.start(first, None, Threshold(facts["threshold"]), rules)
        second = side_of("opposition", "target", it.total(OTHER), facts, it.request)
        chase = Chase(facts.get("chase_distance", ""), bool(facts.get("opens_up")))
        return dice_test.start(first, second, Raced(chase), rules)


def _faster(facts: Mapping[str, object], who: str, other: str) -> list[Entry]:
    mine, theirs = facts.get(f"{who}.speed"), facts.get(f"{other}.speed")
    more = (mine - theirs) // METRES_FOR_A_DIE if isinstance(mine, int) and isinstance(theirs, int) else 0
    return [Entry("faster", "Faster", more)] if more > 0 else []


class Chase(Part, kind="sr4.chase"):
    """How far two machines are apart, one of `STEPS` or "" where nobody says it, and what the first one wants."""

    distance: str
    opens_up: bool

    def after(self, net: int) -> str:
        """The distance after so many net hits of the first one; below 0 those of the other."""
        if not self.distance:
            return ""
        further = net if self.opens_up else -net
        return STEPS[max(0, min(len(STEPS) - 1, STEPS.index(self.distance) + further))]


class Raced(Receiver, kind="sr4.raced"):
    """Takes the opposed Vehicle Test."""

    chase: Chase

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return RaceEnd(self.chase, net, edge_spent)

    def hits_needed(self, net: int, scoreless: bool) -> int:
        return 1 - net


class RaceEnd(Outcome, kind="sr4.race-end"):
    """Which of two machines was driven better; `net`: net hits of the first."""

    chase: Chase
    net: int
    edge_spent: Spent

    def notes(self) -> Facts:
        facts = {"success": self.net > 0, "net_hits": self.net}
        after = self.chase.after(self.net)
        return {**facts, "steps": abs(self.net), "chase_distance": after} if after else facts

    def changes(self) -> Iterator[Effect]:
        return spent_edges(("tester", "target"), self.edge_spent)


class SensorLock(Procedure):
    """Sensor and Perception against the signature, and Infiltration of who hides; hits are dice on attacks."""

    label = "Lock on sensors"
    vocabulary = vocabulary(
        person("tester", "Machine", "With what the one at its controls has."),
        person("target", "Target"),
        driver_fields("tester", "target"),  # type: ignore[arg-type]
        fields("target", hides=flag("Hides", "Opposes the test with Infiltration.")),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {SENSOR: "Sensor pool", HIDING: "Infiltration"}
    owners: Mapping[str, str] = {HIDING: "target"}
    measures = (chance("success", "Chance to lock on"), mean("lock_dice", "Expected dice"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        own = facts.get("target.signature")  # of people and critters the packs have it
        people = int(row_of(it.lookup, "signatures", "people")["dice"]) if own is None else own
        signature = Entry("signature", "Signature", people)
        with it.faults.collect():
            given = pool_given(facts, "tester.pool")
            make_pool(it, SENSOR, *(given or controls.perception(facts, "tester")), signature)
        if facts.get("target.hides"):
            agility = it.need("target.agility", "Agility of the target, which hides | target.pool")
            skill = skill_entries(facts.get("target.skills", {}), "infiltration")
            base = pool_given(facts, "target.pool") or [Entry("agility", "Agility", agility), *skill]
            make_pool(it, HIDING, *base)

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        side = side_of("lock", "tester", it.total(SENSOR), facts, it.request, says=True)
        hiding = it.known(HIDING)
        second = None if hiding is None else side_of("hiding", "target", hiding, facts, it.request)
        return dice_test.start(side, second, Locking(), RollRules.of(it.options))


class Locking(Receiver, kind="sr4.locking"):
    """Takes the Sensor Test."""

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return Locked(max(0, net), edge_spent)

    def hits_needed(self, net: int, scoreless: bool) -> int:
        return 1 - net


class Locked(Outcome, kind="sr4.locked"):
    """Sensors are locked on a target, or not: `dice` of attacks at it."""

    dice: int
    edge_spent: Spent

    def notes(self) -> Facts:
        return {"success": self.dice > 0, "lock_dice": self.dice}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edges(("tester", "target"), self.edge_spent)
        if self.dice:
            detail = (("set_lock_dice", self.dice), ("towards", "target"))
            yield Effect("add-condition", "tester", "locked-on", None, detail)
