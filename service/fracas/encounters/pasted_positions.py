"""Positions as people paste them: a line for each combatant, by name or id, with x, y and perhaps an elevation.

    unit: ft
    # who, x, y, elevation
    Rook, 0, 0
    guard-2, 35, 10.5, 12

A line ``unit:`` counts before the unit that the command has. Cells are separated by commas, or by tabs or semicolons,
where numbers may have a decimal comma; a name with a separator in it stands in quotation marks.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from fracas.errors import InputError, Problem, few_suggestions, suggestion
from fracas.space import FARTHEST

__all__ = ["MAX_TEXT", "UNITS", "metres_of", "positions_in"]

MAX_TEXT = 20_000
"""Characters of a text."""
UNITS: Mapping[str, float] = {
    "m": 1.0, "meter": 1.0, "meters": 1.0, "metre": 1.0, "metres": 1.0, "km": 1000.0, "cm": 0.01,
    "ft": 0.3048, "foot": 0.3048, "feet": 0.3048, "in": 0.0254, "mi": 1609.344,
    "yd": 0.9144, "yard": 0.9144, "yards": 0.9144,
}  # fmt: skip
"""Metres of a unit, by what it is called."""
_UNIT = re.compile(r"unit\s*:\s*(?P<unit>.*)", re.IGNORECASE)
_SIZED = re.compile(r"(?P<count>\d{1,6}(\.\d{1,4})?)?\s*(?P<name>[a-z]+)")
_QUOTED = re.compile(r'"[^"]*"')
_NUMBERS = ("x", "y", "elevation")
_COMPARED = 20_000
"""Known names that misspelt ones are compared with for hints."""


def metres_of(unit: str, path: str = "unit") -> float:
    """How many metres one unit has, such as ``ft``; of squares, what one measures, such as ``5 ft``.

    Raises:
        InputError: it is none.
    """
    found = _SIZED.fullmatch(unit.strip().casefold())
    metres = UNITS.get(found["name"], 0.0) * float(found["count"] or 1) if found else 0.0
    if not metres:
        message = (
            f"{unit.strip()!r} is no unit: m, ft or yd is expected, or what a square measures, such as 5 ft"
        )
        raise InputError.one(path, "unknown-unit", message)
    return metres


def positions_in(text: str, unit: str, names: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The positions of a text in metres, by combatant, as the command ``place`` has them.

    Args:
        unit: in which the text counts, unless it has a line of its own for that.
        names: of the combatants who may be placed, by id.

    Raises:
        InputError: every fault, with its line and its field.
    """
    lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), 1)]
    lines = [(at, line) for at, line in lines if line and not line.startswith("#")]
    metres = metres_of(unit)
    found: dict[str, dict[str, Any]] = {}
    problems: list[Problem] = []
    line_of: dict[str, int] = {}
    with few_suggestions(_COMPARED):
        for at, line in lines:
            if units := _UNIT.fullmatch(line):
                metres = metres_of(units["unit"], f"line {at}.unit")
                continue
            cells, comma = _cells(line)
            faults = list(_faults(cells, comma, f"line {at}", metres, names))
            id = next(iter(_called(cells[0], names)), "") if cells else ""
            if not faults and id in line_of:
                message = f"{names[id]} is in line {line_of[id]} already"
                faults = [Problem(f"line {at}.who", "twice", message)]
            problems += faults
            if not faults:
                line_of[id] = at
                numbers = [_number(cell, comma) * metres for cell in cells[1:] if cell]
                found[id] = {
                    **dict.fromkeys(("elevation", "size")),
                    **dict(zip(_NUMBERS, numbers, strict=False)),
                }
    if problems:
        raise InputError(problems)
    if not found:
        raise InputError.one("text", "empty", "nobody is named: a line for each, such as Rook, 4, 2.5")
    return found


def _cells(line: str) -> tuple[list[str], bool]:
    """The cells of a line, and whether its numbers may have a decimal comma."""
    plain = _QUOTED.sub("", line)
    separator = next((one for one in "\t;" if one in plain), ",")
    (cells,) = csv.reader([line], delimiter=separator, skipinitialspace=True)
    cells = [cell.strip() for cell in cells]
    while cells and not cells[-1]:
        cells.pop()
    return cells, separator != ","


def _number(cell: str, comma: bool) -> float:
    return float(cell.replace(",", ".", 1) if comma else cell)


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def _called(who: str, names: Mapping[str, str]) -> list[str]:
    """The combatants who are meant: the one of that id, or those of that name."""
    if who in names:
        return [who]
    return [id for id, name in names.items() if _plain(name) == _plain(who)]


def _faults(
    cells: list[str], comma: bool, place: str, metres: float, names: Mapping[str, str]
) -> Iterator[Problem]:
    """What is wrong with a line, the field first."""
    who = cells[0] if cells else ""
    meant = _called(who, names)
    if not meant:
        message = f"there is no combatant {who!r} in the fight"
        yield Problem(
            f"{place}.who", "unknown-combatant", message, suggestion(who, [*names, *names.values()])
        )
    elif len(meant) > 1:
        message = f"{len(meant)} are called {who!r}: write the id"
        yield Problem(f"{place}.who", "several", message, "known: " + ", ".join(meant))
    for name, cell in zip(_NUMBERS, [*cells[1:], "", ""], strict=False):
        if not cell:
            if name != "elevation":
                yield Problem(f"{place}.{name}", "missing-field", "a number is expected")
            continue
        try:
            number = _number(cell, comma) * metres
        except ValueError:
            number = float("nan")
        if not isfinite(number):
            yield Problem(f"{place}.{name}", "wrong-type", f"a number is expected, not {cell!r}")
        elif abs(number) > FARTHEST:
            yield Problem(f"{place}.{name}", "out-of-range", f"at most {FARTHEST:g} m to either side")
    if len(cells) > 1 + len(_NUMBERS):
        message = f"{cells[4]!r} is more than who, x, y and elevation"
        yield Problem(
            f"{place}.{len(cells)}", "unknown-field", message, "a name with a comma stands in quotation marks"
        )
