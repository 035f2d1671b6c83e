"""Bonus Simple actions: which world gives how many (rulebook section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PHYSICAL, MATRIX, MAGIC, NONE = "physical", "matrix", "magic", "none"
WORLDS = (PHYSICAL, MATRIX, MAGIC)
"""In this order one is taken where nobody chooses among equals."""

MOST: Mapping[str, int] = {PHYSICAL: 4, MATRIX: 3, MAGIC: 3}
"""The most bonus Simple actions of each world: 5 initiative dice, hot-sim, and grade 3."""

USUAL = "bonus_world"
"""The field of a sheet that names the world which counts where nobody chooses."""

_OF_INTERFACE = {"hot-sim": 3, "cold-sim": 2}
_AR_WITH_DNI = 2
_MAGICIANS = ("magician", "mystic-adept")


def bonus_actions(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, int]:
    """The bonus Simple actions that each world would give, without worlds that give none.

    What a sheet says itself (``bonus_physical``) counts; otherwise they follow from its augmented initiative dice, its
    interface and its initiate grade. Dice of drugs and of Edge give none, nor do those that a combatant who is no
    metahuman has by nature, unless the house rule ``npc_intrinsic_dice_grant`` says so.
    """
    if not options.get("bonus_actions", False):
        return {}
    derived = {PHYSICAL: _physical(sheet, options), MATRIX: _matrix(sheet), MAGIC: _magic(sheet, options)}
    found = {world: min(sheet.get(f"bonus_{world}", derived[world]), MOST[world]) for world in WORLDS}
    return {world: count for world, count in found.items() if count > 0}


def default_world(worlds: Mapping[str, int], place: str, sheet: Mapping[str, Any]) -> str:
    """The world that counts where nobody chooses one: the one that the sheet names, or the one whose actions can be
    used where its owner is. In astral space that is magic, in virtual reality the Matrix, elsewhere the physical world.
    Of the others the one with the most actions counts.

    Args:
        worlds: what `bonus_actions` found, not empty.
        place: ``physical``, ``cold-sim``, ``hot-sim`` or ``astral``.
    """
    of_place = {"astral": MAGIC, "physical": PHYSICAL}.get(place, MATRIX)
    for world in (str(sheet.get(USUAL, "")), of_place):
        if world in worlds:
            return world
    return max(worlds, key=lambda world: worlds[world])


def _physical(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> int:
    intrinsic = sheet.get("intrinsic_dice") or sheet.get("nature", "person") != "person"
    if intrinsic and not options.get("npc_intrinsic_dice_grant", False):
        return 0
    return int(sheet.get("initiative_dice", 1)) - 1


def _matrix(sheet: Mapping[str, Any]) -> int:
    interface = sheet.get("interface", NONE)
    if interface == "ar":
        return _AR_WITH_DNI if sheet.get("dni") else 0
    if interface == "cold-sim" and sheet.get("technomancer"):
        interface = "hot-sim"
    return _OF_INTERFACE.get(interface, 0)


def _magic(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> int:
    awakened, grade = sheet.get("awakened"), int(sheet.get("initiate_grade", 0))
    if awakened in _MAGICIANS or (awakened == "adept" and options.get("adept_magic_bonus", False)):
        return grade
    return 0
