"""The rolls of an Extended Test for exact odds, interval by interval, where no decision goes by the hits so far.

What a roll does depends on the hits so far only where they are lost or enough. So the weights of all numbers of hits
are a row, and a roll is a product of two rows, as of polynomials, instead of many thousand single stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.stage import Roll

MOST_WORK = 5_000_000
"""Products of weights that are calculated at most, in products of short ones: a second or two."""

LONG = 24_000
"""A product takes twice the time where weights have so many digits: of the roll, times all rolls until then."""

LOST = (1, 2, 3, 4, 5, 6)
"""What a die may show that takes hits away."""


class Start(NamedTuple):
    """Somewhere in an Extended Test, and how likely it is to come there: `weight / total`."""

    hits: int
    rolls: int
    glitched: bool
    weight: float
    total: int


class End(NamedTuple):
    """How an Extended Test may end; for `why` see `ExtendedEnd`."""

    hits: int
    rolls: int
    glitched: bool
    why: str


class Tried(NamedTuple):
    """What comes of one roll with the decisions about it, whatever the hits so far.

    Attributes:
        kept: weights of (hits, place in `GLITCHES`) where no Edge was spent.
        spent: the same where it was.
        total: of all these weights.
        thrown: the rolls on the way, and the chance that each is made.
    """

    kept: Mapping[tuple[int, int], int]
    spent: Mapping[tuple[int, int], int]
    total: int
    thrown: Sequence[tuple[Roll, float]]


class Interval(NamedTuple):
    """What comes of one interval.

    Attributes:
        thrown: the rolls in it, and the chance of each; none where the test ends before, without dice or time.
        ends: weights of the ends over `total`: whole numbers, unless rounded ones were asked for.
        paid: ends where Edge was spent in this interval.
        after: where those stand who have spent it and go on.
    """

    thrown: Sequence[tuple[Roll, float]]
    ends: Mapping[End, Any]
    paid: Mapping[End, Any]
    after: Sequence[Start]
    total: int


class _Thrown(NamedTuple):
    """Weights of 0, 1, ... hits without a glitch and with one, and that of a critical glitch.

    Those with a glitch are for each hit that may be lost, `times` of them.
    """

    smooth: tuple[Any, ...]
    glitched: tuple[Any, ...]
    critical: Any
    total: int
    times: int


class _Rows(NamedTuple):
    """Weights of the hits so far, less than the threshold, without a glitch until now and with one."""

    smooth: list[Any]
    glitched: list[Any]
    total: int


def intervals(
    starts: Iterable[Start],
    tried: Callable[[int], Tried | None],
    threshold: int,
    last: int,
    loses: bool,
    rounded: bool = False,
    budget: Budget = UNLIMITED,
) -> Iterator[Interval]:
    """Every interval from the first start on, the one that ends the test for want of dice or time included.

    Args:
        starts: with fewer hits than the threshold.
        tried: what comes of the roll after so many; None for no dice.
        last: number of rolls that there is time for.
        loses: a glitch loses hits.
        rounded: calculate with floats, which all sizes allow.

    Raises:
        OverBudgetError: it takes too long.
    """
    waiting: dict[int, list[Start]] = {}
    for start in starts:
        waiting.setdefault(start.rolls, []).append(start)
    rows, made = _Rows([0] * threshold, [0] * threshold, 1), min(waiting)
    while True:
        rows = _joined(rows, waiting.pop(made, ()), rounded)
        roll = None if made >= last else tried(made)
        if roll is None:
            why = "time" if made >= last else "no-dice"
            ends = {End(one.hits, made, one.glitched, why): one.weight for one in _standing(rows, made)}
            yield Interval((), ends, {}, (), rows.total)
            return
        chance, made = (sum(rows.smooth) + sum(rows.glitched)) / rows.total, made + 1
        kept, spent = (_weighed(part, roll.total, loses, rounded) for part in (roll.kept, roll.spent))
        into, paid = _after(rows, spent, made, budget)
        rows, ends = _after(rows, kept, made, budget)
        thrown = [(one, share * chance) for one, share in roll.thrown]
        yield Interval(thrown, ends, paid, [*_standing(into, made)], rows.total)


def _standing(rows: _Rows, made: int) -> Iterator[Start]:
    """Where one may stand after so many rolls."""
    for glitched, row in ((False, rows.smooth), (True, rows.glitched)):
        for hits, weight in enumerate(row):
            if weight:
                yield Start(hits, made, glitched, weight, rows.total)


def check_work(made: int, dice: Callable[[int], int], threshold: int, last: int) -> None:
    """Check that exact weights can be calculated; `dice`: of the roll after so many.

    Raises:
        InputError: they get too long.
    """
    all_dice = work = 0
    for rolls in range(made, last):
        pool = dice(rolls)
        if not pool:
            return
        all_dice += pool
        work += threshold * pool * (LONG + all_dice * pool) // LONG
        if work > MOST_WORK:
            message = f"chances of more than {rolls - made} rolls of {pool} dice are fractions too long"
            hint = "say that there is time for fewer rolls (intervals)"
            raise InputError.one("situation.intervals", "too-complex", message, hint)


def _weighed(spread: Mapping[tuple[int, int], int], total: int, loses: bool, rounded: bool) -> _Thrown:
    """Weights of (hits, place in `GLITCHES`) over a total, in rows."""
    times = len(LOST) if loses else 1
    most = max((hits for hits, _ in spread), default=0)
    kinds: list[list[Any]] = [[0] * (most + 1) for _ in range(3)]
    total *= times
    for (hits, kind), weight in spread.items():
        each = weight if kind == 1 else weight * times
        kinds[kind][hits] += each / total if rounded else each
    smooth, glitched, critical = kinds
    return _Thrown(tuple(smooth), tuple(glitched), sum(critical), 1 if rounded else total, times)


def _joined(rows: _Rows, starts: Sequence[Start], rounded: bool) -> _Rows:
    """The rows, and those who begin here, over one denominator."""
    if not starts:
        return rows
    if rounded:
        starts = [start._replace(weight=start.weight / start.total, total=1) for start in starts]
    total = lcm(rows.total, *[start.total for start in starts])
    factor = total // rows.total
    both = [[weight * factor for weight in row] for row in (rows.smooth, rows.glitched)]
    for start in starts:
        both[start.glitched][start.hits] += start.weight * (total // start.total)
    return _Rows(both[0], both[1], total)


def _after(rows: _Rows, thrown: _Thrown, made: int, budget: Budget) -> tuple[_Rows, dict[End, Any]]:
    """The rows after a roll, and what ended with it."""
    threshold, times = len(rows.smooth), thrown.times
    either = [mine + other for mine, other in zip(rows.smooth, rows.glitched, strict=True)]
    smooth = _product(rows.smooth, thrown.smooth, budget)
    glitched = _product(rows.glitched, thrown.smooth, budget)
    now = _product(either, thrown.glitched, budget)
    ends: dict[End, Any] = {}
    for hits in range(threshold, len(smooth)):
        for before, weight in ((False, smooth[hits]), (True, glitched[hits] + times * now[hits])):
            if weight:
                ends[End(hits, made, before, "threshold")] = weight
    for hits, weight in enumerate(either):
        if weight and thrown.critical:
            ends[End(hits, made, True, "critical-glitch")] = weight * thrown.critical
    left = glitched[:threshold]
    for hits, weight in enumerate(now[:threshold]):
        if not weight:
            continue
        for lost in LOST if times > 1 else (0,):
            left[max(0, hits - lost)] += weight
    return _Rows(smooth[:threshold], left, rows.total * thrown.total), ends


def _product(row: Sequence[Any], other: Sequence[Any], budget: Budget) -> list[Any]:
    """Weights of the sum of two independent counts."""
    size, width = len(row), len(other)
    if not any(row):
        return [0] * (size + width - 1)
    backwards = other[::-1]
    found = []
    for count in range(size + width - 1):
        budget.check()
        low, high = max(0, count - width + 1), min(size, count + 1)
        found.append(
            sum(map(mul, row[low:high], backwards[width - 1 - count + low : width - 1 - count + high]))
        )
    return found
