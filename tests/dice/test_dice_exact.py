"""Exact weights against brute force: every face of every die, counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.dice import exact

WEIGHTS = st.lists(st.integers(0, 300), min_size=1, max_size=4)
POOLS = [(dice, sides, hit) for dice in range(5) for sides in (2, 3, 6) for hit in range(2, sides + 1)]
EXPLODING = [(1, 6, 5), (2, 6, 5), (3, 6, 5), (2, 4, 2), (2, 4, 4), (1, 3, 2), (3, 2, 2)]


def counted(lists: list[list[int]]) -> list[int]:
    """Weights of the sum of one index from each list, by going through all combinations."""
    size = sum(len(weights) - 1 for weights in lists) + 1
    total = [0] * size
    for places in product(*(range(len(weights)) for weights in lists)):
        total[sum(places)] += prod(weights[at] for weights, at in zip(lists, places, strict=True))
    return total


def rolls(dice: int, sides: int) -> Iterator[tuple[int, ...]]:
    return product(range(1, sides + 1), repeat=dice)


def exploded(dice: int, sides: int, extra: int) -> Iterator[tuple[int, ...]]:
    """Every way to throw exploding dice in which at most `extra` dice are added."""
    for faces in rolls(dice, sides):
        tops = faces.count(sides)
        if tops == 0:
            yield faces
        elif tops <= extra:
            for more in exploded(tops, sides, extra - tops):
                yield faces + more


def at_least(wanted: int, weights: dict[tuple[int, int], int]) -> Fraction:
    met = sum(weight for (hits, _), weight in weights.items() if hits >= wanted)
    return Fraction(met, sum(weights.values()))


@given(WEIGHTS, st.integers(0, 4))
def test_power_is_the_sum_of_independent_copies(weights: list[int], count: int) -> None:
    assert exact.power(weights, count) == counted([weights] * count)


@given(WEIGHTS, WEIGHTS)
def test_convolve_is_the_sum_of_two_independent_values(first: list[int], second: list[int]) -> None:
    assert exact.convolve(first, second) == counted([first, second])


@given(WEIGHTS, WEIGHTS)
def test_convolve_does_not_mind_the_order(first: list[int], second: list[int]) -> None:
    assert exact.convolve(first, second) == exact.convolve(second, first)


@given(st.lists(st.integers(0, 2**200), min_size=1, max_size=6), st.integers(0, 9))
def test_power_of_huge_weights_loses_nothing(weights: list[int], count: int) -> None:
    assert sum(exact.power(weights, count)) == sum(weights) ** count


@given(
    st.lists(st.integers(0, 2**200), min_size=1, max_size=40),
    st.lists(st.integers(0, 9), min_size=1, max_size=40),
)
def test_convolve_of_huge_weights_loses_nothing(first: list[int], second: list[int]) -> None:
    assert sum(exact.convolve(first, second)) == sum(first) * sum(second)


@given(WEIGHTS, st.integers(0, 5), st.integers(0, 5))
def test_power_of_a_sum_of_counts_is_the_convolution_of_powers(
    weights: list[int], one: int, two: int
) -> None:
    assert exact.power(weights, one + two) == exact.convolve(
        exact.power(weights, one), exact.power(weights, two)
    )


@pytest.mark.parametrize(("dice", "sides", "hit"), [*POOLS, (3, 6, 1), (3, 6, 7), (2, 10, 8)])
def test_hits_count_the_faces_of_at_least_the_hit(dice: int, sides: int, hit: int) -> None:
    found = Counter(sum(face >= hit for face in faces) for faces in rolls(dice, sides))
    assert exact.hits(dice, sides, hit) == tuple(found[hits] for hits in range(dice + 1))


@pytest.mark.parametrize(("dice", "sides", "hit"), POOLS)
def test_hits_and_ones_are_counted_jointly(dice: int, sides: int, hit: int) -> None:
    found = Counter((sum(face >= hit for face in faces), faces.count(1)) for faces in rolls(dice, sides))
    assert exact.hits_and_ones(dice, sides, hit) == dict(found)


@pytest.mark.parametrize("dice", [0, 1, 15, 150])
def test_weights_of_pools_sum_to_every_way_the_dice_can_fall(dice: int) -> None:
    assert sum(exact.hits(dice, 6, 5)) == 6**dice
    assert sum(exact.hits_and_ones(dice, 6, 5).values()) == 6**dice


@pytest.mark.parametrize(("dice", "sides", "hit"), [*EXPLODING, (0, 6, 5), (25, 6, 5)])
def test_weights_of_exploding_pools_sum_to_the_stated_total(dice: int, sides: int, hit: int) -> None:
    assert sum(exact.exploding(dice, sides, hit).values()) == sides ** (2 * dice + exact.BEYOND)


@pytest.mark.parametrize(("dice", "sides", "hit"), EXPLODING)
def test_exploding_pools_agree_with_every_throw_up_to_a_number_of_added_dice(
    dice: int, sides: int, hit: int
) -> None:
    # Each added die comes from a hit, so up to `extra` hits nothing is missing from the enumeration.
    extra = 6
    found: Counter[tuple[int, int]] = Counter()
    for faces in exploded(dice, sides, extra):
        key = sum(face >= hit for face in faces), faces[:dice].count(1)
        found[key] += Fraction(1, sides ** len(faces))  # type: ignore[assignment]
    joint = exact.exploding(dice, sides, hit)
    total = sides ** (2 * dice + exact.BEYOND)
    keys = [(hits, ones) for hits in range(extra + 1) for ones in range(dice + 1)]
    assert {key: Fraction(joint.get(key, 0), total) for key in keys} == {key: found[key] for key in keys}


def closed_form(dice: int, wanted: int) -> Fraction:
    """The chance of so many hits on 5 and 6 with exploding 6s: a coefficient of ((4 + x) / (6 - x))**n."""
    parts = (
        comb(dice, taken) * 4 ** (dice - taken) * comb(dice + wanted - taken - 1, wanted - taken) * 6**taken
        for taken in range(min(dice, wanted) + 1)
    )
    return Fraction(sum(parts), 6 ** (dice + wanted))


@pytest.mark.parametrize("dice", [1, 2, 5, 12, 30])
def test_exploding_hits_have_the_coefficients_of_the_generating_function(dice: int) -> None:
    joint = exact.exploding(dice, 6, 5)
    total = sum(joint.values())
    counts = range(dice + exact.BEYOND)
    found = [Fraction(sum(joint.get((hits, ones), 0) for ones in range(dice + 1)), total) for hits in counts]
    assert found == [closed_form(dice, hits) for hits in counts]


def test_twelve_exploding_dice_have_the_published_chances() -> None:
    joint = exact.exploding(12, 6, 5)
    assert float(1 - at_least(1, joint)) == pytest.approx(0.0077073466, abs=5e-11)
    assert float(at_least(6, joint)) == pytest.approx(0.3465663505, abs=5e-11)


@pytest.mark.parametrize("dice", [1, 2, 12, 16, 40, 80])
def test_hits_beyond_the_last_that_is_followed_join_it_and_are_a_rounding_error(
    dice: int,
) -> None:
    last = dice + exact.BEYOND
    joined = at_least(last, exact.exploding(dice, 6, 5)) - closed_form(dice, last)
    assert 0 < joined < Fraction(1, 2**53)


@pytest.mark.parametrize(
    "dice",
    [(), ((1, 20),), ((2, 10),), ((3, 6),), ((1, 4), (2, 6)), ((0, 8), (1, 3)), ((1, 4), (1, 6), (1, 8))],
)
def test_sums_are_counted_over_all_faces(dice: tuple[tuple[int, int], ...]) -> None:
    kinds = [sides for count, sides in dice for _ in range(count)]
    found = Counter(map(sum, product(*(range(1, sides + 1) for sides in kinds))))
    assert exact.sums(dice) == tuple(found[total] for total in range(len(kinds), sum(kinds) + 1))


def test_the_sum_of_a_hundred_dice_is_symmetric_and_complete() -> None:
    weights = exact.sums(((100, 6),))
    assert weights == weights[::-1]
    assert sum(weights) == 6**100
