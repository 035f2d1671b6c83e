"""Tests of Shadowrun 5: one pool, or two pools against each other, with limits and Edge (rulebook 8.1 to 8.3).

Every procedure of the edition builds on `start`. A test is a chain

    BeforeRoll (each side that may decide something) -> Throw -> AfterThrow (each side) -> [ExtraThrow] -> receiver

The receiver, a value with a method `on_result`, is data in the stage, so that the chain survives JSON. It gets the hits
that the limits let count. Each side spends one point of Edge at most: before the throw, or after it for more dice, for
dice thrown again, or for a glitch that is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from fracas.dice.pools import Opposed, Pool, glitch_of
from fracas.dice.requests import Spread
from fracas.kernel import pool_tests
from fracas.kernel.forms import Continuation, Part, Waiting
from fracas.kernel.pool_tests import BUY, EDGE_DICE, GLITCH, NONE, ONES, POOL, SHORT, Ones, weigh
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.readers import PolicyInputs
from fracas.kernel.ruleset import ContextField, DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Roll, Stage
from fracas.kernel.tally import Entry, Tally

EDGE_BEFORE, EDGE_AFTER, CLOSE_CALL, BUY_HITS = "edge-before", "edge-after", "close-call", "buy-hits"

_LIMIT = ContextField("limit", "Most hits that count; none of a test without a limit")
_SEEN = (
    ContextField("hits", "Hits of one's own, before the limit"),
    ONES,
    GLITCH,
    ContextField("other_hits", "Hits of the other side, before its limit"),
    SHORT,
    _LIMIT,
)
_BEFORE = (POOL, EDGE_DICE, _LIMIT)
_AFTER = "Push the Limit after the roll, or a Second Chance"
DECISIONS = (
    DecisionInfo(EDGE_BEFORE, "Push the Limit before the roll", ("none", "push"), "none", _BEFORE),
    DecisionInfo(EDGE_AFTER, _AFTER, ("none", "push-after", "second-chance"), "none", _SEEN),
    DecisionInfo(CLOSE_CALL, "Close Call against a glitch", ("none", "cancel", "lessen"), "none", _SEEN),
)
"""Of every test."""
TEST_DECISIONS = (
    *DECISIONS,
    DecisionInfo(BUY_HITS, "Buy hits instead of rolling", ("none", "buy"), "none", _BEFORE),
)
"""Of tests outside of attacks, where hits may be bought."""

EDGE = (("edge", 1),)
PUSH = Option("push", "Push the Limit: Edge dice more, every 6 rolls again, no limit", EDGE)
PUSH_AFTER = Option("push-after", "Push the Limit: roll Edge dice more, their 6s roll again, no limit", EDGE)
SECOND_CHANCE = Option("second-chance", "Second Chance: roll every die again that was no hit", EDGE)


def close_call(label: str, glitch: str) -> Option:
    """What a Close Call makes of a glitch: nothing of a plain one, a plain one of a critical one."""
    if glitch == "critical":
        notes = ((f"{label}_glitch", "glitch"),)
        return Option("lessen", "Close Call: a plain glitch of a critical one", EDGE, notes)
    return Option("cancel", "Close Call: cancel the glitch", EDGE, ((f"{label}_glitch", "negated"),))


FLOOR = "A pool never falls below 0"
LIMIT_FLOOR = "A limit never falls below 0"
GLITCH_RULE = "more_than_half"

Way = Literal["plain", "push", "buy", "push-after", "second-chance", "close-call"]
"""How a side comes to its hits: what it decided before its throw, or after it."""

_FREE = ("plain", "buy")
Detail = Literal["hits", "full", "glitch"]


class Side(Part, kind="sr5.side"):
    """One side of a test.

    Attributes:
        label: names the roll's facts (``attack`` gives ``attack_hits``).
        by: who throws and decides.
        pool: dice, after all modifiers, never below 0.
        limit: the most hits that count; None for all.
        edge: dice of Edge that may be pushed before the roll; 0 where that is not offered.
        edge_after: the same for after the roll.
        closes: a glitch may be cancelled or lessened.
        can_buy: hits may be bought.
    """

    label: str
    by: str
    pool: int
    limit: int | None = None
    edge: int = 0
    edge_after: int = 0
    closes: bool = False
    can_buy: bool = False

    @property
    def bound(self) -> dict[str, int]:
        """What a decision shows of the limit."""
        return {} if self.limit is None else {"limit": self.limit}

    def without_points(self) -> Side:
        """Where no point of Edge is left."""
        return self._replace(edge=0, edge_after=0, closes=False)

    def with_points(self, left: int) -> Side:
        """Where so many points of Edge are left."""
        return self if left > 0 else self.without_points()


def side_of(
    it: Attempt, label: str, who: str, pool: int, limit: int | None = None, *, buys: bool = False
) -> Side:
    """A side of a test, with all that is offered to a combatant.

    Args:
        who: the record in the facts; the target of an attempt that is that of one among several is that one.
        buys: hits may be bought, which is for tests outside of attacks.
    """
    facts, asks = it.facts, it.request.open
    rating: int = facts.get(f"{who}.edge", 0) if facts.get(f"{who}.edge_points", 0) else 0
    before, after = (rating if one in asks else 0 for one in (EDGE_BEFORE, EDGE_AFTER))
    closes, can_buy = rating > 0 and CLOSE_CALL in asks, buys and BUY_HITS in asks
    by, most = it.record if it.record and who == "target" else who, None if limit is None else max(0, limit)
    return Side(label, by, max(0, pool), most, before, after, closes, can_buy)


def make_pool(it: Attempt, to: str, *base: Entry) -> Tally:
    """Make a pool of an attempt, which is never below 0."""
    return it.tally(to, *base, least=0, floor=FLOOR)


def make_limit(it: Attempt, to: str, *base: Entry) -> Tally:
    """The same of a limit."""
    return it.tally(to, *base, least=0, floor=LIMIT_FLOOR)


class Receiver(Continuation):
    """Takes the result of a test and carries the rules on from there.

    Attributes:
        lowers: the field that each hit lowers by one, such as a Damage Value: at 0 the test is a success. "" for none.
    """

    lowers: ClassVar[str] = ""

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        """The stage after the test.

        Args:
            hits: those of the first side that its limit lets count.
            other_hits: the same of the second side; 0 where there is none.
            spent: points of Edge that the two sides spent.
        """
        raise NotImplementedError

    def on_skip(self) -> Stage | None:
        """The stage where the first side has no dice and pushes nothing; None to go on with no hits."""
        return None

    def hits_needed(self, hits: int, other_hits: int) -> int | None:
        """Hits that the first side lacks for a success, 0 or less where it has one; asked only where a combatant
        decides. None where it does not know."""
        return getattr(self, self.lowers) - hits if self.lowers else None


class Against(Receiver):
    """Takes a test against a threshold."""

    threshold: int
    lowers = "threshold"
    reports = ("threshold",)


class Contested(Receiver):
    """Takes an opposed test that needs a net hit."""

    def hits_needed(self, hits: int, other_hits: int) -> int:
        return 1 + other_hits - hits


def spent_edge(*paid: tuple[str, int]) -> Iterator[Effect]:
    """The effects of points of Edge that tests have cost: (record, points)."""
    return (Effect("spend", who, "edge", points) for who, points in paid if points)


class DiceTest(Part, kind="sr5.test"):
    """A test: its sides, the way each comes to its hits, and what takes the result."""

    first: Side
    second: Side | None
    ways: tuple[Way, Way]
    then: Receiver

    def side(self, at: int) -> Side:
        side = self.second if at else self.first
        assert side is not None, "a test that nobody opposes has one side"
        return side

    @property
    def places(self) -> tuple[int, ...]:
        """The places of its sides."""
        return (0,) if self.second is None else (0, 1)

    def went(self, at: int, way: Way) -> DiceTest:
        mine, theirs = self.ways
        return self._replace(ways=(mine, way) if at else (way, theirs))

    @property
    def spent(self) -> tuple[int, int]:
        """Points of Edge spent on it: one a side at most."""
        mine, theirs = self.ways
        return int(mine not in _FREE), int(theirs not in _FREE)

    def kept(self, at: int, hits: int) -> int:
        """The hits that count: pushing the limit ignores it."""
        limit = self.side(at).limit
        return hits if limit is None or self.ways[at] in ("push", "push-after") else min(hits, limit)

    def result(self, hits: int, other_hits: int) -> Stage:
        """What the receiver makes of these hits, before limits."""
        theirs = 0 if self.second is None else self.kept(1, other_hits)
        return self.then.on_result(self.kept(0, hits), theirs, self.spent)

    def pool(self, at: int, detail: Detail) -> Pool:
        """The dice of the throw. Dice that a 6 adds count neither as ones nor for the number of dice (section 8.1)."""
        side, way = self.side(at), self.ways[at]
        if way == "push":
            return Pool(side.pool + side.edge, True, 0, detail, GLITCH_RULE)
        if way == "buy":
            return Pool(0, False, side.pool // 4, detail, GLITCH_RULE)
        return Pool(side.pool, False, 0, detail, GLITCH_RULE)

    def extra_pool(self, at: int, way: Way, hits: int, ones: int) -> Pool:
        """The dice that Edge brings after the throw; its answer counts the whole test."""
        side = self.side(at)
        before = (side.pool, ones)
        if way == "push-after":
            return Pool(side.edge_after, True, hits, "hits", GLITCH_RULE, before)
        return Pool(side.pool - hits, False, hits, "hits", GLITCH_RULE, before, True)

    def may_decide_after(self, at: int) -> bool:
        """A point may still be spent after the throw."""
        side = self.side(at)
        return self.ways[at] == "plain" and side.pool > 0 and (side.edge_after > 0 or side.closes)

    def hits_needed(self, at: int, hits: int, other_hits: int) -> dict[str, int]:
        """The clue how many hits a side lacks; none where the receiver does not know.

        The second side succeeds where the first one fails: what the first lacks is what it has to spare, and one.
        """
        short = self.then.hits_needed(
            self.kept(0, hits), 0 if self.second is None else self.kept(1, other_hits)
        )
        return {} if short is None else {"short": 1 - short if at else short}


_TURNS = 4
"""Edge of the first side, hits that it buys, and the same of the second side."""


class TestingProcedure(Procedure):
    """A procedure of tests, about which may be decided what Edge offers."""

    decisions: Sequence[DecisionInfo] = DECISIONS


def alone(it: Attempt, label: str, who: str, to: str, then: Receiver, limit: int | None = None) -> Stage:
    """A test that nobody opposes, with a number of the attempt as its pool; see `side_of`."""
    return start(side_of(it, label, who, it.total(to), limit), None, then)


def start(first: Side, second: Side | None, then: Receiver) -> Stage:
    """The first stage of a test; the second side is None for a test that nobody opposes."""
    return _before(DiceTest(first, second, ("plain", "plain"), then), 0)


def _before(test: DiceTest, turn: int) -> Stage:
    """The next decision before the throw, or the throw. Nobody is asked about a test that the first side forgoes."""
    for at in range(turn, _TURNS):
        none = at == 2 and not test.first.pool and test.ways[0] == "plain"
        if none and (skipped := test.then.on_skip()) is not None:
            return skipped
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
        about: dict[str, Fact] = {"roll": side.label, "pool": side.pool, "edge": side.edge, **side.bound}
        decision = BUY_HITS if self.turn % 2 else EDGE_BEFORE
        return Decision(decision, side.by, _options(self.test, self.turn), "none", (*about.items(),))

    def advance(self, answer: Way | Literal["none"]) -> Stage:
        test = self.test if answer == "none" else self.test.went(self.turn // 2, answer)
        return _before(test, self.turn + 1)

    def notes(self) -> Facts:
        return self.test.then.notes()


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

    def spread(self, inputs: PolicyInputs) -> Spread:
        """The spread of the throw for decisions that go by these clues, see `kernel.odds.Transitions`."""
        if not self.deciding or "ones" in inputs.context:
            roll = self.awaits
            assert isinstance(roll, Roll)
            return roll.request.spread()
        parts = [
            Ones(
                self.test.pool(at, "hits"),
                pool_tests.WHETHER_GLITCH if self.test.may_decide_after(at) else pool_tests.ONLY_REPORTED,
            )
            for at in self.test.places
        ]
        return weigh(*parts)

    def advance(self, answer: int | tuple[int, ...]) -> Stage:
        test = self.test
        if isinstance(answer, int):
            return test.result(answer, 0)
        if self.deciding:
            hits, ones, other_hits, other_ones = answer if len(answer) == 4 else (*answer, 0, 0)
            return after_throw(AfterThrow(test, (hits, other_hits), (ones, other_ones), -1))
        return test.result(*answer)

    def notes(self) -> Facts:
        return self.test.then.notes()


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
        about: dict[str, Fact] = {"roll": side.label, "hits": self.hits[at], "ones": self.ones[at]}
        about["glitch"] = self.glitch()
        if self.test.second is not None:
            about["other_hits"] = self.hits[1 - at]
        about |= {**side.bound, **self.test.hits_needed(at, *self.hits)}
        return Decision(
            CLOSE_CALL if self.turn % 2 else EDGE_AFTER, side.by, self.options(), "none", (*about.items(),)
        )

    def advance(self, answer: str) -> Stage:
        if answer == "none":
            return after_throw(self)
        if self.turn % 2:
            return after_throw(self._replace(test=self.test.went(self.turn // 2, "close-call")))
        return ExtraThrow(self, "push-after" if answer == "push-after" else "second-chance")


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
