"""Items and actors of the system ``shadowrun4e``: facts about its data, and our words in its words.

Its lists of words are open: a word that it does not know is kept and shows as nothing. So each of ours has one of
its own here, and the schema of the items knows them all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fracas.exports.foundry.sheets import Gear, Sheet, Trait, carried
from fracas.exports.foundry.systems import System
from fracas.exports.readable import source
from fracas.packs.entries import Entry
from fracas.packs.library import RulesetPacks

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
    "natural": "UNARMED",
    "natural-ranged": "EXOTIC_RANGED_WEAPONS",
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


def weapon(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    """A "Ranged Weapon" or a "Melee Weapon"; a thrown or fired charge lends it its damage."""
    data = entry.data
    loaded = packs.entry("ammunition", data["ammunition"]) if "ammunition" in data else None
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


def armor(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    data = entry.data
    return "Armor", {
        **_gear(entry, description),
        "ballisticarmor": data.get("ballistic", 0),
        "impactarmor": data.get("impact", 0),
        "stackingType": "accessory" if data.get("stacks") else "standard",
    }


def action(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    """An "Action"; what costs nothing and is rolled for counts as a test."""
    data = entry.data
    rolled = "test" in data or "procedure" in data
    type = _ACTION_TYPES.get(data.get("type", ""), _TEST if rolled else _ACTION_TYPES["free"])
    given = _TWO_PARTS.fullmatch(data.get("test", ""))
    skill, attribute = given.groups() if given else ("", "")
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
    given = _AVAILABILITY.fullmatch(availability)
    return {
        "description": description,
        "source": source(entry),
        "quantity": 1,
        "cost": entry.data.get("cost", 0),
        "availability": availability,
        "avail": int(given[1]) if given else 0,
        "legality": given[2] if given else "",
    }


def _damage_type(harm: Mapping[str, Any]) -> str:
    element = "electricity" if harm.get("electric") else harm.get("element", "")
    return _ELEMENTS.get(element) or _DAMAGE.get(harm.get("damage", ""), _DAMAGE["physical"])


BUILDERS = {"weapon": weapon, "armor": armor, "action": action}


# --- Actors -------------------------------------------------------------------------------------------------

_ATTRIBUTES = ("body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower")
_TRADITIONS = {"hermetic": ("HERMETIC", "LOGIC"), "shamanic": ("SHAMANIC", "CHARISMA")}
"""The system's word for a tradition, and the attribute that it resists drain with."""

_DRAIN = frozenset({"LOGIC", "CHARISMA", "INTUITION"})
_SKILL_ITEMS = {
    "archery": ("Archery", "AGILITY", "combat", "ranged combat"),
    "astral-combat": ("Astral-Combat", "WILLPOWER", "combat", ""),
    "automatics": ("Automatics", "AGILITY", "combat", "ranged combat"),
    "banishing": ("Banishing", "MAGIC", "magic", ""),
    "binding": ("Binding", "MAGIC", "magic", ""),
    "blades": ("Blades", "AGILITY", "combat", "close combat"),
    "clubs": ("Clubs", "AGILITY", "combat", "close combat"),
    "computer": ("Computer", "LOGIC", "matrix", ""),
    "counterspelling": ("Counterspelling", "MAGIC", "magic", ""),
    "cybercombat": ("Cybercombat", "LOGIC", "matrix", ""),
    "dodge": ("Dodge", "REACTION", "combat", ""),
    "electronic-warfare": ("Electronic-Warfare", "LOGIC", "matrix", ""),
    "exotic-melee-weapon": ("Exotic-Melee-Weapon", "AGILITY", "combat", ""),
    "exotic-ranged-weapon": ("Exotic-Ranged-Weapon", "AGILITY", "combat", ""),
    "first-aid": ("First-Aid", "LOGIC", "technical", ""),
    "gunnery": ("Gunnery", "AGILITY", "combat", ""),
    "gymnastics": ("Gymnastics", "AGILITY", "physical", ""),
    "hacking": ("Hacking", "LOGIC", "matrix", ""),
    "heavy-weapons": ("Heavy-Weapons", "AGILITY", "combat", ""),
    "infiltration": ("Infiltration", "AGILITY", "physical", "stealth"),
    "longarms": ("Longarms", "AGILITY", "combat", "ranged combat"),
    "medicine": ("Medicine", "LOGIC", "technical", ""),
    "perception": ("Perception", "INTUITION", "physical", ""),
    "pistols": ("Pistols", "AGILITY", "combat", "ranged combat"),
    "running": ("Running", "STRENGTH", "physical", ""),
    "spellcasting": ("Spellcasting", "MAGIC", "magic", ""),
    "summoning": ("Summoning", "MAGIC", "magic", ""),
    "throwing-weapons": ("Throwing-Weapons", "AGILITY", "combat", "ranged combat"),
    "unarmed-combat": ("Unarmed-Combat", "AGILITY", "combat", "close combat"),
}
"""Skills as the system's compendium has them: name, attribute, category and group."""


def combatant(entry: Entry, packs: RulesetPacks, description: str) -> Sheet:
    """An "npc", which gets no skills from the system, since skills are there.

    What the packs give whole the system adds up itself: armor worn to the stored bonus, Initiative Passes to one.
    """
    data = entry.data
    magic, tradition = data.get("magic", 0), data.get("tradition", "")
    named, drain = _TRADITIONS.get(tradition, ("", "LOGIC"))
    resists = data.get("drain_attribute", "").upper()
    return Sheet(
        "npc",
        {
            "sheetStats": {
                **{name.upper(): data.get(name, 1) for name in _ATTRIBUTES},
                "EDGE": data.get("edge", 1),
                "CURRENTEDGE": data.get("edge_points", data.get("edge", 1)),
                "MAGIC": magic,
            },
            "armor": {"ballistic": data.get("ballistic_bonus", 0), "impact": data.get("impact_bonus", 0)},
            "conditionMonitor": {track: {"value": data.get(track, 0)} for track in ("physical", "stun")},
            "modifiers": {
                "initiative": {"passes": {"physical": data.get("passes", 1) - 1}},
                "soakBonus": data.get("soak_bonus", 0),
                "unarmedDamageModifier": data.get("unarmed_dv", 0),
            },
            "magic": {
                "magician": bool(tradition or resists),
                "adept": bool(magic and not tradition and not resists),
                "tradition": named,
                "drainAttribute": resists if resists in _DRAIN else drain,
            },
            "descriptionAndNotes": {
                "notes": description,
                "metatype": data.get("metatype", "").capitalize(),
            },
            "simpleHp": bool(data.get("grunt")),
        },
        tuple(
            Gear(piece, {"quantity": count, "equipped": True})
            for kind in ("weapon", "armor")
            for piece, count in carried(entry, packs, kind)
        ),
        tuple(_skill(slug, rating) for slug, rating in data.get("skills", {}).items()),
    )


def _skill(slug: str, rating: int) -> Trait:
    plain = slug.replace("-", " ").title().replace(" ", "-")
    name, attribute, category, group = _SKILL_ITEMS.get(slug, (plain, "", "misc", ""))
    label = f"sr4.skills.{slug.replace('-', '')}" if slug in _SKILL_ITEMS else ""
    system = {
        "label": label,
        "rating": rating,
        "attribute": attribute,
        "type": "active",
        "category": category,
    }
    return Trait(f"skill/{slug}", name, "Skill", {**system, "group": group})


SYSTEM = System("shadowrun4e", "1.22.0", "Shadowrun 4", "sr4", BUILDERS, combatant)
