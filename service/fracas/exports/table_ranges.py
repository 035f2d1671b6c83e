"""Which tables of packs are rolled, with which dice, and which of their numbers hit each row.

A table that names no dice is one to look things up in, whatever numbers stand in it: nobody rolls how far they fell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

BOUNDS = (("least", "most"), ("from", "to"))
"""Columns in which tables give the lowest and the highest number of a row."""


class Rolled(NamedTuple):
    """How a table is rolled.

    Attributes:
        dice: such as ``2d6``.
        ranges: the lowest and the highest number of each row.
    """

    dice: str
    ranges: tuple[tuple[int, int], ...]


def rolled(table: Mapping[str, Any]) -> Rolled | None:
    """How a table is rolled; None if it names no dice, or if they do not fit its rows.

    The first and the last row may be open: they end where the dice do. Rows without any bounds have a number each.

    >>> rows = {"low": {"least": None, "most": 2}, "middle": {"least": 3, "most": 11}, "high": {"least": 12}}
    >>> rolled({"roll": "2d6", "rows": rows})
    Rolled(dice='2d6', ranges=((2, 2), (3, 11), (12, 12)))
    >>> rolled({"rows": rows})
    """
    dice = table.get("roll")
    rows = list(table.get("rows", {}).values())
    if dice is None or not rows:
        return None
    count, sides = map(int, dice.split("d"))
    found = _ranges(rows, count, count * sides)
    return None if found is None else Rolled(dice, tuple(found))


def _ranges(rows: Sequence[Mapping[str, Any]], least: int, most: int) -> list[tuple[int, int]] | None:
    """The ranges of rows that take every number from one to another once, in this order; None if they do not."""
    names = next((pair for pair in BOUNDS if any(name in row for row in rows for name in pair)), None)
    if names is None:
        found = [(number, number) for number in range(least, most + 1)]
        return found if len(found) == len(rows) else None
    ends = [[row.get(names[0]), row.get(names[1])] for row in rows]
    ends[0][0] = least if ends[0][0] is None else ends[0][0]
    ends[-1][1] = most if ends[-1][1] is None else ends[-1][1]
    found = [(low, high) for low, high in ends if type(low) is int and type(high) is int and low <= high]
    expected = [least, *(high + 1 for _, high in found)]
    fits = len(found) == len(rows) and expected == [*(low for low, _ in found), most + 1]
    return found if fits else None
