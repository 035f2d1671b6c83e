"""Vehicles and those aboard: driving, losing control, crashes, and what a wreck does (rulebook section 13.2, R20).

A vehicle that somebody has in motion is ``under-way``. Whoever drives it again puts off the moment at which it goes
out of control: the end of the next round. In a crash everybody aboard makes a Physical and a Luck save: one failed
costs half the maximum hit points, both leave somebody Mortally Wounded with a Major Injury, for which nobody saves
again. Of a vehicle that is destroyed all suffer what it suffered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.fields import fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.areas.area_stages import HALF, Area, strike
from fracas.rulesets.cwn.areas.area_victims import Threat, people_of, strike_all
from fracas.rulesets.cwn.areas.blast import AREA_MEASURES
from fracas.rulesets.cwn.attacks.attack import HARM_MEASURES
from fracas.rulesets.cwn.attacks.attack_vocabulary import VICTIMS, target_fields
from fracas.rulesets.cwn.checks import saves
from fracas.rulesets.cwn.harms.harm import MORTALLY_WOUNDED, NOBODY_DOWN, Hurt, fall_of
from fracas.rulesets.cwn.harms.major_injury import ABSORBED, Injury, Risk, after_harm, risk_of

VEHICLE = "vehicle"
OCCUPANTS = VICTIMS
"""The records of those aboard; of more people, the rest come in another step."""
UNDER_WAY = "under-way"
"""The condition of a vehicle that somebody has in motion."""

VEHICLE_RECORD = person(VEHICLE, "Vehicle")
OCCUPANT_RECORDS = tuple(
    person(who, f"Occupant {number}", "Somebody aboard.", optional=True)
    for number, who in enumerate(OCCUPANTS, start=1)
)


def hp_maximum(who: str) -> tuple[Field, ...]:
    """The field of somebody's hit points when whole."""
    return fields(who, hp_maximum=whole("Hit points when whole", "Left out: the hit points left.", 1))


def occupant_fields() -> Iterator[Field]:
    for who in OCCUPANTS:
        yield from target_fields(who)
        yield from hp_maximum(who)
        yield from fields(who, drives=flag("At the wheel", "Left out: is not."))


def flat_damage(
    points: int, on_save: str = HALF, *, round_up: bool = False, soakable: bool = True
) -> Shared[Area]:
    """What strikes several people with damage that is settled before: nothing is rolled for it."""
    return share(Area(((0, 1),), points, True, False, on_save, round_up, soakable, None))


DRIVER = "driver"
LOSE_CONTROL = "lose-control"
"""The action that comes at the end of a round in which nobody has driven."""

DRIVE = vocabulary(
    Record(DRIVER, "Driver", "combatant"),
    VEHICLE_RECORD,
    Record("drive", "How it is done"),
    fields(DRIVER, name=text("Name", most=80)),
    fields(VEHICLE, name=text("Name", most=80)),
    fields("drive", stops=flag("Brings it to a stop", "Left out: keeps it in motion.")),
)


def keeps_going(vehicle: str) -> tuple[Effect, ...]:
    """The vehicle is in motion until the end of the next round, when it goes out of control unless somebody drives."""
    when = (("when", "turn-end"), ("turns", 1), ("while", UNDER_WAY))
    return (
        Effect("add-condition", vehicle, UNDER_WAY),
        Effect("schedule", vehicle, LOSE_CONTROL, None, when),
    )


class Drive(Procedure):
    """Keeps a vehicle on course for this round and the next, or brings it to a stop; nothing is rolled."""

    vocabulary = DRIVE
    measures = (chance("moving", "Whether it is in motion"),)

    def first(self, it: Attempt) -> Stage:
        return Driven(not it.facts.get("drive.stops"))


