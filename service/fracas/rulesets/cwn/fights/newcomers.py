"""What combatants need that a GM of Cities Without Number makes up: an ordinary civilian where nothing is said."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kernel.newcomers import Basic

_MACHINE = ("machine",)
_AVERAGE = 10
_ATTRIBUTES = {
    "strength": ("Strength", "STR"),
    "dexterity": ("Dexterity", "DEX"),
    "constitution": ("Constitution", "CON"),
    "intelligence": ("Intelligence", "INT"),
    "wisdom": ("Wisdom", "WIS"),
    "charisma": ("Charisma", "CHA"),
}

BASICS: Sequence[Basic] = (
    Basic(("hp",), "Hit points", 5, short=("HP", "Hits"), quick=True),
    Basic(("ranged_ac", "melee_ac"), "AC", _AVERAGE, (*_MACHINE, "armor"), ("Armor class",), quick=True),
    Basic(
        ("attack_bonus_ranged", "attack_bonus_melee"),
        "Attack bonus",
        0,
        (*_MACHINE, "base_attack_bonus"),
        ("Atk", "Attack", "AB"),
        quick=True,
    ),
    *(
        Basic((field,), label, _AVERAGE, _MACHINE, tuple(short))
        for field, (label, *short) in _ATTRIBUTES.items()
    ),
    Basic(("morale",), "Morale", short=("ML",)),
    Basic(("save",), "Save", 15, _MACHINE, ("SV", "Saves")),
    Basic(("hit_dice",), "Hit Dice", short=("HD",)),
    Basic(("trauma_target",), "Trauma Target", 6, _MACHINE, ("TT",)),
    Basic(("soak",), "Soak", 0, (*_MACHINE, "armor")),
    Basic(("skills",), "Skills", {}, _MACHINE),
)
