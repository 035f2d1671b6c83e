"""Dice lost to the environment and the range: rulebook section 9.1.

The tables ``environment`` and ``vision-enhancements`` of the packs have the rows and the dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.kernel.vocabulary import Catalog

Facts = Mapping[str, Any]

_FIELDS = {
    "visibility": "environment.visibility",
    "light": "environment.light",
    "glare": "environment.glare",
    "wind": "environment.wind",
    "range": "range.band",
}
_COLUMNS = (("visibility",), ("light", "glare"), ("wind",), ("range",))
"""Light and glare are one column: the worse of the two counts."""
SIGHT = _COLUMNS[:2]
"""The columns that count in melee (section 9.3)."""


def environment_modifier(
    facts: Facts, catalog: Catalog, columns: Iterable[tuple[str, ...]] = _COLUMNS
) -> int | None:
    """The dice of the worst row, or one row further down where two columns share it.

    Columns that nobody says do not count; None where nothing is said, or the packs have no such table.
    """
    table = catalog.entry("table", "environment")
    if table is None:
        return None
    rows: Mapping[str, Mapping[str, Any]] = table.data["rows"]
    levels = []
    for column in columns:
        found = [
            level
            for name in column
            if (level := _level(name, facts.get(_FIELDS[name]), rows, facts, catalog)) is not None
        ]
        if found:
            levels.append(max(found))
    if not levels:
        return None
    worst = max(levels)
    if worst and levels.count(worst) > 1:
        worst += 1
    dice: int = [row["dice"] for row in rows.values()][worst]
    return dice


def _level(
    name: str, word: object, rows: Mapping[str, Mapping[str, Any]], facts: Facts, catalog: Catalog
) -> int | None:
    """The row of one condition, after vision enhancements; None for a word that no row has, or none said."""
    level = next(
        (at for at, row in enumerate(rows.values()) if word is not None and row.get(name) == word), None
    )
    if not level:
        return level
    table = catalog.entry("table", "vision-enhancements")
    helps = table.data["rows"] if table else {}
    better = [
        helps[vision]["rows"]
        for vision in facts.get("attacker.vision", ())
        if vision in helps and helps[vision]["column"] == name
    ]
    return max(0, level - max(better, default=0))
