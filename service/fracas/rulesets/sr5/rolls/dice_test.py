"""Tests of Shadowrun 5: one pool, or two pools against each other, with limits and Edge (rulebook 8.1 to 8.3).

Every procedure of the edition builds on `start`. A test is a chain

    BeforeRoll (each side that may decide something) -> Throw -> AfterThrow (each side) -> [ExtraThrow] -> receiver

The receiver, a value with a method `take`, is data in the stage, so that the chain survives JSON. It gets the hits that
the limits let count. Each side spends one point of Edge at most.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from fracas.dice.pools import Opposed
from fracas.dice.requests import Spread
from fracas.kernel.readers import Watched
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Roll, Stage, stage_class
from fracas.rulesets.sr5.rolls.after_throw import AfterThrow, after_throw, alike
from fracas.rulesets.sr5.rolls.edge_choices import (
    BUY,
    BUY_HITS,
    DECISIONS,
    EDGE_BEFORE,
    NONE,
    PUSH,
    TEST_DECISIONS,
)
from fracas.rulesets.sr5.rolls.sides import DiceTest, Receiver, Side, Way, side_of, spent_edge

__all__ = ["DECISIONS", "TEST_DECISIONS", "Receiver", "Side", "side_of", "spent_edge", "start"]

_TURNS = 4
"""Edge of the first side, hits that it buys, and the same of the second side."""


def start(first: Side, second: Side | None, then: Receiver) -> Stage:
    """The first stage of a test; the second side is None for a test that nobody opposes."""
    return _before(DiceTest(first, second, ("plain", "plain"), then), 0)


def _before(test: DiceTest, turn: int) -> Stage:
    """The next decision before the throw, or the throw. Nobody is asked about a test that the first side forgoes."""
    for at in range(turn, _TURNS):
        if at == 2 and not test.first.pool and test.ways[0] == "plain":
            forgone = test.then.forgo()
            if forgone is not None:
                stage: Stage = forgone
                return stage
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


@stage_class
class BeforeRoll(NamedTuple):
    """A combatant may push the limit, or buy hits, before the dice are thrown; for `turn` see `_TURNS`."""

    test: DiceTest
    turn: int
    kind: Literal["sr5.before-roll"] = "sr5.before-roll"

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

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Throw(NamedTuple):
    """The dice of the test are thrown, those of both sides at once.

    Attributes:
        deciding: a combatant may decide something afterwards; if not, the answer is the hits alone.
    """

    test: DiceTest
    deciding: bool
    kind: Literal["sr5.throw"] = "sr5.throw"

    @property
    def awaits(self) -> Awaited:
        test, detail = self.test, "full" if self.deciding else "hits"
        first, second = test.first, test.second
        if second is None:
            return Roll((first.label,), (first.by,), test.pool(0, "full" if self.deciding else "hits"))
        both = Opposed(test.pool(0, "hits"), test.pool(1, "hits"), "full" if detail == "full" else "hits")
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

    def effects(self) -> tuple[Effect, ...]:
        return ()
