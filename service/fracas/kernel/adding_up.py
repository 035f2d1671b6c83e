"""Weights of hits that add up throw by throw, as exact odds need them: of an extended test, where there are glitches.

What a throw does depends on the hits so far only where they are lost or enough. So the weights of all numbers of hits
are a row, and a throw is a product of two rows, as of polynomials, instead of many thousand single stages. A glitch may
take hits away, as many as a die shows; a critical one ends the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import fsum, lcm
from operator import mul
from typing import Any

from fracas.dice.pools import GLITCHES
from fracas.kernel.budget import Budget

__all__ = ["LOST", "Begun", "Rows", "Spread", "adding", "after", "joined", "product", "standing", "weighed"]

LOST = (1, 2, 3, 4, 5, 6)
"""What a die may show that takes hits away."""

Rows = tuple[list[Any], list[Any]]
"""Weights of 0, 1, ... hits so far, less than the threshold: without a glitch until now, and with one."""
Begun = tuple[bool, int, float, int]
"""Somewhere in such a test: glitched, hits; and how likely it is to come there: a weight over a total."""


Spread = dict[tuple[int, int], int]
"""Weights of (hits, place in `GLITCHES`)."""


def standing(rows: Rows, total: int) -> Iterator[Begun]:
    """Where the test goes on from, with weights over a total."""
    for glitched, row in zip((False, True), rows, strict=True):
        yield from ((glitched, hits, weight, total) for hits, weight in enumerate(row) if weight)


def weighed(spread: Spread, total: int, times: int, rounded: bool) -> tuple[list[Any], list[Any], Any]:
    """Weights of 0, 1, ... hits without a glitch and with one, and that of a critical glitch.

    Those with a glitch are for each hit that may be lost, `times` of them. Rounded ones are floats, which all sizes
    allow, and others whole numbers over the total times `times`.
    """
    most = max((hits for hits, _ in spread), default=0)
    smooth, glitched, critical = kinds = [[0] * (most + 1) for _ in GLITCHES]
    for (hits, kind), weight in spread.items():
        each = weight if kind == 1 else weight * times
        kinds[kind][hits] += each / (total * times) if rounded else each  # type: ignore[assignment]
    return smooth, glitched, adding(critical)(critical)


def joined(rows: Rows, total: int, begun: Sequence[Begun], rounded: bool) -> tuple[Rows, int]:
    """The rows, and those tests that begin here, over one denominator."""
    if rounded:
        begun = [(glitched, hits, weight / its, 1) for glitched, hits, weight, its in begun]
    least = lcm(total, *[its for *_, its in begun])
    both = tuple([weight * (least // total) for weight in row] for row in rows) if begun else rows
    for glitched, hits, weight, its in begun:
        both[glitched][hits] += weight * (least // its)
    return both, least  # type: ignore[return-value]


def after(
    rows: Rows, thrown: tuple[list[Any], list[Any], Any], times: int, budget: Budget
) -> tuple[Rows, dict[tuple[int, bool, str], Any]]:
    """The rows after a roll, and what ended with it: weights of (hits, glitched, why)."""
    threshold, (smooth, glitched, critical) = len(rows[0]), thrown
    either = [mine + other for mine, other in zip(*rows, strict=True)]
    never, before, now = (
        product(row, other, budget)
        for row, other in ((rows[0], smooth), (rows[1], smooth), (either, glitched))
    )
    ends = {}
    for hits in range(threshold, len(never)):
        ends[hits, False, "threshold"] = never[hits]
        ends[hits, True, "threshold"] = before[hits] + times * now[hits]
    ends |= {(hits, True, "critical-glitch"): weight * critical for hits, weight in enumerate(either)}
    for hits, weight in enumerate(now[:threshold]):
        for lost in LOST if times > 1 else (0,):
            before[max(0, hits - lost)] += weight
    return (never[:threshold], before[:threshold]), {end: weight for end, weight in ends.items() if weight}


def product(row: Sequence[Any], other: Sequence[Any], budget: Budget) -> list[Any]:
    """Weights of the sum of two independent counts."""
    size, width = len(row), len(other)
    if not any(row):
        return [0] * (size + width - 1)
    backwards, found, add = other[::-1], [], adding(row, other)
    for count in range(size + width - 1):
        budget.check()
        low, high = max(0, count - width + 1), min(size, count + 1)
        skip = width - 1 - count
        found.append(add(map(mul, row[low:high], backwards[skip + low : skip + high])))
    return found


def adding(*rows: Sequence[Any]) -> Callable[[Iterable[Any]], Any]:
    """What adds up such weights: `sum` of floats is not the same on every Python."""
    return fsum if any(float in set(map(type, row)) for row in rows) else sum
