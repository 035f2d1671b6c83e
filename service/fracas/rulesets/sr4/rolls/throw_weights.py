"""Throws of a test as exact odds need them: those that come to the same whatever is decided afterwards are one.

Whoever may spend Edge after a throw sees its ones, and hundreds of throws differ in nothing else. A decision taken in
advance that does not go by them needs to know only which glitch they make, now and with the dice that Edge may add.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from fracas.dice.pools import UNTOLD, UNTOLD_SMOOTH, Pool, glitch_of
from fracas.dice.requests import Spread
from fracas.errors import InputError

NOTHING, EVERYTHING, ONLY_TOLD, WHETHER_GLITCH = -1, -2, -3, -4


MOST_THROWS = 20_000
"""Throws of two sides that are told apart at most where each one counts; both may yet throw again after each."""


class Part(NamedTuple):
    """One side's dice, and what its ones are good for.

    Attributes:
        dice_to_come: dice that Edge may add to the test, for whose glitch these ones count; NOTHING: the ones do not
            matter at all; ONLY_TOLD: nothing but the chance of a glitch, which is told, depends on them;
            WHETHER_GLITCH: the same, and whether they make a glitch now; EVERYTHING: each one counts.
    """

    pool: Pool
    dice_to_come: int


@lru_cache(maxsize=1024)
def weigh(first: Part, second: Part | None) -> Spread:
    """How likely (hits, ones) of one side are, or (hits, ones, hits, ones) of two; some ones stand for others too."""
    mine = _alike(first)
    if second is None:
        return Spread(tuple(mine), tuple(mine.values()), sum(mine.values()))
    theirs = _alike(second)
    if first.dice_to_come == second.dice_to_come == EVERYTHING and len(mine) * len(theirs) > MOST_THROWS:
        message = f"decisions go by the ones of both sides: {len(mine)} throws against {len(theirs)}"
        raise InputError.one(
            "decisions", "too-complex", message, "go by hits and glitches, or have fewer dice"
        )
    both = {(*one, *other): weight * share for one, weight in mine.items() for other, share in theirs.items()}
    return Spread(tuple(both), tuple(both.values()), sum(mine.values()) * sum(theirs.values()))


def _alike(part: Part) -> dict[tuple[int, int], int]:
    """Weights of (hits, ones), with the fewest ones of those that come to the same."""
    pool, dice_to_come = part
    if dice_to_come == EVERYTHING:
        return pool.joint()
    if dice_to_come == NOTHING:
        return {(hits, 0): weight for hits, weight in enumerate(pool.hit_weights()) if weight}
    if dice_to_come == ONLY_TOLD:
        return {(hits, UNTOLD): weight for hits, weight in enumerate(pool.hit_weights()) if weight}
    if dice_to_come == WHETHER_GLITCH:
        both = (
            (hits, UNTOLD_SMOOTH if not kind else pool.dice + 1, w)
            for (hits, kind), w in pool.by_glitch().items()
        )
        return {(hits, ones): weight for hits, ones, weight in both}
    fewest: dict[tuple[bool, int], int] = {}
    found: dict[tuple[int, int], int] = defaultdict(int)
    for (hits, ones), weight in sorted(pool.joint().items(), key=lambda item: item[0][1]):
        ones = fewest.setdefault(_meaning(pool, ones, dice_to_come), ones)
        found[hits, ones] += weight
    return found


def _meaning(pool: Pool, ones: int, dice_to_come: int) -> tuple[bool, int]:
    """Whether the ones make a glitch, and with how many further ones among the dice to come they do."""
    later = sum(
        _glitches(pool.dice + dice_to_come, ones + more, pool.glitch) for more in range(dice_to_come + 1)
    )
    return _glitches(pool.dice, ones, pool.glitch), later


def _glitches(dice: int, ones: int, rule: str) -> bool:
    return glitch_of(dice, 1, ones, rule) != "none"
