"""A test of one side or of two, and the pools that they throw, with the Edge of each (rulebook sections 1 and 2)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from fracas.dice.pools import Pool
from fracas.kernel.readers import Watched
from fracas.kernel.stage import Fact, Facts, stage_class
from fracas.rulesets.sr4.rolls.receivers import Receiver
from fracas.rulesets.sr4.rolls.sides import RollRules, Side
from fracas.rulesets.sr4.rolls.throw_weights import (
    EVERYTHING,
    NOTHING,
    ONLY_TOLD,
    WHETHER_GLITCH,
    Part,
)

Way = Literal["plain", "push", "long-shot", "buy", "burn"]
Detail = Literal["hits", "full", "glitch"]
_COSTS_EDGE = ("push", "long-shot", "burn")


HELPS, TURNS = 2, 5
"""The turn of a helper among those that decide before the throw, and how many there are, see `dice_test`."""


@stage_class
class DiceTest(NamedTuple):
    """A test before its throw: the sides and the way each rolls."""

    first: Side
    second: Side | None
    way: Way
    other_way: Way
    rules: RollRules
    then: Receiver
    kind: Literal["sr4.test"] = "sr4.test"

    def side(self, at: int) -> Side | None:
        return self.second if at else self.first

    def way_of(self, at: int) -> Way:
        return self.other_way if at else self.way

    def edge_spent(self) -> tuple[int, int]:
        return int(self.way in _COSTS_EDGE), int(self.other_way in _COSTS_EDGE)

    def decider(self, turn: int) -> Side | None:
        """Who decides something before the throw, see `dice_test`."""
        return self.first.helper if turn == HELPS else self.second if turn > HELPS else self.first

    def pool(self, at: int, detail: Detail) -> Pool:
        side, way = self.side(at), self.way_of(at)
        if side is None:
            return Pool(0, detail=detail, glitch=self.rules.glitch)
        dice, bought = side.pool, 0
        if way == "push":
            dice += side.edge
        elif way == "long-shot":
            dice = side.edge
        elif way == "buy":
            dice, bought = 0, side.pool // 4
        pool = Pool(dice, way == "push", bought, detail, self.rules.glitch)
        return pool._replace(counts_exploded=True) if self.rules.counts_exploded else pool

    def extra_pool(self, at: int, what: str, hits: int, ones: int) -> Pool:
        """The dice that Edge brings after the throw; the answer counts the whole test."""
        side = self.side(at)
        assert side is not None
        rules = self.rules
        detail: Detail = "glitch" if rules.tells_glitch and at == 0 else "hits"
        if what == "add":
            pool = Pool(side.edge_after, True, hits, detail, rules.glitch, (side.pool, ones))
            return pool._replace(counts_exploded=True) if rules.counts_exploded else pool
        misses = side.pool - hits
        return Pool(misses, rules.reroll_explodes, hits, detail, rules.glitch, (side.pool, ones), True)

    def settled(self) -> Facts:
        return self.then.notes()

    def short(self, hits: int, other_hits: int, at: int = 0) -> tuple[tuple[str, Fact], ...]:
        """The clue that tells how many hits one side lacks; none where the receiver does not know.

        The second side succeeds where the first one fails: what the first lacks is what it has to spare, and one.
        """
        short = self.then.short(self.rules.counted(hits) - other_hits, hits == other_hits == 0)
        return () if short is None else (("short", 1 - short if at else short),)

    @property
    def only_told(self) -> bool:
        """Of the first side's ones, nothing is told but the glitch: dice that came by explosions count for it."""
        return self.way == "push" and self.rules.tells_glitch and self.rules.counts_exploded

    def part(self, at: int, watched: Watched) -> Part:
        """One side's dice, and what its ones are good for when decisions go by these clues."""
        pool, side = self.pool(at, "hits"), self.side(at)
        adds, told = "add" in watched.options, at == 0 and self.rules.tells_glitch
        if side is None or not (self.may_decide_after(at) or told):
            return Part(pool, NOTHING)
        if "ones" in watched.clues:
            return Part(pool, EVERYTHING)
        if not told:
            glitches = "glitch" in watched.clues or "negate-glitch" in watched.options
            return Part(pool, WHETHER_GLITCH if glitches else ONLY_TOLD)
        if (self.rules.counts_exploded and (adds or pool.exploding)) or (adds and side.helper):
            return Part(pool, EVERYTHING)
        return Part(pool, side.edge_after if adds and self.may_decide_after(at) else 0)

    def may_decide_after(self, at: int) -> bool:
        """Edge may still be spent after the throw: once a test, and not on hits that were bought."""
        side = self.side(at)
        if side is None or self.way_of(at) != "plain" or not side.pool:
            return False
        return side.edge_after > 0 or (side.helper is not None and side.helper.edge_after > 0)
