"""Items of the system ``swnr`` (Systems Without Number): facts about its data, and our words in its words.

Making a weapon without ``trauma`` fails in the system, and so does a number of dice that is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.packs.entries import Entry
from fracas.packs.library import Shelf

_ATTRIBUTES = {
    "strength": "str",
    "dexterity": "dex",
    "constitution": "con",
    "intelligence": "int",
    "wisdom": "wis",
    "charisma": "cha",
}
_ASK, _NONE = "ask", "none"
_SAVES = frozenset({"physical", "mental", "evasion", "luck"})
_MELEE = frozenset({"melee", "unarmed"})
_AMMUNITION = {"launcher": "missile", "bow": "special", "gun": "ammo"}
_NO_DICE = "0"
_NO_TRAUMA = {"die": "1d6", "rating": None}
_UNARMORED = 10


def weapon(entry: Entry, shelf: Shelf, description: str) -> tuple[str, dict[str, Any]]:
    data = entry.data
    attributes = [_ATTRIBUTES[name] for name in data.get("attributes", ()) if name in _ATTRIBUTES]
    first, second, *_ = [*(attributes or [_ASK]), _NONE]
    blast: Mapping[str, Any] = data.get("blast", {})
    damage = data.get("damage") or blast.get("damage") or _NO_DICE
    adds = bool(data.get("adds_punch"))
    return "weapon", {
        **_gear(entry, description),
        "damage": damage,
        "stat": first,
        "secondStat": second,
        "skill": _ASK,
        "skillBoostsDamage": adds,
        "skillBoostsShock": adds,
        "shock": {"dmg": str(data.get("shock", _NO_DICE)), "ac": data.get("shock_ac", _UNARMORED)},
        "ab": 0,
        "ammo": _ammunition(data),
        "range": {"normal": data.get("range_normal", 1), "max": data.get("range_long", 2)},
        "save": blast["save"] if blast.get("save") in _SAVES else None,
        "trauma": _trauma(data),
        "isTwoHanded": bool(data.get("two_handed")),
        "isNonLethal": data.get("non_lethal", "never") != "never",
        "isMelee": data.get("type") in _MELEE,
    }


def _ammunition(data: Mapping[str, Any]) -> dict[str, Any]:
    holds = data.get("magazine", 0)
    return {
        "type": _AMMUNITION.get(data.get("type", ""), _NONE) if holds else _NONE,
        "max": holds,
        "value": data.get("rounds", holds),
        "burst": bool(data.get("can_burst")),
        "suppress": bool(data.get("can_suppress")),
        "longReload": data.get("reload") == "main",
    }


def _trauma(data: Mapping[str, Any]) -> dict[str, Any]:
    if "trauma_die" not in data:
        return dict(_NO_TRAUMA)
    return {"die": data["trauma_die"], "rating": data.get("trauma_rating")}


def armor(entry: Entry, shelf: Shelf, description: str) -> tuple[str, dict[str, Any]]:
    """An "armor"; what is added to other armor is a shield to the system, which knows only that."""
    data = entry.data
    added = bool(data.get("accessory"))
    ranged, melee = data.get("ranged_ac", 0), data.get("melee_ac", 0)
    soak = data.get("soak", 0)
    return "armor", {
        **_gear(entry, description),
        "ac": _UNARMORED if added else ranged,
        "meleeAc": None if added else melee,
        "soak": {"value": soak, "max": soak},
        "shield": added,
        "shieldACBonus": ranged if added else None,
        "shieldMeleeACBonus": melee if added else None,
        "traumaDiePenalty": data.get("trauma_target", 0),
        "isSubtle": data.get("look") == "subtle",
        "isHeavy": "heavy" in entry.meta.get("tags", ()) and not added,
    }


def _gear(entry: Entry, description: str) -> dict[str, Any]:
    return {
        "description": description,
        "quantity": 1,
        "encumbrance": entry.data.get("encumbrance", 0),
        "cost": entry.data.get("cost", 0),
        "location": "stowed",
        "quality": "stock",
    }


BUILDERS = {"weapon": weapon, "armor": armor}
