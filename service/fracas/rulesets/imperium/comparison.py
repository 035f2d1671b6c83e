"""How weapons of the Inquisitor universe are compared: one attack with each, against rising armor everywhere."""

from __future__ import annotations

from typing import Any

from fracas.kernel.ruleset import Comparison, Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS, GRANTS, LOCATIONS

_ANYBODY: dict[str, Any] = {
    **dict.fromkeys(CHARACTERISTICS, 50),
    "armor": [],
    "traits": [],
    "injury_total": 0,
    "injuries": {},
    "bleeding": {},
}
_FACING = {"aware": True, "conscious": True, "stunned": False, "mounted": False}
_NO_PARRY = {"type": "close", "parry_penalty": 0, "may_parry": False, "encumbrance": 0}
_STANDARD = (
    "Characteristics of 50 on both sides: one attack at close range with the first of the weapon's firing modes, a "
    "single shot where it has one, or a blow that nobody parries. The attacker has the ability that the weapon needs. "
    "The armor is the same on all locations."
)
_THROWN_AT = 5
_NEAR = 10


def _trial(weapon: PackEntry, armor: int, catalog: Catalog) -> Trial | None:
    data = weapon.data
    attacker = {**_ANYBODY, "traits": _abilities(weapon, catalog)}
    worn = {"value": armor, "locations": list(LOCATIONS)}
    said: dict[str, Any] = {
        "attacker": attacker,
        "weapon": {"use": weapon.id, "mods": []},
        "armor": worn,
    }
    if data.get("type") == "close":
        attack = {"shot": False, "charge": False, "direction": "front"}
        return Trial(
            "close-combat",
            {**said, "target": {**_ANYBODY, **_FACING}, "parry": dict(_NO_PARRY), "attack": attack},
        )
    mode = next(iter(data.get("modes", ("single",))), "single")
    fire = {"mode": mode, "shots": 1 if mode == "single" else 2}
    distance = _THROWN_AT if data.get("type") == "thrown" else min(_NEAR, data.get("short", _NEAR))
    more: dict[str, Any] = {"target": dict(_ANYBODY), "fire": fire, "distance": distance, "visibility": []}
    return Trial("shooting", {**said, **more})


def _abilities(weapon: PackEntry, catalog: Catalog) -> list[str]:
    """The traits that allow to use it."""
    wanted = {word for word in weapon.data.get("requires", ()) if word in GRANTS}
    return [
        trait.id for trait in catalog.entries("trait") if not wanted.isdisjoint(trait.data.get("grants", ()))
    ]


COMPARISON = Comparison("Armor", range(0, 17, 2), _STANDARD, _trial, "hit", "net-damage")
