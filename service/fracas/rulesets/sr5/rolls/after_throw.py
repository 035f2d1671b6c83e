"""What Edge does after a throw: more dice, dice thrown again, glitches cancelled (rulebook section 8.3)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from fracas.dice.pools import UNTOLD, UNTOLD_SMOOTH, Pool, glitch_of
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Roll, Stage, stage_class
from fracas.rulesets.sr5.rolls.edge_choices import (
    CLOSE_CALL,
    EDGE_AFTER,
    NONE,
    PUSH_AFTER,
    SECOND_CHANCE,
    close_call,
)
from fracas.rulesets.sr5.rolls.sides import GLITCH_RULE, DiceTest, Way

_TURNS = 4
"""More dice of the first side, its Close Call, and the same of the second side."""


@stage_class
class AfterThrow(NamedTuple):
    """One side sees the dice and may spend a point of Edge.

    Attributes:
        hits: of both sides, before limits.
        ones: of both sides.
        turn: see `_TURNS`.
    """

    test: DiceTest
    hits: tuple[int, int]
    ones: tuple[int, int]
    turn: int
    kind: Literal["sr5.after-throw"] = "sr5.after-throw"

    def glitch(self) -> str:
        """The glitch of the side whose turn it is."""
        at = self.turn // 2
        return glitch_of(self.test.side(at).pool, self.hits[at], self.ones[at], GLITCH_RULE)

    def options(self) -> tuple[Option, ...]:
        at = self.turn // 2
        side = self.test.side(at)
        if self.turn % 2:
            glitch = self.glitch()
            return (NONE, close_call(side.label, glitch)) if side.closes and glitch != "none" else (NONE,)
        if not side.edge_after:
            return (NONE,)
        return (NONE, PUSH_AFTER, SECOND_CHANCE) if self.hits[at] < side.pool else (NONE, PUSH_AFTER)

    @property
    def awaits(self) -> Awaited:
        at = self.turn // 2
        side = self.test.side(at)
        about: tuple[tuple[str, Fact], ...] = (
            ("roll", side.label),
            ("hits", self.hits[at]),
            ("ones", self.ones[at]),
            ("glitch", self.glitch()),
        )
        if self.test.second is not None:
            about += (("other_hits", self.hits[1 - at]),)
        if side.limit is not None:
            about += (("limit", side.limit),)
        about += self.test.short(at, *self.hits)
        return Decision(CLOSE_CALL if self.turn % 2 else EDGE_AFTER, side.by, self.options(), "none", about)

    def advance(self, answer: str) -> Stage:
        at = self.turn // 2
        if answer == "none":
            return after_throw(self)
        if self.turn % 2:
            return after_throw(self._replace(test=self.test.went(at, "close-call")))
        way: Way = "push-after" if answer == "push-after" else "second-chance"
        return ExtraThrow(self, way)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


def after_throw(seen: AfterThrow) -> Stage:
    """The next decision, or the receiver. Ones are forgotten where nothing depends on them any more."""
    for turn in range(seen.turn + 1, _TURNS):
        if turn // 2 in seen.test.places and seen.test.may_decide_after(turn // 2):
            next_one = seen._replace(turn=turn)
            if len(next_one.options()) > 1:
                return next_one._replace(ones=(0, seen.ones[1])) if turn > 1 else next_one
    return seen.test.result(*seen.hits)


@stage_class
class ExtraThrow(NamedTuple):
    """The dice that Edge brings after the throw."""

    seen: AfterThrow
    way: Way
    kind: Literal["sr5.extra-throw"] = "sr5.extra-throw"

    @property
    def awaits(self) -> Awaited:
        seen, at = self.seen, self.seen.turn // 2
        side = seen.test.side(at)
        pool = seen.test.extra_pool(at, self.way, seen.hits[at], seen.ones[at])
        return Roll((side.label,), (side.by,), pool)

    def advance(self, answer: int) -> Stage:
        seen, at = self.seen, self.seen.turn // 2
        hits = (seen.hits[0], answer) if at else (answer, seen.hits[1])
        return after_throw(seen._replace(test=seen.test.went(at, self.way), hits=hits, turn=2 * at + 1))

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


def alike(pool: Pool, matters: bool) -> dict[tuple[int, ...], int]:
    """Weights of (hits, ones) as odds need them: of ones no more is reported than whether they make a glitch.

    Args:
        matters: the side may yet decide something; if not, its ones are not reported at all.
    """
    if not matters:
        return {(hits, UNTOLD): weight for hits, weight in enumerate(pool.hit_weights()) if weight}
    return {
        (hits, pool.dice + 1 if kind else UNTOLD_SMOOTH): weight
        for (hits, kind), weight in pool.by_glitch().items()
    }