class Driven(Outcome, kind="cwn.driven"):
    """The vehicle is in motion now, or it is not."""

    moving: bool

    def notes(self) -> Facts:
        return {"moving": self.moving}

    def effects(self) -> tuple[Effect, ...]:
        return keeps_going(VEHICLE) if self.moving else (Effect("remove-condition", VEHICLE, UNDER_WAY),)


CRASHED, ON_COURSE = "crashed", "on-course"
FINE, BATTERED, BROKEN = "fine", "one-failed", "both-failed"

CRASH = vocabulary(
    VEHICLE_RECORD,
    *OCCUPANT_RECORDS,
    Record("crash", "The crash"),
    fields(VEHICLE, name=text("Name", most=80)),
    fields(
        "crash",
        uncontrolled=flag(
            "Out of control",
            "Nobody drove in this round: a Luck save of the one at the wheel, or else of the first aboard, keeps "
            "it from crashing.",
        ),
    ),
    occupant_fields(),
)


class Occupant(Part, kind="cwn.occupant"):
    """Somebody aboard.

    Attributes:
        who: the record.
        physical, luck: targets of the saves.
        hp, half: hit points left, and half of the maximum.
        fall: what becomes of him at 0 hit points.
    """

    who: str
    physical: int
    luck: int
    hp: int
    half: int
    fall: str
    risk: Risk


class Crash(Procedure):
    """A Physical and a Luck save of all aboard; of a vehicle out of control first a Luck save that averts it."""

    vocabulary = CRASH
    targets: Mapping[str, str] = saves.save_targets(saves.PHYSICAL, saves.LUCK, records=OCCUPANTS)
    measures = (
        chance("result", "Chance to crash", "crash", among=(CRASHED,)),
        *(one for one in HARM_MEASURES if one.id in ("hp-loss", "down", "dead", "injury")),
    )

    def numbers(self, it: Attempt) -> None:
        people = it.plan = people_of(it.facts, OCCUPANTS)
        if not people:
            it.faults.need("victim_1", "a passenger")
        for who in people:
            for kind in (saves.PHYSICAL, saves.LUCK):
                saves.number_of_save(it, who, kind)
            it.need(f"{who}.hp", "the hit points left")

    def first(self, it: Attempt) -> Stage:
        aboard = tuple(share(_occupant(it, who)) for who in it.plan)
        if not it.facts.get("crash.uncontrolled"):
            return crashing(aboard)
        at_wheel = next((who for who in it.plan if it.facts.get(f"{who}.drives")), it.plan[0])
        return Swerve(at_wheel, it.total(saves.save_name(saves.LUCK, at_wheel)), aboard)


