"""Items and actors of the system ``dark-heresy`` (Dark Heresy 2): what comes nearest to the ruleset ``imperium``.

Making a weapon without whole numbers for its rate of fire fails in the system, or makes them wrong.
"""

from __future__ import annotations

from typing import Any

from fracas.exports.foundry.sheets import Gear, Sheet, carried
from fracas.exports.foundry.systems import System
from fracas.packs.entries import Entry
from fracas.packs.library import RulesetPacks

_CLASSES = {"close": "melee", "pistol": "pistol", "basic": "basic", "heavy": "heavy", "thrown": "thrown"}
_TYPES = {"chain": "chain", "force": "force", "power": "power"}
"""Features that make a weapon one of the system's types; the first that it has counts."""

_MATERIALS = {"leather": "basic", "flak": "flak", "mesh": "mesh", "carapace": "carapace", "power": "power"}
_PARTS = {
    "head": "head",
    "left-arm": "leftArm",
    "right-arm": "rightArm",
    "body": "body",
    "left-leg": "leftLeg",
    "right-leg": "rightLeg",
}


def weapon(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    """A "weapon"; the system's range is our medium one: half of it is short, twice as far long.

    The ruleset has no penetration. It has no kinds of damage either, so that is left to the system's own default; and
    how many shots full automatic fire has it does not say, so that is left out.
    """
    data = entry.data
    modes, features = data.get("modes", ()), data.get("features", ())
    holds = data.get("capacity", 0)
    reload = data.get("reload")
    return "weapon", {
        **_equipment(description),
        "class": _CLASSES.get(data.get("type", ""), ""),
        "type": next((_TYPES[feature] for feature in features if feature in _TYPES), ""),
        "range": data.get("medium", 0),
        "rateOfFire": {
            "single": int("single" in modes),
            "burst": data.get("semi_most", 0) if "semi-auto" in modes else 0,
            "full": 0,
        },
        "damage": data.get("damage", ""),
        "penetration": "0",
        "clip": {"max": holds, "value": data.get("rounds", holds)},
        "reload": f"{reload} actions" if reload else "",
        "special": ", ".join(feature.replace("-", " ").capitalize() for feature in features),
    }


def armor(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    data = entry.data
    covered, value = data.get("locations", ()), data.get("value", 0)
    return "armour", {
        **_equipment(description),
        "type": _MATERIALS.get(data.get("material", ""), "basic"),
        "isAdditive": False,
        "part": {part: value if location in covered else 0 for location, part in _PARTS.items()},
        "maxAgility": 0,
    }


def _equipment(description: str) -> dict[str, Any]:
    """What every piece of equipment has; the ruleset gives no weights."""
    return {"description": description, "craftsmanship": "common", "availability": "common", "weight": 0}


BUILDERS = {"weapon": weapon, "armor": armor}


# --- Actors -------------------------------------------------------------------------------------------------

_CHARACTERISTICS = {
    "weaponSkill": "weapon_skill",
    "ballisticSkill": "ballistic_skill",
    "strength": "strength",
    "toughness": "toughness",
    "agility": "initiative",
    "intelligence": "sagacity",
    "perception": "initiative",
    "willpower": "willpower",
    "fellowship": "leadership",
}
"""The system's characteristics and those of the ruleset that come nearest, as in the sheet mapping."""


def combatant(entry: Entry, packs: RulesetPacks, description: str) -> Sheet:
    """An "npc". Wounds count up to the Injury Total that kills."""
    data = entry.data
    return Sheet(
        "npc",
        {
            "characteristics": {
                name: {"base": data.get(field, 0)} for name, field in _CHARACTERISTICS.items()
            },
            "wounds": {
                "max": data.get("toughness", 0),
                "value": data.get("injury_total", 0),
                "critical": 0,
            },
            "notes": description,
        },
        tuple(Gear(piece, {}) for kind in ("weapon", "armor") for piece, _ in carried(entry, packs, kind)),
    )


SYSTEM = System("dark-heresy", "4.4.0.1", "Dark Heresy 2", "imperium", BUILDERS, combatant)
