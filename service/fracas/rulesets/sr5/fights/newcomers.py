"""What combatants need that a GM of Shadowrun 5 makes up: attributes of an ordinary human where nothing is said."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kernel.newcomers import Basic

_ATTRIBUTES = {
    "body": ("Body", "B", "BOD"),
    "agility": ("Agility", "A", "AGI"),
    "reaction": ("Reaction", "R", "REA"),
    "strength": ("Strength", "S", "STR"),
    "charisma": ("Charisma", "C", "CHA"),
    "intuition": ("Intuition", "I", "INT"),
    "logic": ("Logic", "L", "LOG"),
    "willpower": ("Willpower", "W", "WIL"),
}
_HUMAN = 3
_NOT_OF_MACHINES = ("vehicle",)

BASICS: Sequence[Basic] = (
    Basic(("body",), "Body", _HUMAN, _NOT_OF_MACHINES, ("B", "BOD"), quick=True),
    Basic(("initiative",), "Initiative", short=("Init", "INI"), quick=True),
    Basic(("pool",), "Attack dice", short=("Attack", "Atk", "Dice", "Dice pool"), quick=True),
    *(
        Basic((field,), label, _HUMAN, _NOT_OF_MACHINES, tuple(short))
        for field, (label, *short) in _ATTRIBUTES.items()
        if field != "body"
    ),
    Basic(("edge", "edge_points"), "Edge", short=("E", "EDG")),
    Basic(("armor_value",), "Armor", short=("Armor rating",)),
    Basic(("skills",), "Skills", {}, _NOT_OF_MACHINES),
    Basic(("armor",), "Armor", [], (*_NOT_OF_MACHINES, "armor_value")),
)
