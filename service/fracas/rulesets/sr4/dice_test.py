"""Tests of Shadowrun 4: one pool against a threshold, or two pools against each other, with Edge.

Every procedure of the edition builds on `start`: Edge, glitches and bought hits are written here once
(rulebook sections 1 and 2). A test is a chain

    BeforeRoll (each side that may spend Edge) -> Throw -> AfterThrow (each side) -> [ExtraThrow] -> receiver

and the receiver, a value with a method `take`, is data in the stage, so the chain survives JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple, Protocol

from fracas.dice.requests import GLITCHES, Opposed, Pool, glitch_of
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Effect, Facts, Option, Roll, Stage, stage_class

EDGE_BEFORE = "edge-before"
EDGE_AFTER = "edge-after"
BUY_HITS = "buy-hits"
DECISIONS = (
    DecisionInfo(EDGE_BEFORE, "Edge before the roll", ("none", "push", "long-shot"), "none"),
    DecisionInfo(EDGE_AFTER, "Edge after the roll", ("none", "add", "reroll", "negate-glitch"), "none"),
    DecisionInfo(BUY_HITS, "Buy hits instead of rolling", ("none", "buy"), "none"),
)

_EDGE = (("edge", 1),)
_PUSH = Option("push", "Push: add Edge dice, every 6 rolls again", _EDGE)
_LONG_SHOT = Option("long-shot", "Long shot: roll Edge dice alone", _EDGE)
_ADD = Option("add", "Roll Edge dice more, their 6s roll again", _EDGE)
_REROLL = Option("reroll", "Roll every die again that was no hit", _EDGE)
_BUY = Option("buy", "Buy a hit for every four dice")
_NONE = Option("none", "No")

Way = Literal["plain", "push", "long-shot", "buy"]
Detail = Literal["hits", "full", "glitch"]


@stage_class
class Side(NamedTuple):
    """One side of a test.

    Attributes:
        label: names the roll's facts (``attack`` gives ``attack_hits``).
        by: who throws and decides.
        pool: dice, after all modifiers, never below 0.
        edge: the Edge attribute; 0 where Edge is not offered before the roll.
        edge_after: the same for after the roll.
        can_buy: hits may be bought.
    """

    label: str
    by: str
    pool: int
    edge: int = 0
    edge_after: int = 0
    can_buy: bool = False
    kind: Literal["sr4.side"] = "sr4.side"


@stage_class
class RollRules(NamedTuple):
    """House rules that a test needs, and what its receiver needs; for `glitch` see `glitch_of`.

    Attributes:
        reroll_explodes: dice rolled again through Edge follow the Rule of Six.
        both_hits: the receiver needs the hits of both sides.
        counts_exploded: dice added by exploding sixes count for glitches.
        tells_glitch: of a test that nobody opposes, the receiver is told the glitch: it is a `GlitchReceiver`.
    """

    glitch: str = "half_or_more"
    reroll_explodes: bool = False
    both_hits: bool = False
    counts_exploded: bool = False
    tells_glitch: bool = False
    kind: Literal["sr4.roll-rules"] = "sr4.roll-rules"

    @classmethod
    def of(cls, options: Mapping[str, Any], both_hits: bool = False, tells_glitch: bool = False) -> RollRules:
        """The house rules as the packs' options set them."""
        return cls(
            options["glitch_rule"],
            options["edge_reroll_explodes"],
            both_hits,
            options.get("glitch_counts_exploded", False),
            tells_glitch,
        )


STANDARD = RollRules()


class Receiver(Protocol):
    """Takes the result of a test. A value of a registered class."""

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        """The stage after the test.

        Args:
            net: hits of the first side less those of the second; of a test without a second side, its hits.
            scoreless: both sides had no hit; only known where the rules ask for both counts, else False.
            edge_spent: points of Edge that the two sides spent.
        """

    def forgo(self) -> Stage | None:
        """The stage where the first side has no dice and takes no long shot; None to throw all the same."""

    def notes(self) -> Facts:
        """Facts that were settled before the test, for the explanation."""


class GlitchReceiver(Protocol):
    """Takes the result of a test whose rules have `tells_glitch`; beside this, it has what a `Receiver` has."""

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        """The stage after the test; `glitch` is a place in `GLITCHES`, 0 where Edge has cancelled it."""


def edge_offered(facts: Mapping[str, Any], who: str, open: Collection[str]) -> tuple[int, int]:
    """The Edge dice that somebody may bring before and after a roll; 0 without a point left, or where nobody asks."""
    rating: int = facts.get(f"{who}.edge", 0) if facts.get(f"{who}.edge_points", 0) else 0
    return (rating if EDGE_BEFORE in open else 0), (rating if EDGE_AFTER in open else 0)


