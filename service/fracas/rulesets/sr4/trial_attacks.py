"""Shots and blows that put the entries of a Shadowrun 4 pack to use: somebody, something to do it with, and how.

How Shadowrun 4 weapons are compared: one attack of somebody trained with each, against rising armor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Comparison, Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK

Situation = dict[str, Any]

SINGLE_SHOT = {"mode": "single-shot"}
FIRES: Mapping[str, Sequence[Mapping[str, str]]] = {
    "SS": (SINGLE_SHOT,),
    "SA": ({"mode": "semi-automatic"},),
    "BF": ({"mode": "short-burst", "spread": "narrow"}, {"mode": "short-burst", "spread": "wide"}),
    "FA": (
        {"mode": "short-burst", "spread": "narrow"},
        {"mode": "long-burst", "spread": "narrow"},
        {"mode": "long-burst", "spread": "wide"},
        {"mode": "full-burst", "spread": "narrow"},
        {"mode": "full-burst", "spread": "wide"},
    ),
}
_BANDS = ("short", "medium", "long", "extreme")
_FARTHEST = RANGED_ATTACK.fields["distance"].most
NEAR = 3

_SHOOTER = {"agility": 4, "strength": 4, "intuition": 4, "skills": {}, "armor": [], "rounds_before": 0}
VICTIM = {"reaction": 3, "body": 3, "willpower": 3, "skills": {}, "armor": [], "physical": 0, "stun": 0}
WARHEAD = {"dv": 10, "damage": "physical", "ap": -2, "armor_kind": "impact"}
"""A high explosive grenade, for a launcher whose damage is that of what it fires."""
BLASTS = ("grenade", "missile")
"""What strikes an area, of the things that weapons fire."""


def shot(
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    weapon: Mapping[str, Any],
    fire: Mapping[str, Any] | None = None,
    distance: float = NEAR,
    more: Mapping[str, Any] | None = None,
) -> Trial:
    fire = FIRES[weapon["modes"][0]][0] if fire is None else fire
    said = {"attacker": dict(attacker), "target": dict(target), "weapon": dict(weapon), "fire": dict(fire)}
    return Trial("ranged-attack", {**said, "distance": distance, **(more or {})})


def blow(
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    weapon: str | Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> Trial:
    fighter = {name: value for name, value in attacker.items() if name != "rounds_before"}
    said = {"attacker": fighter, "target": dict(target), "weapon": weapon}
    return Trial("melee-attack", {**said, **(more or {})})


def first_of(catalog: Catalog, kind: str, *fields: str) -> PackEntry | None:
    """The first entry of a kind that says all of these."""
    return next(
        (entry for entry in catalog.entries(kind) if all(name in entry.data for name in fields)), None
    )


def some_attacker(catalog: Catalog) -> Situation:
    found = first_of(catalog, "combatant", "agility", "strength", "skills")
    return {"use": found.id, "rounds_before": 0} if found else dict(_SHOOTER)


def some_target(catalog: Catalog) -> Situation:
    found = first_of(catalog, "combatant", "reaction", "body", "willpower", "armor")
    return {"use": found.id} if found else dict(VICTIM)


def is_melee(weapon: PackEntry) -> bool:
    return "reach" in weapon.data


def load_of(weapon: PackEntry) -> Situation:
    """The weapon, with a warhead where what it fires does the damage."""
    if "fires" not in weapon.data:
        return {"use": weapon.id}
    return {name: value for name, value in WARHEAD.items() if name not in weapon.data} | {"use": weapon.id}


def ways_to_fire(weapon: PackEntry) -> list[Mapping[str, Any]]:
    """Every way to fire it; a single shot where its modes are not known."""
    modes = weapon.data.get("modes")
    known = [mode for mode in modes if mode in FIRES] if isinstance(modes, list) else []
    fires = [fire for mode in known for fire in FIRES[mode]] or [SINGLE_SHOT]
    area = {"area": True} if weapon.data.get("fires") in BLASTS else {}
    return [{**fire, **area} for at, fire in enumerate(fires) if fire not in fires[:at]]


def gun_taking(ammunition: PackEntry, catalog: Catalog) -> PackEntry | None:
    """The first weapon that takes this ammunition, as far as their words and names tell."""
    guns = [gun for gun in catalog.entries("weapon") if not is_melee(gun)]
    fits = ammunition.data.get("fits")
    for suits in (
        lambda gun: gun.data.get("ammunition") in (ammunition.slug, ammunition.id),
        lambda gun: fits is not None and gun.data.get("fires") == fits,
        lambda gun: fits is None and _category(gun) in ammunition.slug,
        lambda gun: fits is None and "FA" in gun.data.get("modes", ()),
        lambda gun: fits is None and gun.data.get("feed", "none") != "none",
    ):
        for gun in guns:
            if suits(gun):
                return gun
    return None


def _category(gun: PackEntry) -> str:
    return str(gun.data.get("category", "?"))


def bands_of(weapon: PackEntry, attacker: Mapping[str, Any], catalog: Catalog) -> list[float]:
    """The far end of each band of the weapon; a short way where it has no range table."""
    reference = weapon.data.get("range")
    table = catalog.entry("range", reference) if isinstance(reference, str) else None
    return distances_of(table.data, reach_of(attacker, weapon, catalog)) if table else [NEAR]


def reach_of(attacker: Mapping[str, Any], weapon: PackEntry | None, catalog: Catalog) -> int:
    """The Strength that carries a bow or a throw."""
    entry = catalog.entry("combatant", attacker["use"]) if "use" in attacker else None
    strength = (entry.data if entry else attacker).get("strength")
    most = weapon.data.get("minimum_strength") if weapon else None
    numbers = [number for number in (strength, most) if isinstance(number, int)]
    return min(numbers, default=1)


def distances_of(table: Mapping[str, Any], strength: int) -> list[float]:
    """The far end of each band that there is."""
    factor = strength if table.get("per_strength") else 1
    found: list[float] = []
    for limit in (table.get(band) for band in _BANDS):
        if not isinstance(limit, (int, float)):
            continue
        far = limit * factor
        if far > found[-1] if found else far >= table.get("minimum", 0):
            found.append(far)
    return [far for far in found if far <= _FARTHEST] or [NEAR]


_ATTACKER = {
    "agility": 4,
    "strength": 4,
    "reaction": 3,
    "intuition": 3,
    "body": 3,
    "willpower": 3,
    "armor": [],
    "rounds_before": 0,
}
_SKILL = 4
_STANDARD = (
    "Agility 4, Strength 4 and a skill of 4 attack Reaction 3, Body 3 and Willpower 3, without modifiers: at short "
    "range with the first of the weapon's firing modes, or hand to hand. The armor is ballistic and impact alike."
)


def _trial(weapon: PackEntry, armor: int, catalog: Catalog) -> Trial | None:
    """What strikes an area is aimed at a place, not at somebody."""
    data = weapon.data
    if data.get("fires") in BLASTS:
        return None
    skill = data.get("skill")
    attacker = {**_ATTACKER, "skills": {skill: _SKILL} if isinstance(skill, str) else {}}
    target = {name: value for name, value in VICTIM.items() if name != "armor"}
    target |= {"ballistic": armor, "impact": armor}
    if is_melee(weapon):
        return blow(attacker, target, load_of(weapon))
    return shot(attacker, target, load_of(weapon), ways_to_fire(weapon)[0])


COMPARISON = Comparison("Armor", range(0, 21, 2), _STANDARD, _trial, "hit", "damage")
