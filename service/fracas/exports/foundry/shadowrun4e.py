"""Items of the system ``shadowrun4e``: facts about its data, and our words in its words.

Its lists of words are open: a word that it does not know is kept and shows as nothing. So each of ours has one of
its own here, and the schema of the items knows them all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fracas.exports.readable import source
from fracas.packs.entries import Entry
from fracas.packs.library import Shelf

_SKILLS = {
    "archery": "ARCHERY",
    "automatics": "AUTOMATICS",
    "exotic-ranged-weapon": "EXOTIC_RANGED",
    "gunnery": "GUNNERY",
    "heavy-weapons": "HEAVY_WEAPONS",
    "longarms": "LONGARMS",
    "pistols": "PISTOLS",
    "throwing-weapons": "THROWING",
}
_MELEE_SKILLS = {
    "blades": "BLADES",
    "clubs": "CLUBS",
    "exotic-melee-weapon": "EXOTIC_MELEE",
    "unarmed-combat": "UNARMED",
}
_NO_SKILL = "NONE"
_CATEGORIES = {
    "assault-cannon": "ASSAULT_CANNONS",
    "assault-rifle": "ASSAULT_RIFLES",
    "blade": "BLADES",
    "bow": "BOWS",
    "club": "CLUBS",
    "crossbow": "CROSSBOWS",
    "cyber-blade": "CYBERWARE",
    "cyber-club": "CYBERWARE",
    "cyber-gun": "CYBERWARE",
    "cyber-melee": "CYBERWARE",
    "exotic-melee-weapon": "EXOTIC_MELEE_WEAPONS",
    "grapple-gun": "EXOTIC_RANGED_WEAPONS",
    "grenade": "THROWING_WEAPONS",
    "grenade-launcher": "GRENADE_LAUNCHERS",
    "heavy-machine-gun": "HEAVY_MACHINE_GUNS",
    "heavy-pistol": "HEAVY_PISTOLS",
    "holdout": "HOLDOUTS",
    "light-machine-gun": "LIGHT_MACHINE_GUNS",
    "light-pistol": "LIGHT_PISTOLS",
    "machine-pistol": "MACHINE_PISTOLS",
    "medium-machine-gun": "MEDIUM_MACHINE_GUNS",
    "missile-launcher": "MISSILE_LAUNCHERS",
    "shotgun": "SHOTGUNS",
    "shuriken": "THROWING_WEAPONS",
    "sniper-rifle": "SNIPER_RIFLES",
    "special-weapon": "SPECIAL_WEAPONS",
    "sporting-rifle": "SPORTS_RIFLES",
    "submachine-gun": "SUBMACHINE_GUNS",
    "taser": "TASERS",
    "throwing-knife": "THROWING_WEAPONS",
    "unarmed": "UNARMED",
    "underbarrel-launcher": "UNDERBARREL_WEAPONS",
}
_ELEMENTS = {"electricity": "ELECTRICITY", "fire": "FIRE", "laser": "LASER"}
_DAMAGE = {"physical": "PHYSICAL", "stun": "STUN"}
_MODES = {
    ("SS",): "SINGLE_SHOT",
    ("SA",): "SEMI_AUTOMATIC",
    ("BF",): "BURST_FIRE",
    ("FA",): "FULL_AUTO",
    ("SS", "SA"): "SINGLE_SEMI",
    ("SA", "BF"): "SEMI_BURST",
    ("BF", "FA"): "BURST_FULL_AUTO",
    ("SS", "SA", "BF"): "SINGLE_SEMI_BURST",
    ("SA", "BF", "FA"): "SEMI_BURST_FULL_AUTO",
    ("SS", "SA", "BF", "FA"): "SINGLE_SEMI_BURST_FULL_AUTO",
}
"""Firing modes that the system has a word for together."""

_FEEDS = {
    "belt": "belt",
    "break": "b",
    "clip": "c",
    "cylinder": "cy",
    "magazine": "m",
    "muzzle-loader": "ml",
}
_ACTION_TYPES = {"complex": "COMPLEX", "free": "FREE", "simple": "SIMPLE"}
_TEST = "TEST"
_AVAILABILITY = re.compile(r"(\d+)([RF]?)")
_TWO_PARTS = re.compile(r"([A-Z][A-Za-z ]*) \+ ([A-Z][A-Za-z ]*)")


def weapon(entry: Entry, shelf: Shelf, description: str) -> tuple[str, dict[str, Any]]:
    """A "Ranged Weapon" or a "Melee Weapon"; a thrown or fired charge lends it its damage."""
    data = entry.data
    loaded = shelf.entry("ammunition", data["ammunition"]) if "ammunition" in data else None
    charge: Mapping[str, Any] = loaded.data if loaded else {}
    harm = data if "dv" in data else charge
    armor = harm.get("armor_kind", data.get("armor_kind"))
    common = {
        **_gear(entry, description),
        "category": _CATEGORIES.get(data.get("category", ""), ""),
        "damage": harm.get("dv", 0),
        "damageType": _damage_type(harm),
        "ap": harm.get("ap", data.get("ap", 0)),
    }
    skill = data.get("skill", "")
    if skill in _MELEE_SKILLS:
        return "Melee Weapon", {
            **common,
            "attackSkill": _MELEE_SKILLS[skill],
            "armorType": armor or "impact",
            "reach": data.get("reach", 0),
            "noStrengthBonus": not data.get("dv_half_strength", False),
        }
    return "Ranged Weapon", {
        **common,
        "attackSkill": _SKILLS.get(skill, _NO_SKILL),
        "armorType": armor or "ballistic",
        "mode": mode(data.get("modes", ())),
        "rc": data.get("rc", 0),
        "maxAmmo": data.get("magazine", 0),
        "currentAmmo": data.get("rounds", 0),
        "ammoFeed": _FEEDS.get(data.get("feed", ""), ""),
        "smartlink": "smartgun" in data.get("features", ()),
    }


def mode(modes: Sequence[str]) -> str:
    """The system's word for firing modes; where it has none for all of them, that for the most of them."""
    words = [found for found in _MODES if set(found) <= set(modes)]
    return _MODES[max(words, key=len)] if words else ""


