"""Ramming somebody, or another vehicle (rulebook section 13.2); the numbers stand in the table ``ramming``.

Two readings: both vehicles suffer the maximum hit points of the one that rams, each with a Trauma Die of its own; and
no vehicle is immune to another, whatever its Armor.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import person, vocabulary
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.stage import Awaited, Effect, Facts, Fork, Roll, Stage
from fracas.kernel.tables import row_of
from fracas.rulesets.cwn.areas.area_stages import NOTHING, strike
from fracas.rulesets.cwn.areas.area_victims import Threat, strike_all
from fracas.rulesets.cwn.areas.blast import AREA_MEASURES
from fracas.rulesets.cwn.attacks.attack_vocabulary import target_fields
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.attacks.numbers import owners_in
from fracas.rulesets.cwn.checks.saves import EVASION, PHYSICAL, save_targets
from fracas.rulesets.cwn.checks.skill_check import CHECK_DICE, check_fields, is_won, number_of_check
from fracas.rulesets.cwn.machines.vehicles import VEHICLE, flat_damage, hp_maximum, keeps_going

DRIVER, TARGET, OTHER_DRIVER = "attacker", "target", "other_driver"
CHECK, DODGE = "ram.check", "ram.dodge"
RAMMED, AVOIDED = "rammed", "avoided"
_STRUCK = (TARGET, VEHICLE)
_DRIVE, _EXERT, _DEXTERITY = ("drive",), ("exert",), ("dexterity",)

TARGETS = {
    CHECK: "Check of the driver",
    DODGE: "Check of the one who dodges",
    "trauma.target": OF_AN_ATTACK["trauma.target"],
    **{
        f"{who}.{to}": f"{who.capitalize()}: {OF_AN_ATTACK[to].lower()}"
        for who in _STRUCK
        for to in ("trauma.bonus", "trauma.target")
    },
    **save_targets(EVASION, PHYSICAL, records=_STRUCK),
}

RAM = vocabulary(
    person(DRIVER, "Driver"),
    person(TARGET, "Target", "Somebody on foot, or another vehicle."),
    person(VEHICLE, "Vehicle", "The one that rams.", optional=True),
    person(
        OTHER_DRIVER, "Other driver", "Of a vehicle that is rammed; nobody for one at rest.", optional=True
    ),
    check_fields(DRIVER),
    check_fields(TARGET),
    target_fields(TARGET),
    target_fields(VEHICLE),
    hp_maximum(VEHICLE),
    check_fields(OTHER_DRIVER),
)


class Ram(Procedure):
    """Dexterity and Drive against the one who dodges, then an Evasion save of a person; two vehicles both suffer."""

    vocabulary = RAM
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = {**owners_in(TARGETS), DODGE: TARGET}
    measures = (
        chance("result", "Chance to ram it", "rammed", among=(RAMMED,)),
        *(one for one in AREA_MEASURES if one.id != "struck"),
    )
    inner: Collection[str] = TARGETS.keys() - {CHECK, DODGE}

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        on_wheels = bool(facts.get(f"{TARGET}.machine"))
        row = row_of(it.catalog, "ramming", "vehicle" if on_wheels else "person")
        facts |= {
            f"{VEHICLE}.machine": True,
            "attack.lethal": True,
            "attack.pierces": True,
            "weapon.trauma_die": row["trauma_die"],
            "weapon.trauma_rating": row["trauma_rating"],
            "weapon.wrecks_machines": True,
        }
        damage = facts.get(f"{VEHICLE}.hp_maximum", facts.get(f"{VEHICLE}.hp"))
        if damage is None:
            it.faults.need(f"{VEHICLE}.hp_maximum", "the maximum hit points of the vehicle that rams")
        it.shown["ram_damage"] = damage
        number_of_check(it, CHECK, DRIVER, _DRIVE, _DEXTERITY)
        if not on_wheels:
            number_of_check(it, DODGE, TARGET, _EXERT, _DEXTERITY)
        elif has_record(facts, OTHER_DRIVER):  # nobody drives one at rest
            number_of_check(it, DODGE, OTHER_DRIVER, _DRIVE, _DEXTERITY)
        it.plan = strike_all(it, Threat(True, row["save"] or ""), _STRUCK if on_wheels else (TARGET,))

    def first(self, it: Attempt) -> Stage:
        damage = int(it.shown["ram_damage"] or 0)
        area = flat_damage(damage, NOTHING)
        blows = tuple((one.value.who, strike(area, one, damage)) for one in it.plan)
        if DODGE not in it.made:
            return rammed(blows)
        dodger = OTHER_DRIVER if it.facts.get(f"{TARGET}.machine") else TARGET
        ties = is_won(0, 0, it.facts.get(f"{DRIVER}.player"), it.facts.get(f"{dodger}.player"))
        return Ramming(it.total(CHECK), dodger, it.total(DODGE), ties, blows)


def rammed(blows: tuple[tuple[str, Stage], ...]) -> Fork:
    """The fork: the ramming itself, and what it does to each."""
    return Fork((("ram", RamEnd(RAMMED)), *blows))


class Ramming(Waiting, kind="cwn.ramming"):
    """Waits for the driver's check.

    Attributes:
        dodger: the record of whoever opposes it, with `dodge` added to the dice.
        ties: the driver wins a tie.
        blows: what follows, by the records of those who are struck.
    """

    bonus: int
    dodger: str
    dodge: int
    ties: bool
    blows: tuple[tuple[str, Any], ...]

    awaits = rolls("check", DRIVER, lambda self: Total(CHECK_DICE, self.bonus))

    def advance(self, answer: Any) -> Stage:
        return Dodging(self, answer)


class Dodging(Waiting, kind="cwn.ram-dodging"):
    """Waits for the check of whoever dodges a driver with this total."""

    ramming: Ramming
    total: int

    @property
    def awaits(self) -> Awaited:
        one = self.ramming
        least = self.total + (1 if one.ties else 0)
        return Roll(("dodge",), (one.dodger,), Total(CHECK_DICE, one.dodge, least))

    def advance(self, answer: Any) -> Stage:
        return RamEnd(AVOIDED) if answer else rammed(self.ramming.blows)

    def notes(self) -> Facts:
        return {"ram_total": self.total}


class RamEnd(Outcome, kind="cwn.ram-end"):
    """Whether it came to it: `RAMMED` or `AVOIDED`. The driver has kept the vehicle on course meanwhile."""

    result: str

    def notes(self) -> Facts:
        return {"result": self.result}

    def effects(self) -> tuple[Effect, ...]:
        return keeps_going(VEHICLE)
