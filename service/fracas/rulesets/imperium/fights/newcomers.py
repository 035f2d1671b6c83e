"""What combatants need that a GM of Imperium makes up: characteristics of an ordinary human where nothing is said."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kernel.newcomers import Basic

_HUMAN = 30
_OTHERS = {
    "weapon_skill": ("Weapon skill", "WS"),
    "strength": ("Strength", "S", "STR"),
    "willpower": ("Willpower", "WP", "WIL"),
    "sagacity": ("Sagacity", "SAG"),
    "nerve": ("Nerve", "NV"),
    "leadership": ("Leadership", "LD"),
}

BASICS: Sequence[Basic] = (
    Basic(("ballistic_skill",), "Ballistic skill", _HUMAN, ("object",), ("BS",), quick=True),
    Basic(("toughness",), "Toughness", _HUMAN, ("object",), ("T", "TGH"), quick=True),
    Basic(("initiative",), "Initiative", _HUMAN, ("object",), ("I", "INI", "Init"), quick=True),
    *(
        Basic((field,), label, _HUMAN, ("object",), tuple(short))
        for field, (label, *short) in _OTHERS.items()
    ),
    Basic(("armor",), "Armor", [], ("object",)),
)
