"""Initiative of those who are no metahumans: spirits, drones, IC and sprites (rulebook section 13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.vocabulary import Catalog

PERSON, SPIRIT, DRONE = "person", "spirit", "drone"
_TWICE = {
    SPIRIT: (("force", "Force"), ("force", "Force again")),
    DRONE: (("pilot", "Pilot"), ("pilot", "Pilot again")),
}
_OF_THE_HOST = (("initiative", "Initiative of the host or level"),)
_TABLE = "initiative-others"
_DICE = {"spirit-materialized": 2, "spirit-astral": 3, "drone": 4, "ic": 4, "sprite": 4}
"""Where the packs have no table."""


def is_other(sheet: Mapping[str, Any]) -> bool:
    """Whether a combatant is no metahuman; who says nothing is one."""
    return str(sheet.get("nature", PERSON)) != PERSON


def parts_of(sheet: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The fields that are added, with their labels; of IC and sprites the whole must be given."""
    return _TWICE.get(str(sheet["nature"]), _OF_THE_HOST)


def dice_of(sheet: Mapping[str, Any], place: str, catalog: Catalog) -> int:
    """Initiative dice by the packs' table; spirits have more in astral space than materialized."""
    row = str(sheet["nature"])
    if row == SPIRIT:
        row = "spirit-astral" if place == "astral" else "spirit-materialized"
    table = catalog.entry("table", _TABLE)
    return int(table.data["rows"][row]["dice"]) if table else _DICE[row]
