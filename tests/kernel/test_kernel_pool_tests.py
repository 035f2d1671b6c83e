"""Throws as odds need them: what is told apart of hits and ones, against every way that the dice can fall."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from fracas.dice.pools import UNTOLD, UNTOLD_SMOOTH, Pool, glitch_of
from fracas.dice.requests import Spread
from fracas.errors import InputError
from fracas.kernel import pool_tests
from fracas.kernel.pool_tests import EVERYTHING, NOTHING, ONLY_REPORTED, WHETHER_GLITCH, Ones, weigh

DICE = 4


def chances(found: Spread) -> dict[object, Fraction]:
    pairs = zip(found.answers, found.weights, strict=True)
    return {answer: Fraction(weight, found.total) for answer, weight in pairs}


def of_all(weights: Counter[tuple[int, ...]]) -> dict[object, Fraction]:
    return {answer: Fraction(weight, weights.total()) for answer, weight in weights.items()}


def thrown(dice: int) -> Counter[tuple[int, int]]:
    """(hits, ones) of every throw."""
    faces = product(range(1, 7), repeat=dice)
    return Counter((sum(face >= 5 for face in one), one.count(1)) for one in faces)


@pytest.mark.parametrize("matters", [EVERYTHING, NOTHING, ONLY_REPORTED, WHETHER_GLITCH])
def test_ones_are_told_apart_as_far_as_they_matter(matters: int) -> None:
    expected: Counter[tuple[int, ...]] = Counter()
    for (hits, ones), weight in thrown(DICE).items():
        glitches = glitch_of(DICE, hits, ones, "half_or_more") != "none"
        seen = {EVERYTHING: ones, NOTHING: 0, ONLY_REPORTED: UNTOLD}
        expected[hits, seen.get(matters, DICE + 1 if glitches else UNTOLD_SMOOTH)] += weight
    assert chances(weigh(Ones(Pool(DICE), matters))) == of_all(expected)


@pytest.mark.parametrize("more", range(4))
def test_ones_that_come_to_the_same_stand_for_one_another(more: int) -> None:
    """With `more` dice to come: the same glitch now, and after as many further ones."""

    def meaning(ones: int) -> list[bool]:
        later = [(DICE + more, ones + extra) for extra in range(more + 1)]
        return [ones * 2 >= DICE, *(count * 2 >= dice for dice, count in later)]

    expected: Counter[tuple[int, ...]] = Counter()
    for (hits, ones), weight in thrown(DICE).items():
        expected[hits, next(least for least in range(ones + 1) if meaning(least) == meaning(ones))] += weight
    assert chances(weigh(Ones(Pool(DICE), more))) == of_all(expected)


def test_two_sides_are_thrown_together() -> None:
    expected: Counter[tuple[int, ...]] = Counter()
    for ((hits, _), weight), ((other, ones), its) in product(thrown(2).items(), thrown(1).items()):
        expected[hits, 0, other, ones] += weight * its
    assert chances(weigh(Ones(Pool(2), NOTHING), Ones(Pool(1), EVERYTHING))) == of_all(expected)


def test_too_many_throws_of_both_sides_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_tests, "MOST_THROWS", 10)
    weigh.cache_clear()  # an earlier test may have weighed these
    with pytest.raises(InputError, match="ones of both sides"):
        weigh(Ones(Pool(3), EVERYTHING), Ones(Pool(3), EVERYTHING))
