"""Exact distributions with integer weights.

A die of integer weights is a polynomial. Evaluated at a large enough power of two, Python's big integers do
the powers and products of polynomials, and the digits of the result are the coefficients: exact, and faster
than convolving lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb

BEYOND = 24
"""An exploding pool of n dice is followed to n + BEYOND hits; less than 1e-16 is left, and joins the last."""


def power(weights: Sequence[int], count: int) -> list[int]:
    """Weights of the sum of `count` independent copies; index 0 stands for the smallest sum."""
    if count == 0:
        return [1]
    width = (count * sum(weights).bit_length() >> 3) + 1
    packed = sum(weight << (8 * width * index) for index, weight in enumerate(weights))
    return _cut(packed**count, (len(weights) - 1) * count + 1, width)


def convolve(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Weights of the sum of two independent values, index 0 being the sum of the two smallest."""
    shorter = min(len(first), len(second))
    width = ((max(first).bit_length() + max(second).bit_length() + shorter.bit_length()) >> 3) + 1
    return _cut(_pack(first, width) * _pack(second, width), len(first) + len(second) - 1, width)


def _pack(weights: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join(weight.to_bytes(width, "little") for weight in weights), "little")


def _cut(packed: int, size: int, width: int) -> list[int]:
    raw = packed.to_bytes(width * size, "little")
    return [int.from_bytes(raw[at : at + width], "little") for at in range(0, width * size, width)]


@lru_cache(maxsize=4096)
def hits(dice: int, sides: int, hit: int) -> tuple[int, ...]:
    """Weights of 0..dice hits, a hit being a face of at least `hit`. They sum to sides**dice."""
    return tuple(power((hit - 1, sides - hit + 1), dice))


@lru_cache(maxsize=1024)
def hits_and_ones(dice: int, sides: int, hit: int) -> dict[tuple[int, int], int]:
    """Weights of (hits, ones) jointly, for `hit` above 1. They sum to sides**dice."""
    good, plain = sides - hit + 1, hit - 2
    return {
        (count, ones): comb(dice, ones)
        * comb(dice - ones, count)
        * good**count
        * plain ** (dice - ones - count)
        for ones in range(dice + 1)
        for count in range(dice - ones + 1)
        if plain or ones + count == dice
    }


@lru_cache(maxsize=1024)
def exploding(dice: int, sides: int, hit: int) -> dict[tuple[int, int], int]:
    """Weights of (hits, ones) when the highest face is a hit and adds one more die, again and again.

    Only ones among the first `dice` dice are counted. The weights sum to sides**(2 * dice + BEYOND).

    One die is a one, a plain miss, or brings hits: with x for a hit, bonus * x / (sides - x), where
    bonus = (sides - hit) * sides + hit - 1; its m-th power has coefficients comb(k - 1, m - 1) / sides**k.
    """
    last = dice + BEYOND
    plain, bonus = hit - 2, (sides - hit) * sides + hit - 1
    joint: dict[tuple[int, int], int] = {}
    for ones in range(dice + 1):
        left = dice - ones
        ways = comb(dice, ones)
        none = ways * plain**left * sides**last
        if none:
            joint[0, ones] = none
        rest = ways * (sides - 1) ** left * sides**last - none
        paths = [comb(left, m) * plain ** (left - m) * bonus**m for m in range(left + 1)]
        for count in range(1, last if left else 0):
            reach = sum(paths[m] * comb(count - 1, m - 1) for m in range(1, min(left, count) + 1))
            weight = ways * reach * sides ** (last - count)
            rest -= weight
            if weight:
                joint[count, ones] = weight
        if rest:
            joint[last, ones] = rest
    return joint


@lru_cache(maxsize=256)
def exploding_wholly(dice: int, sides: int, hit: int) -> dict[tuple[int, int, int], int]:
    """Weights of (hits, ones, added dice) like `exploding`, the ones of added dice counted as well.

    Each die ends, after any number of highest faces, in one other face; how many dice were added does not depend on
    what these last faces show. Added dice are followed until less than 1e-16 is left, which joins the last.
    """
    if not dice:
        return {(0, 0, 0): 1}
    last, plain, good = dice // 2 + 30, hit - 2, sides - hit
    ends = (sides - 1) ** dice
    added = [comb(dice + more - 1, more) * sides ** (last - more) * ends for more in range(last)]
    added.append(sides ** (last + dice) - sum(added))
    return {
        (hits + more, ones, more): ways * weight
        for (hits, ones), ways in _last_faces(dice, plain, good)
        for more, weight in enumerate(added)
    }


def _last_faces(dice: int, plain: int, good: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Weights of (hits, ones) of dice with one face that is a one, `plain` misses and `good` hits."""
    for ones in range(dice + 1):
        for hits in range(dice - ones + 1):
            misses = dice - ones - hits
            ways = comb(dice, ones) * comb(dice - ones, hits) * good**hits * plain**misses
            if ways:
                yield (hits, ones), ways


@lru_cache(maxsize=4096)
def sums(dice: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """Weights of the sum of (count, sides) dice; index 0 stands for one pip a die."""
    total = [1]
    for count, sides in dice:
        total = convolve(total, power((1,) * sides, count))
    return tuple(total)


@lru_cache(maxsize=256)
def kept(dice: int, sides: int, keep: int, low: bool) -> dict[int, int]:
    """Weights of the sum of the `keep` highest of some dice, or the lowest. They sum to sides**dice.

    Faces are gone through from the best to the worst, with how many dice show each.
    """
    weights = {(0, 0): 1}  # by dice gone through, and the sum of those that count
    for face in range(1, sides + 1) if low else range(sides, 0, -1):
        following: dict[tuple[int, int], int] = {}
        for (gone, total), weight in weights.items():
            for count in range(dice - gone + 1):
                counting = max(0, min(count, keep - gone))
                place = (gone + count, total + counting * face)
                following[place] = following.get(place, 0) + weight * comb(dice - gone, count)
        weights = following
    return {total: weight for (gone, total), weight in sorted(weights.items()) if gone == dice}
