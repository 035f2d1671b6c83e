"""Odds as pictures: bars in SVG, with the same numbers as text for those who do not see them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

_MEASURED = ("damage", "net_damage", "net_hits", "hits")
"""Facts of an outcome that make the horizontal axis, the first that there is."""
WIDTH, HEIGHT = 480, 140
_MOST_LABELS, _EVERY = 20, (1, 5, 10, 50, 100)
"""Numbers below the bars, and the steps between them."""
_GAP = 3
LEAST_SHOWN = 0.03
"""A smaller chance is not written above its bar."""


class Bar(NamedTuple):
    """One bar: its label, its chance, and where it stands in the picture.

    Attributes:
        tick: its label is written below it; of many bars only that of round numbers.
        drops: most of it takes the target out.
        shown: its chance is written above it.
    """

    label: str
    chance: float
    x: float
    y: float
    width: float
    height: float
    miss: bool
    tick: bool = True
    drops: bool = False
    shown: bool = False


class Chart(NamedTuple):
    """
    Attributes:
        cut: the first bar from which on the target drops; None where none does.
    """

    measured: str
    bars: Sequence[Bar]
    highest: float
    cut: Bar | None = None


def outcomes(
    branches: Sequence[Mapping[str, Any]], drops: Callable[[Mapping[str, Any]], bool] = lambda facts: False
) -> Chart | None:
    """The chances of a step's outcomes by what they do; None where they have no number to be ordered by.

    Args:
        drops: whether an outcome takes the target out.
    """
    if len(branches) != 1:
        return None
    rows = branches[0]["outcomes"]
    measured = next((fact for fact in _MEASURED if any(_counts(row, fact) for row in rows)), None)
    if measured is None:
        return None
    chances: dict[int, float] = defaultdict(float)
    dropping: dict[int, float] = defaultdict(float)
    for row in rows:
        value = row["outcome"].get(measured)
        number = value if isinstance(value, int) else 0
        chances[number] += row["chance"]
        dropping[number] += row["chance"] if drops(row["outcome"]) else 0.0
    least, most = min(chances), max(chances)
    highest = max(chances.values())
    count = most - least + 1
    width, every = WIDTH / count, next((step for step in _EVERY if count <= step * _MOST_LABELS), count)
    bars = [
        Bar(
            str(value),
            chances.get(value, 0.0),
            (value - least) * width + _GAP / 2,
            HEIGHT * (1 - chances.get(value, 0.0) / highest),
            max(1.0, width - _GAP),
            HEIGHT * chances.get(value, 0.0) / highest,
            value <= 0,
            value % every == 0,
            2 * dropping.get(value, 0.0) > chances.get(value, 0.0),
            count <= _MOST_LABELS and chances.get(value, 0.0) >= LEAST_SHOWN,
        )
        for value in range(least, most + 1)
    ]
    cut = next((bar for bar in bars if bar.drops), None)
    return Chart(measured.replace("_", " "), bars, highest, cut)


def _counts(row: Mapping[str, Any], fact: str) -> bool:
    value = row["outcome"].get(fact)
    return isinstance(value, int) and not isinstance(value, bool)


# --- Lines -----------------------------------------------------------------------------------------------

LEFT, RIGHT, TOP, BOTTOM = 44, 12, 8, 8
"""Room around the lines; the numbers of the vertical axis stand on the left."""
TALL = 176
"""Height of the part of the picture in which the lines are; the numbers of the other axis stand below it."""
_STEPS = (1, 2, 5)
_MOST_TICKS = 5


class Tick(NamedTuple):
    """A number of an axis, and where it stands."""

    label: str
    at: float


class Line(NamedTuple):
    """One line: its name, its points as SVG writes them, and each of them apart for a mark."""

    name: str
    path: str
    marks: Sequence[tuple[float, float]]


class Lines(NamedTuple):
    """Lines over a common axis; what they say stands in a table beside them as well."""

    title: str
    lines: Sequence[Line]
    across: Sequence[Tick]
    up: Sequence[Tick]


def lines(
    title: str, over: Sequence[int], named: Sequence[tuple[str, Sequence[float | None]]], *, chance: bool
) -> Lines | None:
    """Lines of numbers that are not negative; None where there is no number at all.

    Args:
        over: the values of the horizontal axis, rising.
        named: for each line its name and its numbers, one for each value; None where it is not known.
        chance: they are shares of one, and given in per cent.
    """
    known = [number for _, numbers in named for number in numbers if number is not None]
    if not known or len(over) < 2:
        return None
    top, step = (1.0, 0.25) if chance else _scale(max(known))
    width, height = WIDTH - LEFT - RIGHT, TALL - TOP - BOTTOM
    across = [LEFT + (value - over[0]) / (over[-1] - over[0]) * width for value in over]

    def high(number: float) -> float:
        return TOP + height * (1 - number / top)

    drawn = []
    for name, numbers in named:
        marks = [(x, high(number)) for x, number in zip(across, numbers, strict=False) if number is not None]
        drawn.append(Line(name, " ".join(f"{x:.1f},{y:.1f}" for x, y in marks), marks))
    ticks = [at * step for at in range(round(top / step) + 1)]
    return Lines(
        title,
        drawn,
        [Tick(str(value), x) for value, x in zip(over, across, strict=True)],
        [Tick(f"{number:.0%}" if chance else f"{number:g}", high(number)) for number in ticks],
    )


def _scale(most: float) -> tuple[float, float]:
    """The top of an axis that begins at nought, and the steps between its numbers, both round."""
    power = 10.0 ** (math.floor(math.log10(most)) - 1) if most > 0 else 1.0
    steps = (factor * power * ten for ten in (1, 10, 100) for factor in _STEPS)
    step = next(step for step in steps if most / step <= _MOST_TICKS)
    return max(1, math.ceil(most / step)) * step, step
