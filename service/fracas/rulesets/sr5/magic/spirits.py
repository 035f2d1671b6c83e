"""Spirits as combatants: their attributes by type and Force (rulebook section 13.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import EntryLookup

_PHYSICAL = ("body", "agility", "reaction", "strength")
_AS_THE_FORCE = ("willpower", "charisma", "magic")
_SKILLS = (
    "astral-combat",
    "assensing",
    "perception",
    "unarmed-combat",
    "exotic-ranged-weapon",
    "spellcasting",
)
INITIATIVE = "initiative_bonus"


def spirit_of(type: str, force: int, lookup: EntryLookup, options: Mapping[str, Any]) -> dict[str, Any]:
    """The sheet of a spirit.

    Args:
        type: a row of the packs' table of spirits.

    Raises:
        InputError: the packs in use have no such type.
    """
    row = row_of(lookup, "spirits", type)
    found: dict[str, Any] = {name: max(1, force + row[name]) for name in (*_PHYSICAL, "logic", "intuition")}
    found |= dict.fromkeys(_AS_THE_FORCE, force)
    found |= {"force": force, "essence": force, "edge": force // 2, INITIATIVE: row[INITIATIVE]}
    found["skills"] = dict.fromkeys(_SKILLS, force)
    if options.get("spirit_armor") == "core":
        found |= {"armor_value": 2 * force, "hardened_armor": True, "immunity": True}
    return found
