"""Who makes a test, with what limit, and what may be decided about it: Edge, and bought hits (sections 8.1 to 8.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from fracas.dice.pools import GLITCHES, Pool
from fracas.kernel.forms import Continuation
from fracas.kernel.procedures import Attempt
from fracas.kernel.ruleset import Clue, DecisionInfo
from fracas.kernel.stage import Effect, Fact, Option, Stage, stage_class

EDGE_BEFORE = "edge-before"
EDGE_AFTER = "edge-after"
CLOSE_CALL = "close-call"
BUY_HITS = "buy-hits"

_POOL = Clue("pool", "Dice of the pool")
_EDGE_DICE = Clue("edge", "Dice that Edge brings")
_LIMIT = Clue("limit", "Most hits that count; none of a test without a limit")
_SEEN = (
    Clue("hits", "Hits of one's own, before the limit"),
    Clue("ones", "Ones of one's own"),
    Clue("glitch", "Glitch of one's own", GLITCHES),
    Clue("other_hits", "Hits of the other side, before its limit"),
    Clue("short", "Hits that are missing as it stands: 0 or less is a success"),
    _LIMIT,
)

_BEFORE = (_POOL, _EDGE_DICE, _LIMIT)
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
NONE = Option("none", "No")
PUSH = Option("push", "Push the Limit: Edge dice more, every 6 rolls again, no limit", EDGE)
PUSH_AFTER = Option("push-after", "Push the Limit: roll Edge dice more, their 6s roll again, no limit", EDGE)
SECOND_CHANCE = Option("second-chance", "Second Chance: roll every die again that was no hit", EDGE)
BUY = Option("buy", "Buy a hit for every four dice")


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
_UNLIMITED = ("push", "push-after")
Detail = Literal["hits", "full", "glitch"]


@stage_class
class Side(NamedTuple):
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
    kind: Literal["sr5.side"] = "sr5.side"

    @property
    def decides(self) -> bool:
        """Anything is offered to it."""
        return bool(self.edge or self.edge_after or self.closes or self.can_buy)

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
    facts, asks = it.facts, it.asked.open
    rating: int = facts.get(f"{who}.edge", 0) if facts.get(f"{who}.edge_points", 0) else 0
    return Side(
        label,
        it.record if it.record and who == "target" else who,
        max(0, pool),
        None if limit is None else max(0, limit),
        rating if EDGE_BEFORE in asks else 0,
        rating if EDGE_AFTER in asks else 0,
        rating > 0 and CLOSE_CALL in asks,
        buys and BUY_HITS in asks,
    )


class Receiver(Continuation):
    """Takes the result of a test and carries the rules on from there."""

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        """The stage after the test.

        Args:
            hits: those of the first side that its limit lets count.
            other_hits: the same of the second side; 0 where there is none.
            spent: points of Edge that the two sides spent.
        """
        raise NotImplementedError

    def forgo(self) -> Stage | None:
        """The stage where the first side has no dice and pushes nothing; None to go on with no hits."""
        return None

    def short(self, hits: int, other_hits: int) -> int | None:
        """Hits that the first side lacks for a success, 0 or less where it has one; asked only where a combatant
        decides. None where it does not know."""
        return None


def spent_edge(*paid: tuple[str, int]) -> Iterator[Effect]:
    """The effects of points of Edge that tests have cost: (record, points)."""
    return (Effect("spend", who, "edge", points) for who, points in paid if points)


@stage_class
class DiceTest(NamedTuple):
    """A test: its sides, the way each comes to its hits, and what takes the result."""

    first: Side
    second: Side | None
    ways: tuple[Way, Way]
    then: Any
    kind: Literal["sr5.test"] = "sr5.test"

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
        return hits if limit is None or self.ways[at] in _UNLIMITED else min(hits, limit)

    def result(self, hits: int, other_hits: int) -> Stage:
        """What the receiver makes of these hits, before limits."""
        receiver: Receiver = self.then
        theirs = 0 if self.second is None else self.kept(1, other_hits)
        return receiver.take(self.kept(0, hits), theirs, self.spent)

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

    def short(self, at: int, hits: int, other_hits: int) -> tuple[tuple[str, Fact], ...]:
        """The clue how many hits a side lacks; none where the receiver does not know.

        The second side succeeds where the first one fails: what the first lacks is what it has to spare, and one.
        """
        receiver: Receiver = self.then
        short = receiver.short(self.kept(0, hits), 0 if self.second is None else self.kept(1, other_hits))
        return () if short is None else (("short", 1 - short if at else short),)
