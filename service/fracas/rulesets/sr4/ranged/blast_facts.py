"""What a request may say of an attack with a blast, and what follows from it.

Rulebook sections 8.1 (ranges), 8.6 (recoil) and 8.11 (scatter and fall-off). The attack is a ranged attack, so that
every modifier of its numbers counts here too; whom the blast reaches is said in records of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.fields import choice, fields, flag, number, person, vocabulary, whole
from fracas.kernel.required import has_record, report_missing
from fracas.kernel.ruleset import Asked
from fracas.kernel.tables import rows_of
from fracas.kernel.turns import NEXT_PART, TURN_BEGIN, TURN_END
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4.harms.harm import Damage
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK
from fracas.rulesets.sr4.ranged.shot import (
    damage_of,
    derive_aim,
    derive_plain,
    needed_of_strength,
    needed_to_attack,
    needed_to_defend,
    shocks,
)
from fracas.rulesets.sr4.sheet import derive_losses
from fracas.rulesets.sr4.vocabulary import combatant_fields

VICTIMS = tuple(f"victim_{number}" for number in range(1, 7))
"""The records of people in reach of the blast, beside the target."""

AT_PLACE, AT_TARGET, GOES_OFF = "place", "target", "goes-off"
ON_IMPACT = "impact"
FUSES = (ON_IMPACT, NEXT_PART, TURN_BEGIN, TURN_END)
AIMS = (AT_PLACE, AT_TARGET, GOES_OFF)
SCATTERS = ("standard", "aerodynamic", "launcher", "missile", "rocket")


def _where(who: str) -> Iterator[Field]:
    """How far somebody is from the blast, measured."""
    yield from fields(
        who,
        blast_distance=number(
            "Distance from the blast",
            "Metres, measured where it goes off; scatter does not change it any more.",
            most=10_000,
            example=2,
        ),
        rebound=number(
            "Way of the rebound",
            "Metres from the blast to a wall and back to here; what is left of it adds up.",
            most=10_000,
        ),
    )


def _victim(who: str) -> Iterator[Field]:
    yield from combatant_fields(who)
    yield from fields(
        who,
        soak_bonus=whole("Resistance bonus", "Dice of Toughness, bone lacing and the like.", most=50),
        distance=number(
            "Distance from the spot aimed at",
            "Metres; with scatter the distance from the blast follows.",
            most=10_000,
            example=3,
        ),
        bearing=number(
            "Bearing from the spot aimed at",
            "Degrees: 0 is beyond it as the attacker sees it, 90 to the right, 180 on this side of it.",
            most=360,
            example=90,
        ),
    )
    yield from _where(who)


BLAST_ATTACK = vocabulary(
    *(record for record in RANGED_ATTACK.records.values() if record.path != "barrier"),
    *(
        person(who, f"Victim {number}", "Somebody in reach of the blast, beside the target.")
        for number, who in enumerate(VICTIMS, start=1)
    ),
    (field for field in RANGED_ATTACK.fields.values() if not field.path.startswith("barrier.")),
    _where("target"),
    (field for who in VICTIMS for field in _victim(who)),
    fields(
        "",
        aim=choice(
            "Aimed at",
            "A place, a target who defends, or nothing: it lies there and goes off. "
            "If left out: the target where one is given, a place otherwise.",
            choices=AIMS,
        ),
        scatter=choice(
            "Scatter", "Whose dice scatter it; follows from the weapon if left out.", choices=SCATTERS
        ),
        fuse=choice(
            "Fuse",
            "When it goes off: on impact (or by airburst), at one's Initiative Score in the next "
            "pass, or as a Combat "
            "Turn begins or ends. With a fuse nobody is in reach yet.",
            choices=FUSES,
        ),
        fuse_turns=whole("Turns of the fuse", "So many Combat Turns later.", most=1000),
        airburst=flag("Airburst link", "Each hit takes 2 m off the scatter instead of 1."),
        sensor=whole("Sensor rating", "Of a missile: metres less of scatter.", most=50),
    ),
    fields(
        "weapon",
        blast_falloff=whole(
            "Fall-off",
            "Boxes less for each started metre; of what explodes, where no ammunition says it.",
            most=100,
        ),
        blast_radius=number(
            "Radius",
            "Metres that the blast reaches; as far as anything is left of the damage if left out.",
            most=1000,
        ),
    ),
)


_PER_HIT, _PER_HIT_AIRBURST = 1, 2
_ROCKET_CATEGORIES = ("missile-launcher",)
_LAUNCHER_CATEGORIES = ("grenade-launcher", "underbarrel-launcher", "cyber-gun")


class Explosive(NamedTuple):
    """What goes off.

    Attributes:
        damage: DV and armor penetration at the center; None for what does no damage, such as smoke.
        falloff: boxes less for each started metre.
        radius: metres it reaches; None: as far as anything is left of the damage.
    """

    damage: Damage | None
    falloff: int
    radius: float | None


class Scattering(NamedTuple):
    """How far from the spot aimed at it may land.

    Attributes:
        dice: six-sided dice of metres.
        per_hit: metres less for each net hit.
        less: metres less at any rate.
        around: degrees that each face of the die for the direction stands for; 0 is beyond the spot.
    """

    dice: int
    per_hit: int
    less: int
    around: tuple[int, ...]


def derive(asked: Asked) -> dict[str, Any]:
    """The facts said, and those that follow from them. What cannot be told is absent.

    Raises:
        InputError: the request lacks something that the rule cannot do without.
    """
    facts = dict(asked.said.facts)
    given = has_record(facts, "target")
    facts.setdefault("aim", AT_TARGET if given else AT_PLACE)
    facts["fire.area"] = True
    facts["called_shot.armor"], facts["armor.raisable"] = 0, False
    derive_plain(facts)
    _require(facts)
    derive_losses(facts, asked.options, "attacker", "target")
    if facts["aim"] == GOES_OFF:  # whatever was said of a shot, none is fired
        for name in ("distance", "weapon.rounds", "fire.mode"):
            facts.pop(name, None)
    else:
        _derive_shot(facts, asked)
    return facts


def victims_of(facts: Mapping[str, Any]) -> list[str]:
    """The records of everybody whom the blast may reach; while a fuse burns, nobody."""
    if fuse_of(facts) is not None:
        return []
    near = facts["aim"] == GOES_OFF and has_record(facts, "target")
    target = ["target"] if near or facts["aim"] == AT_TARGET or "target.blast_distance" in facts else []
    others = [who for who in VICTIMS if has_record(facts, who)]
    return target + others


def fuse_of(facts: Mapping[str, Any]) -> tuple[str, int] | None:
    """When what is thrown or fired goes off, and how many turns later; None for at once."""
    fuse = facts.get("fuse", ON_IMPACT)
    return None if fuse == ON_IMPACT or facts["aim"] == GOES_OFF else (fuse, facts.get("fuse_turns", 0))


def explosive_of(facts: Mapping[str, Any]) -> Explosive:
    """What goes off, by the ammunition or else by the weapon's own figures."""
    ammunition = facts.get("weapon.ammunition")
    loaded: Mapping[str, Any] = ammunition.data if ammunition else {}
    falloff = facts.get("weapon.blast_falloff", loaded.get("blast_falloff", 0))
    radius = facts.get("weapon.blast_radius", loaded.get("blast_radius"))
    if "weapon.dv" not in facts and "dv" not in loaded:
        return Explosive(None, falloff, radius)
    unsaid = {"weapon.dv": 0, "weapon.ap": 0, "weapon.damage": "physical", "weapon.armor_kind": "impact"}
    if "weapon.dv" in facts:  # of what is in hand, such as a charge of known size: no warhead replaces it
        facts = {name: fact for name, fact in facts.items() if name != "weapon.ammunition"}
    return Explosive(damage_of({**unsaid, **facts})._replace(armor_kind="impact"), falloff, radius)


