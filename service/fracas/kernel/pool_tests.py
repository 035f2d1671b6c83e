"""Tests with a pool of dice, in any edition that counts hits: what decisions depend on, and throws as odds need them.

The one who may decide something after a throw sees its ones, and hundreds of throws differ in nothing else. A decision
in advance that does not go by them needs to know only which glitch they make, now and with dice that may be added.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from fracas.dice.pools import GLITCHES, UNTOLD, UNTOLD_SMOOTH, Pool, glitch_of
from fracas.dice.requests import Spread
from fracas.errors import InputError
from fracas.kernel.ruleset import ContextField
from fracas.kernel.stage import Option

__all__ = [
    "BUY",
    "EDGE_DICE",
    "EVERYTHING",
    "GLITCH",
    "MOST_THROWS",
    "NONE",
    "NOTHING",
    "ONES",
    "ONLY_REPORTED",
    "POOL",
    "SHORT",
    "WHETHER_GLITCH",
    "Ones",
    "weigh",
]

POOL = ContextField("pool", "Dice of the pool")
"""Known before the throw."""
EDGE_DICE = ContextField("edge", "Dice that Edge brings")
"""Known before the throw."""
ONES = ContextField("ones", "Ones of one's own")
"""Known after the throw."""
GLITCH = ContextField("glitch", "Glitch of one's own", GLITCHES)
"""Known after the throw."""
SHORT = ContextField("short", "Hits that are missing as it stands: 0 or less is a success")
"""Known after the throw."""

NONE = Option("none", "No")
"""The option of every such decision that costs nothing."""
BUY = Option("buy", "Buy a hit for every four dice")
"""The option of a decision to buy hits, instead of a throw."""

NOTHING, EVERYTHING, ONLY_REPORTED, WHETHER_GLITCH = -1, -2, -3, -4
"""What the ones of a throw are good for, see `Ones`."""

MOST_THROWS = 20_000
"""Throws of two sides that are distinguished at most where each one counts; both may yet throw again after each."""


class Ones(NamedTuple):
    """One side's dice, and what its ones are good for.

    Attributes:
        dice_to_come: dice that may be added to the test, for whose glitch these ones count; `NOTHING`: the ones do not
            matter at all; `ONLY_REPORTED`: nothing but the chance of a glitch, which is reported, depends on them;
            `WHETHER_GLITCH`: the same, and whether they make a glitch now; `EVERYTHING`: each one counts.
    """

    pool: Pool
    dice_to_come: int


@lru_cache(maxsize=1024)
def weigh(first: Ones, second: Ones | None = None) -> Spread:
    """How likely (hits, ones) of one side are, or (hits, ones, hits, ones) of two; some ones stand for others too."""
    mine = _alike(first)
    if second is None:
        return Spread(tuple(mine), tuple(mine.values()), sum(mine.values()))
    theirs = _alike(second)
    if first.dice_to_come == second.dice_to_come == EVERYTHING and len(mine) * len(theirs) > MOST_THROWS:
        message = f"decisions go by the ones of both sides: {len(mine)} throws against {len(theirs)}"
        hint = "go by hits and glitches, or have fewer dice"
        raise InputError.one("decisions", "too-complex", message, hint)
    both = {(*one, *other): weight * share for one, weight in mine.items() for other, share in theirs.items()}
    return Spread(tuple(both), tuple(both.values()), sum(mine.values()) * sum(theirs.values()))


def _alike(part: Ones) -> dict[tuple[int, int], int]:
    """Weights of (hits, ones), with the fewest ones of those that come to the same."""
    pool, dice_to_come = part
    if dice_to_come == EVERYTHING:
        return pool.joint()
    if dice_to_come == NOTHING:
        return {(hits, 0): weight for hits, weight in enumerate(pool.hit_weights()) if weight}
    if dice_to_come == ONLY_REPORTED:
        return {(hits, UNTOLD): weight for hits, weight in enumerate(pool.hit_weights()) if weight}
    if dice_to_come == WHETHER_GLITCH:
        reported = pool.by_glitch().items()
        return {(hits, pool.dice + 1 if kind else UNTOLD_SMOOTH): weight for (hits, kind), weight in reported}
    fewest: dict[tuple[bool, int], int] = {}
    found: dict[tuple[int, int], int] = defaultdict(int)
    for (hits, ones), weight in sorted(pool.joint().items(), key=lambda item: item[0][1]):
        ones = fewest.setdefault(_meaning(pool, ones, dice_to_come), ones)
        found[hits, ones] += weight
    return found


def _meaning(pool: Pool, ones: int, dice_to_come: int) -> tuple[bool, int]:
    """Whether the ones make a glitch, and with how many further ones among the dice to come they do."""

    def glitches(dice: int, ones: int) -> bool:
        return glitch_of(dice, 1, ones, pool.glitch) != "none"

    later = (glitches(pool.dice + dice_to_come, ones + more) for more in range(dice_to_come + 1))
    return glitches(pool.dice, ones), sum(later)
