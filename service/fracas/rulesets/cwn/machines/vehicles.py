"""Vehicles and those aboard: driving, losing control, crashes, wrecks and ramming (rulebook section 13.2, R20).

A vehicle that a combatant has in motion is ``under-way``. The one who drives it again puts off the moment at which it
goes out of control: the end of the next round. In a crash everybody aboard makes a Physical and a Luck save: one failed
costs half the maximum hit points, both leave a combatant Mortally Wounded with a Major Injury, for which nobody saves
again. Of a vehicle that is destroyed all suffer what it suffered. The numbers of ramming stand in the table
``ramming``. Two readings: both vehicles suffer the maximum hit points of the one that rams, each with a Trauma Die of
its own; and no vehicle is immune to another, whatever its Armor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Facts, Fork, Shared, Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.areas.area_stages import HALF, NOTHING, Area, strike
from fracas.rulesets.cwn.areas.area_victims import Threat, people_of, strike_all
from fracas.rulesets.cwn.areas.blast import AREA_MEASURES
from fracas.rulesets.cwn.attacks.attack import HARM_MEASURES
from fracas.rulesets.cwn.attacks.attack_vocabulary import VICTIMS, numbered, target_fields
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.attacks.numbers import owners_in, targets_of
from fracas.rulesets.cwn.checks import saves, skill_check
from fracas.rulesets.cwn.checks.saves import EVASION, LUCK, PHYSICAL, save_targets, total_of_save
from fracas.rulesets.cwn.harms import harm

VEHICLE = "vehicle"
OCCUPANTS = VICTIMS
"""The records of those aboard; of more people, the rest come in another step."""
UNDER_WAY = "under-way"
"""The condition of a vehicle that a combatant has in motion."""

_VEHICLE, _NAME = person(VEHICLE, "Vehicle"), text("Name", most=80)
_HP_MAXIMUM = whole("Hit points when whole", "Left out: the hit points left.", 1)
_OCCUPANTS = tuple(numbered(OCCUPANTS, "Occupant", "A person aboard."))


def _occupant_fields() -> Iterator[Field]:
    for who in OCCUPANTS:
        yield from target_fields(who)
        yield from fields(who, hp_maximum=_HP_MAXIMUM, drives=flag("At the wheel", "Left out: is not."))


def flat_damage(points: int, on_save: str = HALF, *, round_up: bool = False) -> Shared[Area]:
    """What strikes several people with damage that is settled before: nothing is rolled for it."""
    return share(Area(((0, 1),), points, True, False, on_save, round_up, True, None))


DRIVER = "driver"
LOSE_CONTROL = "lose-control"
"""The action that comes at the end of a round in which nobody has driven."""


def keeps_going(vehicle: str) -> tuple[Effect, ...]:
    """The vehicle is in motion until the end of the next round, when it loses control unless a combatant drives."""
    when = (("when", "turn-end"), ("turns", 1), ("while", UNDER_WAY))
    later = Effect("schedule", vehicle, LOSE_CONTROL, None, when)
    return (Effect("add-condition", vehicle, UNDER_WAY), later)


class Drive(Procedure):
    """Keeps a vehicle on course for this round and the next, or brings it to a stop; nothing is rolled."""

    vocabulary = vocabulary(
        Record(DRIVER, "Driver", "combatant"),
        _VEHICLE,
        Record("drive", "How it is done"),
        fields(DRIVER, VEHICLE, name=_NAME),
        fields("drive", stops=flag("Brings it to a stop", "Left out: keeps it in motion.")),
    )
    measures = (chance("moving", "Whether it is in motion"),)

    def first(self, it: Attempt) -> Stage:
        return Driven(not it.facts.get("drive.stops"))


class Driven(Outcome, kind="cwn.driven"):
    """The vehicle is in motion now, or it is not."""

    moving: bool
    reports = ("moving",)

    def effects(self) -> tuple[Effect, ...]:
        return keeps_going(VEHICLE) if self.moving else (Effect("remove-condition", VEHICLE, UNDER_WAY),)


CRASHED, ON_COURSE = "crashed", "on-course"
FINE, BATTERED, BROKEN = "fine", "one-failed", "both-failed"

_UNCONTROLLED = (
    "Nobody drove in this round: a Luck save of the one at the wheel, or else of the first aboard, keeps it from "
    "crashing."
)


class Occupant(Part, kind="cwn.occupant"):
    """A combatant aboard.

    Attributes:
        who: the record.
        physical, luck: targets of the saves.
        hp, half: hit points left, and half of the maximum.
        fall: what becomes of them at 0 hit points.
    """

    who: str
    physical: int
    luck: int
    hp: int
    half: int
    fall: str
    risk: harm.Risk


class Crash(Procedure):
    """A Physical and a Luck save of everyone aboard; a vehicle out of control may avert the crash with a Luck save."""

    vocabulary = vocabulary(
        _VEHICLE,
        *_OCCUPANTS,
        Record("crash", "The crash"),
        fields(VEHICLE, name=_NAME),
        fields("crash", uncontrolled=flag("Out of control", _UNCONTROLLED)),
        _occupant_fields(),
    )
    targets = save_targets(PHYSICAL, LUCK, records=OCCUPANTS)
    measures = (
        chance("result", "Chance to crash", "crash", among=(CRASHED,)),
        *(one for one in HARM_MEASURES if one.id in ("hp-loss", "down", "dead", "injury")),
    )

    def numbers(self, it: Attempt) -> None:
        it.plan = _people(it)
        for who in it.plan:
            for kind in (PHYSICAL, LUCK):
                saves.number_of_save(it, who, kind)
            it.need(f"{who}.hp", "the hit points left")

    def first(self, it: Attempt) -> Stage:
        aboard = tuple(share(_occupant(it, who)) for who in it.plan)
        if not it.facts.get("crash.uncontrolled"):
            return crashing(aboard)
        at_wheel = next((who for who in it.plan if it.facts.get(f"{who}.drives")), it.plan[0])
        return Swerve(at_wheel, total_of_save(it, at_wheel, LUCK), aboard)


def _people(it: Attempt) -> list[str]:
    """The records of those aboard, one at least."""
    people = people_of(it.facts, OCCUPANTS)
    if not people:
        it.faults.need("victim_1", "a passenger")
    return people


def _occupant(it: Attempt, who: str) -> Occupant:
    facts, up = it.facts, it.options["half_rounding"] == "up"
    most = facts.get(f"{who}.hp_maximum", facts[f"{who}.hp"])
    physical, luck = (total_of_save(it, who, kind) for kind in (PHYSICAL, LUCK))
    fall, risk = harm.fall_of(facts, who, lethal=True), harm.risk_of(it.request, facts, who, who)[0]
    half = (most + up) // 2
    return Occupant(who, physical, luck, facts[f"{who}.hp"], half, fall, risk._replace(save=physical))


class Swerve(Waiting, kind="cwn.swerve"):
    """Waits for the Luck save of `who`, which averts the crash."""

    who: str
    target: int
    aboard: tuple[Shared[Occupant], ...]
    awaits = rolls("control", lambda self: self.who, lambda self: saves.d20(self.target))

    def advance(self, answer: Any) -> Stage:
        return CrashEnd(ON_COURSE) if answer else crashing(self.aboard)


class CrashEnd(Outcome, kind="cwn.crash-end"):
    """What becomes of the vehicle: `CRASHED`, or `ON_COURSE` by luck."""

    result: str
    reports = ("result",)

    def effects(self) -> tuple[Effect, ...]:
        if self.result == ON_COURSE:
            return keeps_going(VEHICLE)
        return (Effect("remove-condition", VEHICLE, UNDER_WAY),)


def crashing(aboard: tuple[Shared[Occupant], ...]) -> Fork:
    """The fork: the vehicle, and everybody aboard."""
    people = tuple((one.value.who, FirstSave(one)) for one in aboard)
    return Fork((("crash", CrashEnd(CRASHED)), *people))


class FirstSave(Waiting, kind="cwn.crash-save"):
    """Waits for the Physical save of a combatant aboard."""

    one: Shared[Occupant]
    awaits = rolls(
        "physical", lambda self: self.one.value.who, lambda self: saves.d20(self.one.value.physical)
    )

    def advance(self, answer: Any) -> Stage:
        return SecondSave(self.one, answer)


class SecondSave(Waiting, kind="cwn.crash-luck"):
    """Waits for the Luck save; `saved`: the Physical one was made."""

    one: Shared[Occupant]
    saved: bool
    awaits = rolls("luck", lambda self: self.one.value.who, lambda self: saves.d20(self.one.value.luck))

    def advance(self, answer: Any) -> Stage:
        one = self.one.value
        if answer and self.saved:
            return Thrown(FINE, one.who, harm.Hurt(0, 0, 0, one.hp, harm.NOBODY_DOWN))
        if answer or self.saved:
            down = one.fall if one.half >= one.hp else harm.NOBODY_DOWN
            hurt = harm.Hurt(one.half, 0, one.half, one.hp, down)
            return harm.after_harm(Thrown(BATTERED, one.who, hurt), one.who, one.risk)
        return _broken(Thrown(BROKEN, one.who, harm.Hurt(one.hp, 0, one.hp, one.hp, one.fall)), one)


def _broken(end: Thrown, one: Occupant) -> Stage:
    """The one who survives has a Major Injury, without a save."""
    if end.hurt.down != harm.MORTALLY_WOUNDED or one.risk.exempt:
        return end
    if one.risk.absorbs:
        return end._replace(hurt=end.hurt._replace(injury=harm.ABSORBED, injured=harm.ABSORBED))
    return harm.Injury(end, one.who, one.risk)


class Thrown(Outcome, kind="cwn.crash-thrown"):
    """What the crash did to a combatant: `FINE`, `BATTERED` or `BROKEN`."""

    result: str
    who: str
    hurt: harm.Hurt

    def notes(self) -> Facts:
        return {"result": self.result, **self.hurt.facts()}

    def changes(self) -> Iterator[Effect]:
        return self.hurt.effects(self.who)


_INFLICTED = f"{VEHICLE}.wreck_damage"


class VehicleDestroyed(Procedure):
    """Everyone aboard takes the damage that the vehicle took after Armor; a Luck save halves it."""

    vocabulary = vocabulary(
        _VEHICLE,
        *_OCCUPANTS,
        fields(
            VEHICLE,
            name=_NAME,
            wreck_damage=whole(
                "Damage that destroyed it", "Of the last blow, after Armor (R20).", example=18
            ),
        ),
        _occupant_fields(),
    )
    targets = save_targets(LUCK, PHYSICAL, records=OCCUPANTS)
    measures = AREA_MEASURES
    inner = targets

    def numbers(self, it: Attempt) -> None:
        it.facts["attack.lethal"] = True
        people = _people(it)
        it.need(_INFLICTED, "the damage that destroyed the vehicle, after Armor")
        it.plan = strike_all(it, Threat(True, LUCK), people)

    def first(self, it: Attempt) -> Stage:
        damage = it.facts[_INFLICTED]
        area = flat_damage(damage, round_up=it.options["half_rounding"] == "up")
        return Fork(tuple((one.value.who, strike(area, one, damage)) for one in it.plan))


RAMMER, TARGET, OTHER_DRIVER = "attacker", "target", "other_driver"
CHECK, DODGE = "ram.check", "ram.dodge"
RAMMED, AVOIDED = "rammed", "avoided"
_STRUCK = (TARGET, VEHICLE)
_OTHER_DRIVER = "Of a vehicle that is rammed; nobody for one at rest."
_DRIVE, _EXERT, _DEXTERITY = ("drive",), ("exert",), ("dexterity",)


class Ram(Procedure):
    """Dexterity and Drive against the target's check, then a person's Evasion save; two vehicles both take damage."""

    vocabulary = vocabulary(
        person(RAMMER, "Driver"),
        person(TARGET, "Target", "A person on foot, or another vehicle."),
        person(VEHICLE, "Vehicle", "The one that rams.", optional=True),
        person(OTHER_DRIVER, "Other driver", _OTHER_DRIVER, optional=True),
        skill_check.check_fields(RAMMER),
        skill_check.check_fields(TARGET),
        target_fields(TARGET),
        target_fields(VEHICLE),
        fields(VEHICLE, hp_maximum=_HP_MAXIMUM),
        skill_check.check_fields(OTHER_DRIVER),
    )
    targets = {
        CHECK: "Check of the driver",
        DODGE: "Check of the one who dodges",
        "trauma.target": OF_AN_ATTACK["trauma.target"],
        **targets_of(_STRUCK, "trauma.bonus", "trauma.target"),
        **save_targets(EVASION, PHYSICAL, records=_STRUCK),
    }
    owners = {**owners_in(targets), DODGE: TARGET}
    measures = (
        chance("result", "Chance to ram it", "rammed", among=(RAMMED,)),
        *(one for one in AREA_MEASURES if one.id != "struck"),
    )
    inner = targets.keys() - {CHECK, DODGE}

    def numbers(self, it: Attempt) -> None:
        facts, on_wheels = it.facts, bool(it.facts.get(f"{TARGET}.machine"))
        row = row_of(it.lookup, "ramming", "vehicle" if on_wheels else "person")
        certain = (f"{VEHICLE}.machine", "attack.lethal", "attack.pierces", "weapon.wrecks_machines")
        facts |= dict.fromkeys(certain, True)
        facts |= {f"weapon.{name}": row[name] for name in ("trauma_die", "trauma_rating")}
        damage = facts.get(f"{VEHICLE}.hp_maximum", facts.get(f"{VEHICLE}.hp"))
        if damage is None:
            it.faults.need(f"{VEHICLE}.hp_maximum", "the maximum hit points of the vehicle that rams")
        it.shown["ram_damage"] = damage
        skill_check.number_of_check(it, CHECK, RAMMER, _DRIVE, _DEXTERITY)
        if not on_wheels:
            skill_check.number_of_check(it, DODGE, TARGET, _EXERT, _DEXTERITY)
        elif has_record(facts, OTHER_DRIVER):  # nobody drives one at rest
            skill_check.number_of_check(it, DODGE, OTHER_DRIVER, _DRIVE, _DEXTERITY)
        it.plan = strike_all(it, Threat(True, row["save"] or ""), _STRUCK if on_wheels else (TARGET,))

    def first(self, it: Attempt) -> Stage:
        damage = int(it.shown["ram_damage"] or 0)
        area = flat_damage(damage, NOTHING)
        blows = tuple((one.value.who, strike(area, one, damage)) for one in it.plan)
        if DODGE not in it.made:
            return rammed(blows)
        dodger = OTHER_DRIVER if it.facts.get(f"{TARGET}.machine") else TARGET
        ties = skill_check.wins_ties(it.facts, RAMMER, dodger)
        return Ramming(it.total(CHECK), dodger, it.total(DODGE), ties, blows)


def rammed(blows: tuple[tuple[str, Stage], ...]) -> Fork:
    """The fork: the ramming itself, and what it does to each."""
    return Fork((("ram", RamEnd(RAMMED)), *blows))


class Ramming(Waiting, kind="cwn.ramming"):
    """Waits for the driver's check.

    Attributes:
        dodger: the record of the one who opposes it, with `dodge` added to the dice.
        ties: the driver wins a tie.
        blows: what follows, by the records of those who are struck.
    """

    bonus: int
    dodger: str
    dodge: int
    ties: bool
    blows: tuple[tuple[str, Any], ...]
    awaits = rolls("check", RAMMER, lambda self: Total(skill_check.CHECK_DICE, self.bonus))

    def against(self, total: int) -> Total:
        """The check of the dodger against a total."""
        return skill_check.opposing(self.dodge, total, self.ties)

    def advance(self, answer: Any) -> Stage:
        return Dodging(self, answer)


class Dodging(Waiting, kind="cwn.ram-dodging"):
    """Waits for the check of the one who dodges a driver with this total."""

    ramming: Ramming
    total: int
    awaits = rolls("dodge", lambda self: self.ramming.dodger, lambda self: self.ramming.against(self.total))
    reports = (("ram_total", "total"),)

    def advance(self, answer: Any) -> Stage:
        return RamEnd(AVOIDED) if answer else rammed(self.ramming.blows)


class RamEnd(Outcome, kind="cwn.ram-end"):
    """Whether it came to it: `RAMMED` or `AVOIDED`. The driver has kept the vehicle on course meanwhile."""

    result: str
    reports = ("result",)

    def effects(self) -> tuple[Effect, ...]:
        return keeps_going(VEHICLE)