def scattering_of(facts: Mapping[str, Any], asked: Asked) -> Scattering:
    """How the weapon scatters under these house rules."""
    kind = facts.get("scatter") or _kind(facts)
    per_hit = _PER_HIT_AIRBURST if facts.get("airburst") else _PER_HIT
    around = tuple(int(row["degrees"]) for row in rows_of(asked.catalog, "scatter-direction").values())
    return Scattering(asked.options[f"scatter_dice_{kind}"], per_hit, facts.get("sensor", 0), around)


def _kind(facts: Mapping[str, Any]) -> str:
    """Whose dice scatter it; a missile is a rocket with a sensor."""
    category = facts.get("weapon.category")
    if category in _ROCKET_CATEGORIES:
        return "missile" if "sensor" in facts else "rocket"
    if category in _LAUNCHER_CATEGORIES:
        return "launcher"
    table = facts.get("weapon.range")
    return "aerodynamic" if table is not None and table.slug == "grenade-aerodynamic" else "standard"


def _derive_shot(facts: dict[str, Any], asked: Asked) -> None:
    """One round, fired or thrown. What is thrown has no recoil."""
    modes = facts.get("weapon.modes", ())
    facts.setdefault("fire.mode", "semi-automatic" if "SA" in modes and "SS" not in modes else "single-shot")
    facts |= {"fire.rounds": 1, "fire.length": "shot", "fire.burst_bonus": 0, "recoil.own": 0}
    facts["recoil.factor"] = facts.get("weapon.recoil_factor", 1)
    before = facts.get("attacker.rounds_before")
    if before is not None and facts.get("weapon.feed") != "none":
        flat = asked.options["recoil"] == "flat"
        facts["recoil.phase"] = int(bool(facts.get("attacker.bursts_before", before))) if flat else before
    derive_aim(facts, asked)


