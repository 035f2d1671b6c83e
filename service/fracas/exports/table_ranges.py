"""Which dice roll the rows of a pack's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

_DICE = (4, 6, 8, 10, 12, 20, 100)
BOUNDS = (("least", "most"), ("from", "to"))
"""Columns in which tables of packs give the lowest and the highest roll of a row."""


def ranges(rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[tuple[int, int]]] | None:
    """The dice that roll a table whose rows give their lowest and highest roll, and the range of each row.

    The first and the last row may be open: they end where the dice do. None if the rows have no ranges, if there are
    gaps between them, or if no dice roll just these numbers.

    >>> ranges([{"least": None, "most": 2}, {"least": 3, "most": 11}, {"least": 12, "most": None}])
    ('2d6', [(2, 2), (3, 11), (12, 12)])
    """
    names = next((pair for pair in BOUNDS if all(pair[0] in row and pair[1] in row for row in rows)), None)
    if names is None or not rows:
        return None
    said = [(row[names[0]], row[names[1]]) for row in rows]
    ends = [(low if low is not None else high, high if high is not None else low) for low, high in said]
    if not all(type(low) is int and type(high) is int and low <= high for low, high in ends):
        return None
    if any(after[0] != before[1] + 1 for before, after in pairwise(ends)):
        return None
    dice = _dice(ends[0][0], ends[-1][1])
    return None if dice is None else (dice, ends)


def _dice(least: int, most: int) -> str | None:
    """The dice whose sum goes from one number to the other."""
    if least == 1:
        return f"1d{most}" if most > 1 else None
    return next((f"{least}d{sides}" for sides in _DICE if least > 1 and least * sides == most), None)