def _occupant(it: Attempt, who: str) -> Occupant:
    facts, up = it.facts, it.options["half_rounding"] == "up"
    most = facts.get(f"{who}.hp_maximum", facts[f"{who}.hp"])
    physical, luck = (it.total(saves.save_name(kind, who)) for kind in (saves.PHYSICAL, saves.LUCK))
    risk, _ = risk_of(it.asked, facts, who, who)
    fall, risk = fall_of(facts, who, lethal=True), risk._replace(save=physical)
    return Occupant(who, physical, luck, facts[f"{who}.hp"], (most + up) // 2, fall, risk)


class Swerve(Waiting, kind="cwn.swerve"):
    """Waits for the Luck save of `who`, which averts the crash."""

    who: str
    target: int
    aboard: tuple[Shared[Occupant], ...]

    @property
    def awaits(self) -> Awaited:
        return saves.save_roll("control", self.who, self.target)

    def advance(self, answer: Any) -> Stage:
        return CrashEnd(ON_COURSE) if answer else crashing(self.aboard)


class CrashEnd(Outcome, kind="cwn.crash-end"):
    """What becomes of the vehicle: `CRASHED`, or `ON_COURSE` by luck."""

    result: str

    def notes(self) -> Facts:
        return {"result": self.result}

    def effects(self) -> tuple[Effect, ...]:
        if self.result == ON_COURSE:
            return keeps_going(VEHICLE)
        return (Effect("remove-condition", VEHICLE, UNDER_WAY),)


def crashing(aboard: tuple[Shared[Occupant], ...]) -> Fork:
    """The fork: the vehicle, and everybody aboard."""
    people = tuple((one.value.who, FirstSave(one)) for one in aboard)
    return Fork((("crash", CrashEnd(CRASHED)), *people))


class FirstSave(Waiting, kind="cwn.crash-save"):
    """Waits for the Physical save of somebody aboard."""

    one: Shared[Occupant]

    @property
    def awaits(self) -> Awaited:
        return saves.save_roll("physical", self.one.value.who, self.one.value.physical)

    def advance(self, answer: Any) -> Stage:
        return SecondSave(self.one, answer)


class SecondSave(Waiting, kind="cwn.crash-luck"):
    """Waits for the Luck save; `saved`: the Physical one was made."""

    one: Shared[Occupant]
    saved: bool

    @property
    def awaits(self) -> Awaited:
        return saves.save_roll("luck", self.one.value.who, self.one.value.luck)

    def advance(self, answer: Any) -> Stage:
        one = self.one.value
        if answer and self.saved:
            return Thrown(FINE, one.who, Hurt(0, 0, 0, one.hp, NOBODY_DOWN))
        if answer or self.saved:
            down = one.fall if one.half >= one.hp else NOBODY_DOWN
            return after_harm(
                Thrown(BATTERED, one.who, Hurt(one.half, 0, one.half, one.hp, down)), one.who, one.risk
            )
        return _broken(Thrown(BROKEN, one.who, Hurt(one.hp, 0, one.hp, one.hp, one.fall)), one)


def _broken(end: Thrown, one: Occupant) -> Stage:
    """Whoever survives has a Major Injury, without a save."""
    if end.hurt.down != MORTALLY_WOUNDED or one.risk.exempt:
        return end
    if one.risk.absorbs:
        return end._replace(hurt=end.hurt._replace(injury=ABSORBED, injured=ABSORBED))
    return Injury(end, one.who, one.risk)


class Thrown(Outcome, kind="cwn.crash-thrown"):
    """What the crash did to somebody: `FINE`, `BATTERED` or `BROKEN`."""

    result: str
    who: str
    hurt: Hurt

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result}
        return facts | self.hurt.facts()

    def effects(self) -> tuple[Effect, ...]:
        return tuple(self.hurt.effects(self.who))


_INFLICTED = f"{VEHICLE}.wreck_damage"

WRECK = vocabulary(
    VEHICLE_RECORD,
    *OCCUPANT_RECORDS,
    fields(
        VEHICLE,
        name=text("Name", most=80),
        wreck_damage=whole("Damage that destroyed it", "Of the last blow, after Armor (R20).", example=18),
    ),
    occupant_fields(),
)


class VehicleDestroyed(Procedure):
    """All aboard suffer the damage that the vehicle took after Armor; a Luck save halves it."""

    vocabulary = WRECK
    targets: Mapping[str, str] = saves.save_targets(saves.LUCK, saves.PHYSICAL, records=OCCUPANTS)
    measures: Sequence[Measure] = AREA_MEASURES
    inner: Collection[str] = targets

    def numbers(self, it: Attempt) -> None:
        it.facts["attack.lethal"] = True
        people = people_of(it.facts, OCCUPANTS)
        if not people:
            it.faults.need("victim_1", "a passenger")
        it.need(_INFLICTED, "the damage that destroyed the vehicle, after Armor")
        it.plan = strike_all(it, Threat(True, saves.LUCK), people)

    def first(self, it: Attempt) -> Stage:
        damage = it.facts[_INFLICTED]
        area = flat_damage(damage, round_up=it.options["half_rounding"] == "up")
        return Fork(tuple((one.value.who, strike(area, one, damage)) for one in it.plan))
