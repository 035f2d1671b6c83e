"""Hits that add up throw by throw: rows of weights against every way, one after the other."""

from __future__ import annotations

from collections import Counter
from itertools import product as ways

from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel import adding_up
from fracas.kernel.budget import UNLIMITED

WEIGHTS = st.lists(st.integers(0, 5), min_size=1, max_size=4)
ROLLS = st.tuples(st.integers(0, 4), st.integers(0, 1)) | st.just((0, 2))
"""Hits and the kind of glitch; a critical one has no hits."""
SPREADS = st.dictionaries(ROLLS, st.integers(1, 4), min_size=1)


@given(WEIGHTS, WEIGHTS)
def test_a_product_weighs_sums(row: list[int], other: list[int]) -> None:
    expected = [0] * (len(row) + len(other) - 1)
    for (one, weight), (more, its) in ways(enumerate(row), enumerate(other)):
        expected[one + more] += weight * its
    assert adding_up.product(row, other, UNLIMITED) == expected


@given(SPREADS, st.integers(1, 6), st.booleans())
def test_a_throw_takes_every_way_there_is(
    spread: dict[tuple[int, int], int], threshold: int, loses: bool
) -> None:
    """From no hits with weight 2, and from the hits before the last with a glitch with weight 1."""
    rows: adding_up.Rows = ([2] + [0] * (threshold - 1), [0] * (threshold - 1) + [1])
    total, times = sum(spread.values()), 6 if loses else 1
    left, ends = adding_up.after(rows, adding_up.weighed(spread, total, times, False), times, UNLIMITED)
    going: Counter[tuple[bool, int]] = Counter()
    ended: Counter[tuple[int, bool, str]] = Counter()
    for (glitched, had, before), ((hits, kind), weight) in ways(
        ((False, 0, 2), (True, threshold - 1, 1)), spread.items()
    ):
        for lost in adding_up.LOST if loses else (0,):
            each, now = before * weight, had + hits
            if kind == 2:
                ended[had, True, "critical-glitch"] += each
            elif now >= threshold:
                ended[now, glitched or kind == 1, "threshold"] += each
            else:
                going[glitched or kind == 1, max(0, now - lost) if kind else now] += each
    assert {
        (glitched, hits): weight for glitched, hits, weight, _ in adding_up.standing(left, total * times)
    } == going
    assert ends == ended


def test_tests_that_begin_later_join_over_one_denominator() -> None:
    rows, total = adding_up.joined(([1, 0], [0, 0]), 2, [(True, 1, 1, 3)], False)
    assert (rows, total) == (([3, 0], [0, 2]), 6)
