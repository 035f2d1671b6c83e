"""Tests of Shadowrun 5: one pool, or two pools against each other, with limits and Edge (rulebook 8.1 to 8.3).

Every procedure of the edition builds on `start`. A test is a chain

    BeforeRoll (each side that may decide something) -> Throw -> AfterThrow (each side) -> [ExtraThrow] -> receiver

The receiver, a value with a method `take`, is data in the stage, so that the chain survives JSON. It gets the hits that
the limits let count. Each side spends one point of Edge at most: before the throw, or after it for more dice, for dice
thrown again, or for a glitch that is cancelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fracas.dice.pools import UNTOLD, UNTOLD_SMOOTH, Opposed, Pool, glitch_of
from fracas.dice.requests import Spread
from fracas.kernel.forms import Waiting
from fracas.kernel.procedures import Procedure
from fracas.kernel.readers import Watched
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Fact, Facts, Option, Roll, Stage
from fracas.rulesets.sr5.rolls.sides import (
    BUY,
    BUY_HITS,
    CLOSE_CALL,
    DECISIONS,
    EDGE_AFTER,
    EDGE_BEFORE,
    FLOOR,
    GLITCH_RULE,
    LIMIT_FLOOR,
    NONE,
    PUSH,
    PUSH_AFTER,
    SECOND_CHANCE,
    TEST_DECISIONS,
    DiceTest,
    Receiver,
    Side,
    Way,
    close_call,
    side_of,
    spent_edge,
)

__all__ = [
    "DECISIONS",
    "FLOOR",
    "LIMIT_FLOOR",
    "TEST_DECISIONS",
    "Receiver",
    "Side",
    "TestingProcedure",
    "side_of",
    "spent_edge",
    "start",
]

_TURNS = 4
"""Edge of the first side, hits that it buys, and the same of the second side."""


class TestingProcedure(Procedure):
    """A procedure of tests, about which may be decided what Edge offers."""

    decisions: Sequence[DecisionInfo] = DECISIONS


def start(first: Side, second: Side | None, then: Receiver) -> Stage:
    """The first stage of a test; the second side is None for a test that nobody opposes."""
    return _before(DiceTest(first, second, ("plain", "plain"), then), 0)


def _before(test: DiceTest, turn: int) -> Stage:
    """The next decision before the throw, or the throw. Nobody is asked about a test that the first side forgoes."""
    for at in range(turn, _TURNS):
        if at == 2 and not test.first.pool and test.ways[0] == "plain":
            receiver: Receiver = test.then
            if (forgone := receiver.forgo()) is not None:
                return forgone
        if at // 2 in test.places and len(_options(test, at)) > 1:
            return BeforeRoll(test, at)
    return Throw(test, any(test.may_decide_after(at) for at in test.places))


def _options(test: DiceTest, turn: int) -> tuple[Option, ...]:
    side = test.side(turn // 2)
    if test.ways[turn // 2] != "plain":
        return (NONE,)
    if turn % 2:
        return (NONE, BUY) if side.can_buy and side.pool >= 4 else (NONE,)
    return (NONE, PUSH) if side.edge else (NONE,)


class BeforeRoll(Waiting, kind="sr5.before-roll"):
    """A combatant may push the limit, or buy hits, before the dice are thrown; for `turn` see `_TURNS`."""

    test: DiceTest
    turn: int

    @property
    def awaits(self) -> Awaited:
        side = self.test.side(self.turn // 2)
        about: tuple[tuple[str, Fact], ...] = (("roll", side.label), ("pool", side.pool), ("edge", side.edge))
        if side.limit is not None:
            about += (("limit", side.limit),)
        decision = BUY_HITS if self.turn % 2 else EDGE_BEFORE
        return Decision(decision, side.by, _options(self.test, self.turn), "none", about)

    def advance(self, answer: Way | Literal["none"]) -> Stage:
        test = self.test if answer == "none" else self.test.went(self.turn // 2, answer)
        return _before(test, self.turn + 1)

    def notes(self) -> Facts:
        receiver: Receiver = self.test.then
        return receiver.notes()


class Throw(Waiting, kind="sr5.throw"):
    """The dice of the test are thrown, those of both sides at once.

    Attributes:
        deciding: a combatant may decide something afterwards; if not, the answer is the hits alone.
    """

    test: DiceTest
    deciding: bool

    @property
    def awaits(self) -> Awaited:
        test, first, second = self.test, self.test.first, self.test.second
        detail: Literal["hits", "full"] = "full" if self.deciding else "hits"
        if second is None:
            return Roll((first.label,), (first.by,), test.pool(0, detail))
        both = Opposed(test.pool(0, "hits"), test.pool(1, "hits"), detail)
        return Roll((first.label, second.label), (first.by, second.by), both)

    def weigh(self, watched: Watched) -> Spread:
        """The spread of the throw for decisions that go by these clues, see `kernel.odds.Transitions`."""
        if not self.deciding or "ones" in watched.clues:
            roll = self.awaits
            assert isinstance(roll, Roll)
            return roll.request.spread()
        parts = [alike(self.test.pool(at, "hits"), self.test.may_decide_after(at)) for at in self.test.places]
        joint = parts[0]
        if len(parts) == 2:
            joint = {
                (*one, *other): weight * share
                for one, weight in parts[0].items()
                for other, share in parts[1].items()
            }
        return Spread(tuple(joint), tuple(joint.values()), sum(joint.values()))

    def advance(self, answer: int | tuple[int, ...]) -> Stage:
        test = self.test
        if isinstance(answer, int):
            return test.result(answer, 0)
        if self.deciding:
            hits, ones, other_hits, other_ones = answer if len(answer) == 4 else (*answer, 0, 0)
            return after_throw(AfterThrow(test, (hits, other_hits), (ones, other_ones), -1))
        hits, other_hits = answer
        return test.result(hits, other_hits)

    def notes(self) -> Facts:
        receiver: Receiver = self.test.then
        return receiver.notes()


class AfterThrow(Waiting, kind="sr5.after-throw"):
    """One side sees the dice and may spend a point of Edge.

    Attributes:
        hits: of both sides, before limits.
        ones: of both sides.
        turn: 0 and 2 for more dice of the first and the second side, 1 and 3 for their Close Calls.
    """

    test: DiceTest
    hits: tuple[int, int]
    ones: tuple[int, int]
    turn: int

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


def after_throw(seen: AfterThrow) -> Stage:
    """The next decision, or the receiver. Ones are forgotten where nothing depends on them any more."""
    for turn in range(seen.turn + 1, _TURNS):
        if turn // 2 in seen.test.places and seen.test.may_decide_after(turn // 2):
            next_one = seen._replace(turn=turn)
            if len(next_one.options()) > 1:
                return next_one._replace(ones=(0, seen.ones[1])) if turn > 1 else next_one
    return seen.test.result(*seen.hits)


class ExtraThrow(Waiting, kind="sr5.extra-throw"):
    """The dice that Edge brings after the throw."""

    seen: AfterThrow
    way: Way

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
