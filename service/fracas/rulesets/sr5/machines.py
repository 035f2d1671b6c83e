"""Machines of Shadowrun 5: vehicle tests, chases and sensor locks by the mode of control, and ramming.

Rulebook sections 12.3 and 12.4:

    to ram: test against the defense -> fork: what the target takes, and what the machine that rams takes

The packs' table of control says what is rolled in each mode. A machine on its own rolls its Pilot and an autosoft.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.monitors import half_up
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import has_record, in_place_of, reported_as, require
from fracas.kernel.stage import Effect, Fact, Fork, Shared, Stage, share
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of, source_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr5 import combatant
from fracas.rulesets.sr5.attacks.attack import defense_base
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.harms.damage_resistance import impact
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.success_test import written_pool
from fracas.rulesets.sr5.sheet import derive_resisting, derive_side

DRIVER, VEHICLE, OPPONENT = "tester", "vehicle", "opponent"
_BOTH = (DRIVER, OPPONENT)
PILOTING = ("pilot-ground-craft", "pilot-aircraft", "pilot-watercraft", "pilot-walker")
MODES, FACTS = "control-modes", "driving-facts"
"""The tables of the packs."""
UNCONTROLLED, LOCKED_ON = "uncontrolled", "locked-on"
_LOST_BY = "loses-control-by"
_HITS_FOR_A_RANGE = 3
"""Further net hits for one more range of a chase, by an option."""

MACHINE = {
    "handling": whole("Handling", "On the ground that it is on.", most=20, example=4),
    "speed": whole("Speed", "The rating, not metres.", most=20, example=4),
    "pilot": combatant.PILOT,
    "maneuvering": whole("Maneuvering", "Autosoft for driving.", most=12),
    "clearsight": whole("Clearsight", "Autosoft for looking.", most=12),
    "evasion": combatant.EVASION,
    "sensor": combatant.SENSOR,
}
"""The numbers of a vehicle or a drone."""


def _driver(who: str) -> tuple[Field, ...]:
    return (
        *combatant.combatant_fields(who, pool=combatant.TEST_POOL),
        *fields(who, control=combatant.CONTROL, control_rig=combatant.CONTROL_RIG),
        *fields(who, interface=combatant.INTERFACE, **MACHINE),
        *fields(who, noise_reduction=whole("Noise reduction", most=20)),
    )


def hull_of(facts: Mapping[str, Any], name: str) -> str:
    """The record of the machine that has a number: the one that is driven, or the one that drives itself.

    Raises:
        InputError: neither has it.
    """
    hull = VEHICLE if f"{VEHICLE}.{name}" in facts else DRIVER
    require(facts, [(f"{hull}.{name}", f"{name.capitalize()} of the machine")])
    return hull


def pool_by_mode(it: Attempt, who: str, to: str, column: str) -> str:
    """Make the pool of one who controls a machine, by a column of the table; the mode is returned.

    Raises:
        InputError: what is rolled is not given.
    """
    facts = it.facts
    derive_side(facts, who)
    mode = facts.get(f"{who}.control") or ("pilot" if f"{who}.pilot" in facts else "manual")
    facts[f"{who}.control"] = mode
    written = row_of(it.lookup, MODES, mode)[column].replace("skill", facts.get("skill", PILOTING[0]))
    if column == "test" and it.options["vr_drive"] == "intuition" and mode in ("vr", "jumped-in"):
        written = written.replace("reaction", "intuition")
    entries = written_pool(facts, who, written)
    if mode == "jumped-in" and (rig := facts.get(f"{who}.control_rig", 0)):
        entries.append(Entry("control-rig", "Control rig", rig))
    dice_test.make_pool(it, to, *entries)
    return str(mode)


def make_limit_by_mode(it: Attempt, to: str, who: str, name: str, hull: str) -> None:
    """Make the limit of one who controls a machine: its rating, if it is Handling less what damage takes, and what the
    mode or the control rig adds.

    Args:
        name: ``handling`` or ``speed``.
        hull: the record of the machine.
    """
    facts, mode = it.facts, it.facts[f"{who}.control"]
    rating = facts[f"{hull}.{name}"]
    lines = [Entry(name, name.capitalize(), rating)]
    boxes = facts.get(f"{hull}.physical", 0) if name == "handling" else 0
    if lost := min(boxes // row_of(it.lookup, FACTS, "boxes-that-lower-handling")["value"], rating - 1):
        lines.append(Entry("damage", "Damage of the machine", -lost, source=source_of(it.lookup, FACTS)))
    rig, row = facts.get(f"{who}.control_rig", 0), row_of(it.lookup, MODES, mode)
    if more := rig if mode == "jumped-in" else row["limit"]:
        lines.append(Entry("mode", "Mode of control", more, source=source_of(it.lookup, MODES)))
    dice_test.make_limit(it, to, *lines)


_NOISE = whole("Noise", "Between a rigger and the machine.", most=50, in_scene=True)


class VehicleTest(dice_test.TestingProcedure):
    """A test of the driver against a threshold with the terrain, or against another driver, by the mode of control."""

    label = "Vehicle test"
    vocabulary = vocabulary(
        person(DRIVER, "Driver", "Or a machine on its own."),
        person(VEHICLE, "Vehicle", optional=True),
        person(OPPONENT, "Other driver", "Of a chase.", optional=True),
        _driver(DRIVER),
        fields(VEHICLE, name=text("Name", most=80), physical=whole("Physical boxes", most=200), **MACHINE),
        _driver(OPPONENT),
        fields(
            "",
            skill=choice("Pilot skill", "Left out: ground craft.", choices=PILOTING),
            by_speed=flag("Speed counts", "In the open: Speed is the limit, and not Handling."),
            threshold=whole("Threshold", "Without the terrain; 1 to 4 and more.", 0, 20, example=2),
            terrain=text("Terrain", "A row of the packs' table: open, light, restricted, tight.", most=40),
            noise=_NOISE,
        ),
    )
    targets: Mapping[str, str] = {
        "driving.pool": "Pool",
        "driving.limit": "Limit",
        "driving.threshold": "Threshold",
        "other-driver.pool": "Pool of the other driver",
        "other-driver.limit": "Limit of the other driver",
    }
    owners: Mapping[str, str] = dict.fromkeys(("other-driver.pool", "other-driver.limit"), OPPONENT)
    measures = (chance("success", "Chance of success"), mean("net_hits", "Expected net hits"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        with it.faults.collect():
            mode = pool_by_mode(it, DRIVER, "driving.pool", "test")
            rig = facts.get(f"{DRIVER}.control_rig", 0)
            name = "speed" if facts.get("by_speed") else "handling"
            make_limit_by_mode(it, "driving.limit", DRIVER, name, hull_of(facts, name))
            if any(path.startswith(f"{OPPONENT}.") for path in facts):
                pool_by_mode(it, OPPONENT, "other-driver.pool", "test")
                if f"{OPPONENT}.{name}" in facts:
                    make_limit_by_mode(it, "other-driver.limit", OPPONENT, name, OPPONENT)
                return
            require(facts, [("threshold", "the threshold")])
            base = [Entry("threshold", "Threshold", facts["threshold"])]
            if terrain := facts.get("terrain"):
                harder = row_of(it.lookup, "terrain", terrain)["threshold"]
                base.append(Entry("terrain", "Terrain", harder, source=source_of(it.lookup, "terrain")))
            if rig and mode == "jumped-in":
                base.append(Entry("control-rig", "Control rig", -rig))
            it.tally("driving.threshold", *base, least=1, floor="A threshold is at least 1")

    def first(self, it: Attempt) -> Stage:
        side = dice_test.side_of(it, "driving", DRIVER, it.total("driving.pool"), it.total("driving.limit"))
        lost = row_of(it.lookup, FACTS, _LOST_BY)["value"]
        pool = it.known("other-driver.pool")
        if pool is None:
            return dice_test.start(side, None, Driven(it.total("driving.threshold"), lost))
        step = _HITS_FOR_A_RANGE if it.options["chase_step"] == "each_three" else 0
        other = dice_test.side_of(it, "other", OPPONENT, pool, it.known("other-driver.limit"))
        return dice_test.start(side, other, Driven(1, 0, step))


class Driven(dice_test.Receiver, kind="sr5.driven"):
    """Takes the test; `lost`: a miss by so many hits loses control, 0 of a test against another driver; `step`: so many
    further net hits move a chase by one more range, 0: none do."""

    threshold: int
    lost: int
    step: int = 0
    reports = ("threshold",)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        margin = hits - other_hits - self.threshold
        net = margin if self.lost else margin + 1
        facts: dict[str, Fact] = {"success": margin >= 0, "hits": hits, "net_hits": max(0, net)}
        effects = [*dice_test.spent_edge(*zip(_BOTH, spent, strict=True))]
        if not self.lost:
            facts["ranges"] = 1 + (margin // self.step if self.step else 0) if margin >= 0 else 0
        elif margin <= -self.lost:
            facts["uncontrolled"] = True
            effects.append(Effect("add-condition", DRIVER, UNCONTROLLED))
        return ended(facts, *effects)

    def hits_needed(self, hits: int, other_hits: int) -> int:
        return self.threshold + other_hits - hits


class SensorLock(dice_test.TestingProcedure):
    """Intuition + Electronic Warfare [Sensor], or Pilot + Clearsight, against one who hides: dice on attacks."""

    label = "Sensor lock"
    vocabulary = vocabulary(
        person(DRIVER, "Who looks", "A machine, or its rigger."),
        person(OPPONENT, "Target"),
        person(VEHICLE, "Machine of the sensors", optional=True),
        _driver(DRIVER),
        fields(VEHICLE, name=text("Name", most=80), **MACHINE),
        _driver(OPPONENT),
        fields("", noise=_NOISE),
    )
    targets: Mapping[str, str] = {
        "lock.pool": "Pool",
        "lock.limit": "Limit",
        "hiding.pool": "Pool of the target",
    }
    owners: Mapping[str, str] = {"hiding.pool": OPPONENT}
    measures = (chance("success", "Chance of a lock"), mean("lock_dice", "Expected dice"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        with it.faults.collect():
            pool_by_mode(it, DRIVER, "lock.pool", "sensors")
            sensor = facts[f"{hull_of(facts, 'sensor')}.sensor"]
            dice_test.make_limit(it, "lock.limit", Entry("sensor", "Sensor", sensor))
            derive_side(facts, OPPONENT)
            hides = "reaction + evasion" if f"{OPPONENT}.evasion" in facts else "agility + sneaking"
            dice_test.make_pool(it, "hiding.pool", *written_pool(facts, OPPONENT, hides))

    def first(self, it: Attempt) -> Stage:
        side = dice_test.side_of(it, "lock", DRIVER, it.total("lock.pool"), it.total("lock.limit"))
        hiding = dice_test.side_of(it, "hiding", OPPONENT, it.total("hiding.pool"))
        return dice_test.start(side, hiding, Locking(it.options["lock_decay"] == "turn"))


class Locking(dice_test.Contested, kind="sr5.locking"):
    """Takes the test of a sensor lock; `fleeting`: it lasts for the turn."""

    fleeting: bool = False

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        dice, effects = max(0, hits - other_hits), [*dice_test.spent_edge(*zip(_BOTH, spent, strict=True))]
        if dice:
            detail = (("towards", DRIVER), ("set_locked_on", dice))
            turn = (("length", 1), ("unit", "turn")) if self.fleeting else ()
            effects.append(Effect("add-condition", OPPONENT, LOCKED_ON, None, (*detail, *turn)))
        return ended({"success": dice > 0, "lock_dice": dice}, *effects)


RAMMER, HULL = "attacker", "machine"
POOL, LIMIT, DEFENSE = "ramming.pool", "ramming.limit", "ram-defense.pool"
_NUMBERS = {name: MACHINE[name] for name in ("handling", "pilot", "maneuvering")}


class Ram(dice_test.TestingProcedure):
    """The driver's pool [Handling] against a defense; Body and speed decide what both take."""

    vocabulary = vocabulary(
        person(RAMMER, "Machine that rams", "With the pool of its driver, or its Pilot and an autosoft."),
        person("target", "Target"),
        Record("damage", "What hurts"),
        damage.DAMAGE_ELEMENT,
        person(HULL, "Machine that is driven", "Of a driver or rigger who rams.", optional=True),
        *map(combatant.resisting_fields, (RAMMER, "target", HULL)),
        fields(RAMMER, pool=whole("Pool of the driver", "Dice before modifiers.", most=60), **_NUMBERS),
        fields(RAMMER, control=combatant.CONTROL, control_rig=combatant.CONTROL_RIG),
        fields(RAMMER, interface=combatant.INTERFACE, noise=whole("Noise", most=50)),
        fields(HULL, handling=MACHINE["handling"]),
        fields(
            "target",
            evasive=combatant.EVASIVE,
            runs_clear=flag("Can run clear", "On foot, with room within a run."),
            pool=whole("Defense pool", "Dice before modifiers, such as those of its driver.", most=60),
            unaware=flag("Unaware", "Or without control: no defense at all."),
            evasion=combatant.EVASION,
        ),
        fields(
            "",
            impact_speed=whole("Impact speed", "Metres a turn.", 1, 2000, unit="metres", example=24),
        ),
    )
    targets: Mapping[str, str] = {
        POOL: "Pool",
        LIMIT: "Limit",
        DEFENSE: "Defense pool",
        **damage.TARGETS,
        **{
            f"{hull}.{to}": f"Of the machine that rams: {label}"
            for hull in (RAMMER, HULL)
            for to, label in damage.TARGETS.items()
        },
    }
    owners: Mapping[str, str] = {DEFENSE: "target", **dict.fromkeys(damage.TARGETS, "target")}
    measures = damage.MEASURES
    inner: Collection[str] = (damage.ARMOR, *(f"{hull}.{damage.ARMOR}" for hull in (RAMMER, HULL)))

    def numbers(self, it: Attempt) -> None:
        facts, hull = it.facts, self._hull(it)
        with it.faults.collect():
            for who in dict.fromkeys((RAMMER, "target", hull)):
                derive_resisting(facts, who)
            require(facts, [("impact_speed", "the impact speed"), (f"{hull}.body", "Body of what rams")])
            if hull == RAMMER:
                facts.setdefault(f"{RAMMER}.control", "pilot")
                dice_test.make_pool(it, POOL, *written_pool(facts, RAMMER, "pilot + maneuvering"))
            else:
                pool_by_mode(it, RAMMER, POOL, "test")
            require(facts, [(f"{hull}.handling", "Handling, the limit")])
            make_limit_by_mode(it, LIMIT, RAMMER, "handling", hull)
            if not facts.get("target.unaware"):
                dice_test.make_pool(it, DEFENSE, *defense_base(facts, it.options))
            it.plan, ap = self._impact(it, facts[f"{hull}.body"], facts["impact_speed"])
            for one in self._both(it):
                with reported_as({"target": one.record or "target"}):
                    damage.resist(one, [("impact", "the impact", ap)])

    def _impact(self, it: Attempt, body: int, speed: int) -> tuple[tuple[int, int], int]:
        """The Damage Values for the target and for the machine that rams, and their AP; by the option, whose Body is
        the greater, times the speed.

        Raises:
            InputError: the Body of the target is not given, where it counts.
        """
        if it.options["vehicle_rules"] == "core":
            dv, ap = impact(it.lookup, body, speed)
            return (dv, half_up(dv)), ap
        require(it.facts, [("target.body", "Body of the target")])
        more = body - it.facts["target.body"]
        return (max(1, more) * speed, max(1, -more) * speed), 0

    def _both(self, it: Attempt) -> Iterator[Attempt]:
        """The attempt as it is for the target, and for the machine that rams."""
        yield it
        yield it.of(self._hull(it), in_place_of(it.facts, self._hull(it)))

    def _hull(self, it: Attempt) -> str:
        """The record of the machine that strikes."""
        return HULL if has_record(it.facts, HULL) else RAMMER

    def first(self, it: Attempt) -> Stage:
        (dv, own), (hit, back) = it.plan, self._both(it)
        defended = not it.facts.get("target.unaware")
        plans = damage.plan_of(hit, dv, "physical", defended=defended), damage.plan_of(back, own, "physical")
        speed = it.facts["impact_speed"] if it.options["vehicle_rules"] != "core" else 0
        side = dice_test.side_of(it, "attack", RAMMER, it.total(POOL), it.total(LIMIT))
        defense = it.known(DEFENSE)
        other = None if defense is None else dice_test.side_of(it, "defense", "target", defense)
        return dice_test.start(side, other, Rammed(share(plans[0]), share(plans[1]), speed))


class Rammed(dice_test.Contested, kind="sr5.rammed"):
    """Takes the test: net hits add to what the target takes, and by an option take as much from what the machine that
    rams takes, both times the `speed`; 0 where it does not count."""

    target: Shared[damage.Plan]
    rammer: Shared[damage.Plan]
    speed: int = 0

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        net = hits - other_hits
        if net <= 0:
            return damage.AttackOutcome(damage.MISS, 0, "", self.target, spent)
        struck = damage.soak(self.target, self.target.value.value + net * (self.speed or 1), net, spent)
        back = damage.soak(self.rammer, max(0, self.rammer.value.value - net * self.speed), 0, (0, 0))
        return Fork((("target", struck), (self.rammer.value.who, back)))

    def on_skip(self) -> Stage:
        return damage.AttackOutcome(damage.NO_ATTACK, 0, "", self.target, (0, 0))