def armor(entry: Entry, shelf: Shelf, description: str) -> tuple[str, dict[str, Any]]:
    data = entry.data
    return "Armor", {
        **_gear(entry, description),
        "ballisticarmor": data.get("ballistic", 0),
        "impactarmor": data.get("impact", 0),
        "stackingType": "accessory" if data.get("stacks") else "standard",
    }


def action(entry: Entry, shelf: Shelf, description: str) -> tuple[str, dict[str, Any]]:
    """An "Action"; what costs nothing and is rolled for counts as a test."""
    data = entry.data
    rolled = "test" in data or "procedure" in data
    type = _ACTION_TYPES.get(data.get("type", ""), _TEST if rolled else _ACTION_TYPES["free"])
    said = _TWO_PARTS.fullmatch(data.get("test", ""))
    skill, attribute = said.groups() if said else ("", "")
    return "Action", {
        "actionType": type,
        "actionPart1": skill,
        "actionPart2": attribute,
        "rating1": 0,
        "rating2": 0,
        "description": description,
        "source": source(entry),
    }


def _gear(entry: Entry, description: str) -> dict[str, Any]:
    availability = str(entry.data.get("availability", ""))
    said = _AVAILABILITY.fullmatch(availability)
    return {
        "description": description,
        "source": source(entry),
        "quantity": 1,
        "cost": entry.data.get("cost", 0),
        "availability": availability,
        "avail": int(said[1]) if said else 0,
        "legality": said[2] if said else "",
    }


def _damage_type(harm: Mapping[str, Any]) -> str:
    element = "electricity" if harm.get("electric") else harm.get("element", "")
    return _ELEMENTS.get(element) or _DAMAGE.get(harm.get("damage", ""), _DAMAGE["physical"])


BUILDERS = {"weapon": weapon, "armor": armor, "action": action}
