"""Timing two pieces of work in turn, so that a drift of the machine hits both."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple


class Row(NamedTuple):
    """One figure that was measured, or that could not be.

    Attributes:
        against: whose work ours is compared with.
        ours, peer: medians, in `unit`; the peer's is None where it is missing.
        ratio: how many times better ours is, or of a share, ours by the peer's; the median over the runs.
        goal: what the ratio must reach; `at_most` turns the comparison round.
        note: what was compared, or why not.
    """

    name: str
    against: str
    unit: str
    ours: float | None
    peer: float | None
    ratio: float | None
    goal: float | None
    at_most: bool
    note: str

    @property
    def met(self) -> bool | None:
        """None where nothing could be measured, or nothing is wanted."""
        if self.ratio is None or self.goal is None:
            return None
        return self.ratio <= self.goal if self.at_most else self.ratio >= self.goal


class Figure(NamedTuple):
    """What a part of the bench measures; see `Row`. Without a goal it is shown for information."""

    name: str
    against: str
    unit: str
    goal: float | None
    at_most: bool = False

    def row(self, ours: float | None, peer: float | None, ratio: float | None, note: str = "") -> Row:
        return Row(self.name, self.against, self.unit, ours, peer, ratio, self.goal, self.at_most, note)

    def missing(self, why: str) -> Row:
        return self.row(None, None, None, why)


def in_turn(
    ours: Callable[[], object], peer: Callable[[], object], runs: int = 7
) -> tuple[float, float, float]:
    """Median seconds a call of ours and of the peer's, and the median of the runs' ratios peer / ours."""
    mine, theirs = _count(ours), _count(peer)
    pairs = [(_time(ours, mine), _time(peer, theirs)) for _ in range(runs)]
    return median(a for a, _ in pairs), median(b for _, b in pairs), median(b / a for a, b in pairs)


def _count(work: Callable[[], object]) -> int:
    """Calls that take about 20 milliseconds."""
    work()
    count = 1
    while (taken := _time(work, count) * count) < 0.02 and count < 100_000:
        count = max(count * 2, int(count * 0.02 / max(taken, 1e-7)) // 2)
    return count


def _time(work: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        work()
    return (time.perf_counter() - start) / count