def _require(facts: Mapping[str, Any]) -> None:
    """Check everything that the rule needs, at once."""
    people = victims_of(facts)
    early = [who for who in VICTIMS if has_record(facts, who)]
    if early and fuse_of(facts) is not None:
        message = "with a fuse nobody is in reach yet: say who is when it goes off"
        raise InputError.one(f"situation.{early[0]}", "too-early", message)
    needed = [*_needed_to_attack(facts), *(need for who in people for need in _needed_to_resist(facts, who))]
    missing = [*_missing_to_explode(facts), *((path, what) for path, what in needed if path not in facts)]
    if facts["aim"] == GOES_OFF and not people:
        missing.append(("victim_1", "a combatant in reach of what goes off"))
    report_missing(missing, facts)


def _needed_to_attack(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if facts["aim"] != GOES_OFF:
        yield from needed_to_attack(facts)
    if facts["aim"] == AT_TARGET:
        yield from needed_to_defend(facts)
    yield from needed_of_strength(facts)


def _missing_to_explode(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    ammunition = facts.get("weapon.ammunition")
    explodes = ammunition is not None and ("blast_radius" in ammunition.data or "delivers" in ammunition.data)
    if not explodes and "weapon.blast_falloff" not in facts:
        yield "weapon.ammunition", "a grenade or warhead | weapon.blast_falloff"
    elif not explodes and "weapon.dv" not in facts:
        yield "weapon.dv", "the Damage Value at the center"


def _needed_to_resist(facts: Mapping[str, Any], who: str) -> Iterator[tuple[str, str]]:
    yield f"{who}.body", "Body of everybody in reach of the blast"
    if facts.get(f"{who}.vehicle"):
        yield f"{who}.vehicle_armor", "the armor of the vehicle, 0 for none"
    elif f"{who}.impact" not in facts:
        yield f"{who}.armor", "the armor worn: a list of pieces (empty for none) or impact"
    if shocks(facts) and not facts.get(f"{who}.vehicle"):
        yield f"{who}.willpower", "Willpower of everybody in reach, for the after-effect of electricity"
    if f"{who}.blast_distance" in facts or (who == "target" and facts["aim"] == AT_TARGET):
        return
    if f"{who}.distance" not in facts or facts["aim"] == GOES_OFF:
        yield f"{who}.blast_distance", "the distance from the blast, or distance from the spot aimed at"
    elif facts[f"{who}.distance"] > 0:
        yield f"{who}.bearing", f"where from the spot aimed at, in degrees | {who}.blast_distance"