def start(first: Side, second: Side | None, then: Receiver, rules: RollRules = STANDARD) -> Stage:
    """The first stage of a test; the second side is None for a test that nobody opposes."""
    test = _Test(first, second, "plain", "plain", rules, then)
    quiet = not (first.edge or first.edge_after or first.can_buy)
    if quiet and first.pool and (second is None or not (second.edge or second.edge_after or second.can_buy)):
        return Throw(test, False, (0, 0))
    return _before(test, 0)


@stage_class
class _Test(NamedTuple):
    """A test before its throw: the sides and the way each rolls."""

    first: Side
    second: Side | None
    way: Way
    other_way: Way
    rules: RollRules
    then: Any
    kind: Literal["sr4.test"] = "sr4.test"

    def side(self, at: int) -> Side | None:
        return self.second if at else self.first

    def way_of(self, at: int) -> Way:
        return self.other_way if at else self.way

    def edge_spent(self) -> tuple[int, int]:
        return int(self.way in ("push", "long-shot")), int(self.other_way in ("push", "long-shot"))

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
        detail: Detail = "glitch" if rules.tells_glitch else "hits"
        if what == "add":
            pool = Pool(side.edge_after, True, hits, detail, rules.glitch, (side.pool, ones))
            return pool._replace(counts_exploded=True) if rules.counts_exploded else pool
        misses = side.pool - hits
        return Pool(misses, rules.reroll_explodes, hits, detail, rules.glitch, (side.pool, ones), True)

    def settled(self) -> Facts:
        receiver: Receiver = self.then
        return receiver.notes()

    def may_decide_after(self, at: int) -> bool:
        """Edge may still be spent after the throw: once a test, and not on hits that were bought."""
        side = self.side(at)
        return side is not None and side.edge_after > 0 and self.way_of(at) == "plain" and side.pool > 0


def _before(test: _Test, at: int) -> Stage:
    """The next decision before the throw, or the throw. Nobody is asked about a test that the first side forgoes."""
    receiver: Receiver = test.then
    for turn in range(at, 4):
        if turn == 2 and test.first.pool == 0 and test.way == "plain":
            forgone = receiver.forgo()
            if forgone is not None:
                return forgone
        if len(_options_before(test, turn)) > 1:
            return BeforeRoll(test, turn)
    return Throw(test, test.may_decide_after(0) or test.may_decide_after(1), test.edge_spent())


