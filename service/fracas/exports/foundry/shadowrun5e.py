"""Items of the system ``shadowrun5e``: facts about its data, and our words in its words.

A number that modifiers may change has its own value as ``base``; damage kinds and elements need ``value`` as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fracas.exports.readable import source
from fracas.packs.entries import Entry
from fracas.packs.library import Shelf

_SKILLS = {
    "archery": "archery",
    "automatics": "automatics",
    "blades": "blades",
    "clubs": "clubs",
    "exotic-melee-weapon": "exotic_melee_weapon",
    "exotic-ranged-weapon": "exotic_ranged_weapon",
    "gunnery": "gunnery",
    "handguns": "pistols",
    "heavy-weapons": "heavy_weapons",
    "longarms": "longarms",
    "pistols": "pistols",
    "throwing-weapons": "throwing_weapons",
    "unarmed-combat": "unarmed_combat",
}
_MELEE = frozenset({"blades", "clubs", "exotic-melee-weapon", "unarmed-combat"})
_THROWN = frozenset({"throwing-weapons"})
_ELEMENTS = {"chemical": "acid", "cold": "cold", "electricity": "electricity", "fire": "fire"}
_MODES = {"SS": "single_shot", "SA": "semi_auto", "BF": "burst_fire", "FA": "full_auto"}
_FEEDS = {
    "break": "break_action",
    "clip": "removable_clip",
    "cylinder": "cylinder",
    "magazine": "internal_magazin",  # the system's own spelling
    "muzzle-loader": "muzzle_loader",
}
_RANGES = {
    "assault-cannons": "assaultCannon",
    "assault-rifles": "assaultRifle",
    "bows": "bow",
    "grenade-launchers": "grenadeLauncher",
    "heavy-crossbows": "heavyCrossbow",
    "heavy-pistols": "heavyPistol",
    "holdouts": "holdOutPistol",
    "light-crossbows": "lightCrossbow",
    "light-machine-guns": "lightMachinegun",
    "light-pistols": "lightPistol",
    "machine-pistols": "machinePistol",
    "medium-crossbows": "mediumCrossbow",
    "medium-heavy-machine-guns": "mediumHeavyMachinegun",
    "missile-launchers": "missileLauncher",
    "net": "net",
    "shotguns": "shotgunSlug",
    "shotguns-flechette": "shotgunFlechette",
    "shotguns-slug": "shotgunSlug",
    "shuriken": "shuriken",
    "sniper-rifles": "sniperRifle",
    "sporting-rifles": "sportingRifle",
    "standard-grenade": "standardThrownGrenade",
    "aerodynamic-grenade": "aerodynamicThrownGrenade",
    "submachine-guns": "smg",
    "tasers": "taser",
    "thrown-knife": "thrownKnife",
}
_MANUAL = "manual"
"""Ranges of a weapon's own."""

_BANDS = ("short", "medium", "long", "extreme")


def weapon(entry: Entry, shelf: Shelf, description: str) -> tuple[str, dict[str, Any]]:
    """A "weapon"; a thrown or fired charge lends it its damage."""
    data = entry.data
    skill = data.get("skill", "")
    category = "melee" if skill in _MELEE else "thrown" if skill in _THROWN else "range"
    loaded = shelf.entry("ammunition", data["ammunition"]) if "ammunition" in data else None
    charge: Mapping[str, Any] = loaded.data if loaded else {}
    ranges = _ranges(data.get("range"), shelf)
    return "weapon", {
        **_gear(entry, description),
        "category": category,
        "subcategory": data.get("category", "").replace("-", " "),
        "action": _attack(data, data if "dv" in data else charge),
        "ammo": {
            "current": {"value": data.get("rounds", 0), "max": data.get("magazine", 0)},
            "clip_type": "bow" if data.get("category") == "bow" else _FEEDS.get(data.get("feed", ""), ""),
        },
        "range": {
            "rc": {"base": data.get("rc", 0)},
            "modes": {word: mode in data.get("modes", ()) for mode, word in _MODES.items()},
            "ranges": ranges,
        },
        "melee": {"reach": data.get("reach", 0)},
        "thrown": {
            "ranges": ranges,
            "blast": {"radius": charge.get("radius", 0), "dropoff": -charge.get("blast_loss", 0)},
        },
    }


def _attack(data: Mapping[str, Any], harm: Mapping[str, Any]) -> dict[str, Any]:
    kind = harm.get("damage", "physical")
    element = _ELEMENTS.get(harm.get("element", ""), "")
    damage: dict[str, Any] = {
        "base": harm.get("dv", 0),
        "type": {"base": kind, "value": kind},
        "element": {"base": element, "value": element},
        "ap": {"base": harm.get("ap", 0)},
        "normal_weapon": True,
    }
    if data.get("dv_strength"):
        damage |= {"attribute": "strength", "base_formula_operator": "add"}
    limit = {"base": data.get("accuracy", 0)}
    return {
        "type": "varies",
        "attribute": "agility",
        "skill": _SKILLS.get(data.get("skill", ""), ""),
        "limit": {**limit, "attribute": "physical"} if data.get("accuracy_physical") else limit,
        "damage": damage,
    }


def _ranges(name: str | None, shelf: Shelf) -> dict[str, Any]:
    """The upper limits of the bands in whole metres."""
    entry = shelf.entry("range", name) if name else None
    found: Mapping[str, Any] = entry.data if entry else {}
    bands = {band: math.ceil(found.get(band, 0)) for band in _BANDS}
    attribute = "strength" if found.get("per_strength") else ""
    return {**bands, "category": _RANGES.get(name or "", _MANUAL), "attribute": attribute}


def armor(entry: Entry, shelf: Shelf, description: str) -> tuple[str, dict[str, Any]]:
    """An "armor"; what is worn over other armor is an accessory."""
    rating, added = entry.data.get("rating", 0), bool(entry.data.get("stacks"))
    value = {"base": rating, "value": rating, "accessory": added}
    return "armor", {**_gear(entry, description), "armor": value}


def _gear(entry: Entry, description: str) -> dict[str, Any]:
    return {
        "description": {"value": description, "source": source(entry)},
        "technology": {
            "rating": entry.data["rating"] if entry.kind == "weapon" and "rating" in entry.data else 1,
            "availability": str(entry.data.get("availability", "")),
            "cost": entry.data.get("cost", 0),
            "quantity": 1,
        },
    }


BUILDERS = {"weapon": weapon, "armor": armor}
