"""Ramming somebody, or another vehicle (rulebook section 13.2); the numbers stand in the table ``ramming``.

Two readings: both vehicles suffer the maximum hit points of the one that rams, each with a Trauma Die of its own; and
no vehicle is immune to another, whatever its Armor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import person, vocabulary
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.required import Faults, has_record
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Facts, Fork, Roll, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Tally
from fracas.rulesets.cwn.areas.area_stages import NOTHING, strike
from fracas.rulesets.cwn.areas.area_victims import Exposed, Threat, exposed, missing_of
from fracas.rulesets.cwn.areas.blast import area_measures
from fracas.rulesets.cwn.attacks.attack_vocabulary import target_fields
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.checks.saves import EVASION, PHYSICAL, save_targets
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE, check_fields, check_tally, is_won
from fracas.rulesets.cwn.machines.aboard import VEHICLE, flat_damage, hp_maximum
from fracas.rulesets.cwn.machines.driving import keeps_going

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
OWNERS: Mapping[str, str] = {
    CHECK: DRIVER,
    DODGE: "target",
    **{f"{who}.trauma.bonus": DRIVER for who in _STRUCK},
    **{f"{who}.trauma.target": who for who in _STRUCK},
    **{to: to.partition(".")[0] for to in save_targets(EVASION, PHYSICAL, records=_STRUCK)},
}
"""Whose number each tally is, as a record."""
_PERSON = "A combatant of the packs, or fields of one, or both."

RAM = vocabulary(
    person(DRIVER, "Driver", _PERSON),
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


class RamProcedure:
    """Opposed checks; whoever is struck suffers the vehicle's maximum hit points."""

    id = "ram"
    label = "Ram"
    doc = "Dexterity and Drive against the one who dodges, then an Evasion save of a person; two vehicles both suffer."
    vocabulary = RAM
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("rammed", "Chance to ram it", lambda facts: float(facts.get("result") == RAMMED)),
        *(one for one in area_measures() if one.id != "struck"),
    )

    def prepare(self, asked: Asked) -> Prepared:
        said = asked.said.facts
        refusals = asked.rules.refusals(said)
        if refusals:
            return Prepared(None, (), refusals)
        on_wheels = bool(said.get(f"{TARGET}.machine"))
        row = row_of(asked.catalog, "ramming", "vehicle" if on_wheels else "person")
        facts = {
            **said,
            f"{VEHICLE}.machine": True,
            "attack.lethal": True,
            "attack.pierces": True,
            "weapon.trauma_die": row["trauma_die"],
            "weapon.trauma_rating": row["trauma_rating"],
            "weapon.wrecks_machines": True,
        }
        struck = _STRUCK if on_wheels else (TARGET,)
        damage, found = _exposed(asked, facts, struck, row["save"])
        own = check_tally(asked, facts, DRIVER, CHECK, TARGETS[CHECK], skills=_DRIVE, attributes=_DEXTERITY)
        other = _dodging(asked, facts, on_wheels)
        numbers = (own, *((other,) if other else ()))
        dodger = OTHER_DRIVER if on_wheels else TARGET
        area = flat_damage(damage, NOTHING)
        blows = tuple((one.victim.value.who, strike(area, one.victim, damage)) for one in found)
        wins = is_won(0, 0, facts.get(f"{DRIVER}.player"), facts.get(f"{dodger}.player"))

        def first(own: Tally, other: Tally | None = None) -> Stage:
            if other is None:
                return rammed(blows)
            return Ramming(own.total, dodger, other.total, wins, blows)

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to not in (CHECK, DODGE):
                return None
            return first(*(changed if one.to == changed.to else one for one in numbers))

        tallies = (*numbers, *(tally for one in found for tally in one.tallies))
        return Prepared(first(*numbers), tallies, (), {"ram_damage": damage}, rebuild)


def _exposed(
    asked: Asked, facts: dict[str, Any], struck: Sequence[str], save: str | None
) -> tuple[int, list[Exposed]]:
    """The damage, and everybody who suffers it.

    Raises:
        InputError: what is needed is missing.
    """
    faults = Faults()
    damage = facts.get(f"{VEHICLE}.hp_maximum", facts.get(f"{VEHICLE}.hp"))
    if damage is None:
        faults.need(f"{VEHICLE}.hp_maximum", "the maximum hit points of the vehicle that rams")
    threat = Threat(True, save or "", None, False, ())
    seen = {who: missing_of(facts, who, threat, faults) for who in struck}
    faults.check()
    return int(damage or 0), [exposed(asked, facts, seen[who], who, threat) for who in struck]


def _dodging(asked: Asked, facts: Mapping[str, Any], on_wheels: bool) -> Tally | None:
    """The check of a person, or of the other driver; None for a vehicle that nobody drives.

    Raises:
        InputError: what it needs is missing.
    """
    who, skills = (OTHER_DRIVER, _DRIVE) if on_wheels else (TARGET, _EXERT)
    if on_wheels and not has_record(facts, who):
        return None
    return check_tally(asked, facts, who, DODGE, TARGETS[DODGE], skills=skills, attributes=_DEXTERITY)


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

    @property
    def awaits(self) -> Awaited:
        return Roll(("check",), (DRIVER,), Total(CHECK_DICE, self.bonus))

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
