"""A crash at speed, and a vehicle that nobody keeps on course (rulebook section 13.2).

Everybody aboard makes a Physical and a Luck save. One failed costs half the maximum hit points, both leave somebody
Mortally Wounded with a Major Injury, for which nobody saves again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.fields import fields, flag, text, vocabulary
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tally import Tally
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.attacks.attack import HARM_MEASURES
from fracas.rulesets.cwn.checks.saves import (
    LUCK,
    PHYSICAL,
    missing_for_save,
    save_name,
    save_roll,
    save_tally,
    save_targets,
)
from fracas.rulesets.cwn.harms.harm import MORTALLY_WOUNDED, NOBODY_DOWN, Hurt, fall_of
from fracas.rulesets.cwn.harms.major_injury import (
    ABSORBED,
    Injury,
    Risk,
    after_harm,
    risk_of,
)
from fracas.rulesets.cwn.machines.aboard import (
    OCCUPANT_RECORDS,
    OCCUPANTS,
    UNDER_WAY,
    VEHICLE,
    VEHICLE_RECORD,
    occupant_fields,
    occupants,
)
from fracas.rulesets.cwn.machines.driving import keeps_going

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


class CrashProcedure:
    """Two saves of everybody aboard."""

    id = "crash"
    label = "Crash"
    doc = "A Physical and a Luck save of all aboard; of a vehicle out of control first a Luck save that averts it."
    vocabulary = CRASH
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = save_targets(PHYSICAL, LUCK, records=OCCUPANTS)
    measures = (
        Measure("crash", "Chance to crash", lambda facts: float(facts.get("result") == CRASHED)),
        *(one for one in HARM_MEASURES if one.id in ("hp-loss", "down", "dead", "injury")),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        faults = Faults()
        people = occupants(facts)
        if not people:
            faults.need("victim_1", "a passenger")
        for who in people:
            for kind in (PHYSICAL, LUCK):
                for path, what in missing_for_save(facts, who, kind):
                    faults.need(path, what)
            if f"{who}.hp" not in facts:
                faults.need(f"{who}.hp", "the hit points left")
        faults.check()
        numbers = {
            save_name(kind, who): save_tally(asked, facts, who, kind, record=who)
            for who in people
            for kind in (PHYSICAL, LUCK)
        }

        def first(numbers: Mapping[str, Tally]) -> Stage:
            aboard = tuple(share(_occupant(asked, facts, who, numbers)) for who in people)
            if not facts.get("crash.uncontrolled"):
                return crashing(aboard)
            at_wheel = next((who for who in people if facts.get(f"{who}.drives")), people[0])
            return Swerve(at_wheel, numbers[save_name(LUCK, at_wheel)].total, aboard)

        def rebuild(changed: Tally) -> Stage:
            return first({**numbers, changed.to: changed})

        return Prepared(first(numbers), tuple(numbers.values()), (), {}, rebuild)


def _occupant(asked: Asked, facts: Mapping[str, Any], who: str, numbers: Mapping[str, Tally]) -> Occupant:
    most, up = facts.get(f"{who}.hp_maximum", facts[f"{who}.hp"]), asked.options["half_rounding"] == "up"
    physical, luck = (numbers[save_name(kind, who)].total for kind in (PHYSICAL, LUCK))
    risk, _ = risk_of(asked, facts, who, who)
    fall = fall_of(facts, who, lethal=True)
    return Occupant(
        who, physical, luck, facts[f"{who}.hp"], (most + up) // 2, fall, risk._replace(save=physical)
    )


class Swerve(Waiting, kind="cwn.swerve"):
    """Waits for the Luck save of `who`, which averts the crash."""

    who: str
    target: int
    aboard: tuple[Shared[Occupant], ...]

    @property
    def awaits(self) -> Awaited:
        return save_roll("control", self.who, self.target)

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
        return save_roll("physical", self.one.value.who, self.one.value.physical)

    def advance(self, answer: Any) -> Stage:
        return SecondSave(self.one, answer)


class SecondSave(Waiting, kind="cwn.crash-luck"):
    """Waits for the Luck save; `saved`: the Physical one was made."""

    one: Shared[Occupant]
    saved: bool

    @property
    def awaits(self) -> Awaited:
        return save_roll("luck", self.one.value.who, self.one.value.luck)

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
