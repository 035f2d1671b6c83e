"""Expected values of numbers of outcomes: what "what if" compares, and faster than whole distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import fsum
from operator import mul
from typing import Any

from fracas.kernel.odds import Reached, Transitions, walk
from fracas.kernel.stage import Fork, Stage

__all__ = ["Valuation", "expected"]


def expected(first: Stage, transitions: Transitions, of: Callable[[Stage], tuple[float, ...]]) -> list[float]:
    """The expected values of some numbers over the outcomes, stage by stage from the first one on.

    Faster than a `Valuation` where many stages with the same `Shortcut` are met, which it plays together.
    """
    walked = walk(first, transitions, False)
    ends: list[tuple[int, Mapping[Stage, Any]]] = [
        end for by_total in walked.finished.values() for end in by_total.items()
    ]
    ends += [end for _, played in walked.played(True, transitions) for end in played.ends]
    return _summed(ends, transitions, of)


def _summed(
    ends: Iterable[tuple[int, Mapping[Stage, Any]]],
    transitions: Transitions,
    of: Callable[[Stage], tuple[float, ...]],
) -> list[float]:
    rows: list[list[float]] = []
    for total, weights in ends:
        transitions.budget.check()
        rows += [[weight / total * value for value in of(outcome)] for outcome, weight in weights.items()]
    return list(map(fsum, zip(*rows, strict=True)))


class Valuation:
    """Expected values of some numbers over the outcomes, remembered stage by stage.

    Chains that differ in their first throw alone share everything after it, which makes "what if" cheap.

    Attributes:
        of: the numbers of an outcome.
    """

    def __init__(self, transitions: Transitions, of: Callable[[Stage], tuple[float, ...]]) -> None:
        self._transitions = transitions
        self._of = of
        self._known: dict[Stage, tuple[float, ...]] = {}

    def __call__(self, stage: Stage) -> tuple[float, ...]:
        """The expected numbers from here on; over a fork, of its branches together."""
        known = self._known.get(stage)
        if known is None:
            known = self._known[stage] = self._value(stage)
        return known

    def _value(self, stage: Stage) -> tuple[float, ...]:
        awaited = stage.awaits
        if isinstance(stage, Fork):
            parts = [self(part) for _, part in stage.branches]
            return tuple(map(fsum, zip(*parts, strict=True)))
        if awaited is None:
            return self._of(stage)
        if rest := self._transitions.shortcut(stage):
            played = rest.play([Reached(stage, 1, 1)], True, self._transitions)
            return tuple(_summed(played.ends, self._transitions, self._of))
        total, successors, weights = self._transitions(stage, awaited)
        known = self._known.get
        shares = [weight / total for weight in weights]
        rows = [known(then) or self(then) for then in successors]
        return tuple([fsum(map(mul, shares, column)) for column in zip(*rows, strict=True)])