def _options_before(test: _Test, turn: int) -> tuple[Option, ...]:
    """Turns: Edge of the first side, hits bought by it, and the same of the second side."""
    side = test.side(turn // 2)
    if side is not None and test.way_of(turn // 2) == "plain":
        if turn % 2 == 0 and side.edge:
            return (_NONE, _PUSH if side.pool else _LONG_SHOT)
        if turn % 2 == 1 and side.can_buy and side.pool >= 4:
            return (_NONE, _BUY)
    return (_NONE,)


@stage_class
class BeforeRoll(NamedTuple):
    """One side may spend Edge, or buy hits, before the dice are thrown. For `turn` see `_options_before`."""

    test: _Test
    turn: int
    kind: Literal["sr4.before-roll"] = "sr4.before-roll"

    @property
    def awaits(self) -> Awaited:
        side = self.test.side(self.turn // 2)
        assert side is not None
        decision = BUY_HITS if self.turn % 2 else EDGE_BEFORE
        about = (("roll", side.label), ("pool", side.pool), ("edge", side.edge))
        return Decision(decision, side.by, _options_before(self.test, self.turn), "none", about)

    def advance(self, answer: Way | Literal["none"]) -> Stage:
        way: Way = "plain" if answer == "none" else answer
        second = self.turn // 2
        test = self.test._replace(other_way=way) if second else self.test._replace(way=way)
        return _before(test, self.turn + 1)

    def notes(self) -> Facts:
        return self.test.settled()

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Throw(NamedTuple):
    """The dice of the test are thrown, those of both sides at once.

    Attributes:
        deciding: somebody may decide something afterwards; if not, the answer is no more than the receiver needs.
        edge_spent: points of Edge that the two sides have spent before the throw.
    """

    test: _Test
    deciding: bool
    edge_spent: tuple[int, int]
    kind: Literal["sr4.throw"] = "sr4.throw"

    @property
    def awaits(self) -> Awaited:
        test = self.test
        first, second = test.first, test.second
        full = self.deciding
        if second is None:
            alone: Detail = "full" if full else "glitch" if test.rules.tells_glitch else "hits"
            return Roll((first.label,), (first.by,), test.pool(0, alone))
        detail: Literal["net", "hits", "full"] = "full" if full else "hits" if test.rules.both_hits else "net"
        request = Opposed(test.pool(0, "hits"), test.pool(1, "hits"), detail)
        return Roll((first.label, second.label), (first.by, second.by), request)

    def advance(self, answer: int | tuple[int, ...]) -> Stage:
        test, deciding, edge_spent, _ = self
        receiver: Receiver = test.then
        if isinstance(answer, int):
            return receiver.take(answer, False, edge_spent)
        if deciding:
            hits, ones, other_hits, other_ones = answer if len(answer) == 4 else (*answer, 0, 0)
            return _after(AfterThrow(test, hits, ones, other_hits, other_ones, edge_spent, -1))
        hits, other_hits = answer
        if test.rules.tells_glitch:
            return _tell(test, hits, other_hits, edge_spent)
        return receiver.take(hits - other_hits, hits == other_hits == 0, edge_spent)

    def notes(self) -> Facts:
        return self.test.settled()

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class AfterThrow(NamedTuple):
    """One side sees the dice and may spend Edge. `turn` is 0 for the first side, 1 for the second."""

    test: _Test
    hits: int
    ones: int
    other_hits: int
    other_ones: int
    edge_spent: tuple[int, int]
    turn: int
    kind: Literal["sr4.after-throw"] = "sr4.after-throw"

    def seen(self, at: int) -> tuple[int, int, str]:
        """Hits, ones and kind of glitch of one side."""
        hits, ones = (self.other_hits, self.other_ones) if at else (self.hits, self.ones)
        dice = self.test.pool(at, "hits").dice
        return hits, ones, glitch_of(dice, hits, ones, self.test.rules.glitch)

    def options(self) -> tuple[Option, ...]:
        side = self.test.side(self.turn)
        assert side is not None
        hits, _, glitch = self.seen(self.turn)
        options = [_NONE, _ADD]
        if hits < side.pool:
            options.append(_REROLL)
        if glitch != "none":
            notes = ((f"{side.label}_glitch", "negated"),)
            options.append(Option("negate-glitch", "Cancel the glitch", _EDGE, notes))
        return tuple(options)

    @property
    def awaits(self) -> Awaited:
        side = self.test.side(self.turn)
        assert side is not None
        hits, ones, glitch = self.seen(self.turn)
        about: tuple[tuple[str, Any], ...] = (
            ("roll", side.label),
            ("hits", hits),
            ("ones", ones),
            ("glitch", glitch),
        )
        if self.test.second is not None:
            about += (("other_hits", self.hits if self.turn else self.other_hits),)
        return Decision(EDGE_AFTER, side.by, self.options(), "none", about)

    def advance(self, answer: str) -> Stage:
        if answer == "none":
            return _after(self)
        mine, theirs = self.edge_spent
        seen = self._replace(edge_spent=(mine, theirs + 1) if self.turn else (mine + 1, theirs))
        if answer != "negate-glitch":
            return ExtraThrow(seen, answer)
        return _after(seen._replace(ones=0) if self.test.rules.tells_glitch else seen)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


def _after(seen: AfterThrow) -> Stage:
    """The next side's decision, or the receiver. Ones are forgotten where nobody will decide about them."""
    for turn in range(seen.turn + 1, 2):
        if seen.test.may_decide_after(turn):
            if turn == 0 and not seen.test.may_decide_after(1):
                return seen._replace(turn=0, other_ones=0)
            return seen._replace(turn=turn, ones=0) if turn else seen._replace(turn=0)
    if seen.test.rules.tells_glitch:
        return _tell(seen.test, seen.hits, GLITCHES.index(seen.seen(0)[2]), seen.edge_spent)
    receiver: Receiver = seen.test.then
    scoreless = seen.hits == seen.other_hits == 0
    return receiver.take(seen.hits - seen.other_hits, scoreless, seen.edge_spent)


def _tell(test: _Test, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
    receiver: GlitchReceiver = test.then
    return receiver.take_told(hits, glitch, edge_spent)


@stage_class
class ExtraThrow(NamedTuple):
    """The dice that Edge brings after the throw: ``add`` or ``reroll``."""

    seen: AfterThrow
    what: str
    kind: Literal["sr4.extra-throw"] = "sr4.extra-throw"

    @property
    def awaits(self) -> Awaited:
        seen = self.seen
        side = seen.test.side(seen.turn)
        assert side is not None
        hits, ones, _ = seen.seen(seen.turn)
        return Roll((side.label,), (side.by,), seen.test.extra_pool(seen.turn, self.what, hits, ones))

    def advance(self, answer: int | tuple[int, int]) -> Stage:
        seen = self.seen
        if not isinstance(answer, int):
            return _tell(seen.test, *answer, seen.edge_spent)
        return _after(seen._replace(other_hits=answer) if seen.turn else seen._replace(hits=answer))

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()
