"""Tests of Shadowrun 4: one pool against a threshold, or two pools against each other, with Edge.

Every procedure of the edition builds on `start`: Edge, glitches and bought hits are written here once
(rulebook sections 1 and 2). A test is a chain

    BeforeRoll (each side that may spend Edge) -> Throw -> AfterThrow (each side) -> [ExtraThrow] -> receiver

and the receiver, a value with a method `take`, is data in the stage, so the chain survives JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from fracas.dice.requests import GLITCHES, Opposed, Pool, Spread, glitch_of
from fracas.kernel.readers import Watched
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Roll, Stage, stage_class
from fracas.rulesets.sr4.rolls.edge_burning import without_roll
from fracas.rulesets.sr4.rolls.edge_choices import (
    ADD,
    BUY,
    BUY_HITS,
    DECISIONS,
    EDGE,
    EDGE_AFTER,
    EDGE_BEFORE,
    LONG_SHOT,
    NONE,
    PUSH,
    REROLL,
)
from fracas.rulesets.sr4.rolls.receivers import GlitchReceiver, Receiver, Teller, short_of
from fracas.rulesets.sr4.rolls.throw_weights import EVERYTHING, NOTHING, Part, weigh

__all__ = [
    "BUY_HITS",
    "DECISIONS",
    "EDGE_AFTER",
    "EDGE_BEFORE",
    "STANDARD",
    "GlitchReceiver",
    "Receiver",
    "RollRules",
    "Side",
    "Teller",
    "edge_offered",
    "short_of",
    "start",
]

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
        burned: net hits without a roll, for Edge that is burned; 0 for an ordinary test. See `edge_burned`.
    """

    label: str
    by: str
    pool: int
    edge: int = 0
    edge_after: int = 0
    can_buy: bool = False
    burned: int = 0
    kind: Literal["sr4.side"] = "sr4.side"


@stage_class
class RollRules(NamedTuple):
    """House rules that a test needs, and what its receiver needs; for `glitch` see `glitch_of`.

    Attributes:
        reroll_explodes: dice rolled again through Edge follow the Rule of Six.
        both_hits: the receiver needs the hits of both sides.
        counts_exploded: dice added by exploding sixes count for glitches.
        tells_glitch: the receiver is told the glitch of the first side: it is a `GlitchReceiver`.
        limit: of an opposed test with `both_hits`, the hits of the first side that count at most; 0 for all.
    """

    glitch: str = "half_or_more"
    reroll_explodes: bool = False
    both_hits: bool = False
    counts_exploded: bool = False
    tells_glitch: bool = False
    limit: int = 0
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

    def counted(self, hits: int) -> int:
        """The hits of the first side that count."""
        return min(hits, self.limit) if self.limit else hits


STANDARD = RollRules()


def edge_offered(facts: Mapping[str, Any], who: str, open: Collection[str]) -> tuple[int, int]:
    """The Edge dice that somebody may bring before and after a roll; 0 without a point left, or where nobody asks."""
    rating: int = facts.get(f"{who}.edge", 0) if facts.get(f"{who}.edge_points", 0) else 0
    return (rating if EDGE_BEFORE in open else 0), (rating if EDGE_AFTER in open else 0)


def start(first: Side, second: Side | None, then: Receiver, rules: RollRules = STANDARD) -> Stage:
    """The first stage of a test; the second side is None for a test that nobody opposes."""
    if first.burned:
        return without_roll(first.burned, first.by, second is not None, then, rules.tells_glitch)
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
        detail: Detail = "glitch" if rules.tells_glitch and at == 0 else "hits"
        if what == "add":
            pool = Pool(side.edge_after, True, hits, detail, rules.glitch, (side.pool, ones))
            return pool._replace(counts_exploded=True) if rules.counts_exploded else pool
        misses = side.pool - hits
        return Pool(misses, rules.reroll_explodes, hits, detail, rules.glitch, (side.pool, ones), True)

    def settled(self) -> Facts:
        receiver: Receiver = self.then
        return receiver.notes()

    def short(self, hits: int, other_hits: int, at: int = 0) -> tuple[tuple[str, Fact], ...]:
        """The clue that tells how many hits one side lacks; none where the receiver does not know.

        The second side succeeds where the first one fails: what the first lacks is what it has to spare, and one.
        """
        short = short_of(self.then, self.rules.counted(hits) - other_hits, hits == other_hits == 0)
        return () if short is None else (("short", 1 - short if at else short),)

    @property
    def only_told(self) -> bool:
        """Of the first side's ones, nothing is told but the glitch: dice that came by explosions count for it."""
        return self.way == "push" and self.rules.tells_glitch and self.rules.counts_exploded

    def part(self, at: int, watched: Watched) -> Part:
        """One side's dice, and what its ones are good for when decisions go by these clues."""
        pool, side = self.pool(at, "hits"), self.side(at)
        adds = "add" in watched.options
        if side is None or not (self.may_decide_after(at) or (at == 0 and self.rules.tells_glitch)):
            return Part(pool, NOTHING)
        if self.rules.counts_exploded and (adds or pool.exploding):
            return Part(pool, EVERYTHING)
        return Part(pool, side.edge_after if adds and self.may_decide_after(at) else 0)

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
            return (NONE, PUSH if side.pool else LONG_SHOT)
        if turn % 2 == 1 and side.can_buy and side.pool >= 4:
            return (NONE, BUY)
    return (NONE,)


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
        about: tuple[tuple[str, Fact], ...] = (("roll", side.label), ("pool", side.pool), ("edge", side.edge))
        if self.test.second is None:
            needed = short_of(self.test.then, 0, True)
            if needed is not None:
                about += (("needed", needed),)
            if self.turn % 2:
                about += self.test.short(side.pool // 4, 0)
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
        detail: Literal["net", "hits", "told", "full"] = (
            "full"
            if full
            else "told"
            if test.rules.tells_glitch
            else "hits"
            if test.rules.both_hits
            else "net"
        )
        mine = test.pool(0, "glitch" if full and test.only_told else "hits")
        request = Opposed(mine, test.pool(1, "hits"), detail)
        return Roll((first.label, second.label), (first.by, second.by), request)

    def weigh(self, watched: Watched) -> Spread:
        """The spread of the throw for decisions that go by these clues, see `kernel.odds.Transitions`."""
        test = self.test
        if not self.deciding or "ones" in watched.clues or test.only_told:
            roll = self.awaits
            assert isinstance(roll, Roll)
            return roll.request.spread()
        return weigh(test.part(0, watched), None if test.second is None else test.part(1, watched))

    def followers(self, answers: Sequence[Any]) -> list[Stage]:
        """The stage after each answer, see `kernel.odds.Transitions`."""
        if not isinstance(answers[0], int):
            return [self.advance(answer) for answer in answers]
        receiver: Receiver = self.test.then
        take, edge_spent = receiver.take, self.edge_spent
        return [take(net, False, edge_spent) for net in answers]

    def advance(self, answer: int | tuple[int, ...]) -> Stage:
        test, deciding, edge_spent, _ = self
        receiver: Receiver = test.then
        if isinstance(answer, int):
            return receiver.take(answer, False, edge_spent)
        if deciding:
            hits, ones, other_hits, other_ones = answer if len(answer) == 4 else (*answer, 0, 0)
            if test.only_told:
                ones = test.pool(0, "hits").dice if ones else 0  # as many as make a glitch of it
            return _after(AfterThrow(test, hits, ones, other_hits, other_ones, edge_spent, -1))
        if len(answer) == 3:
            hits, glitch, other_hits = answer
            return _tell_both(test, hits, other_hits, glitch, edge_spent)
        hits, other_hits = answer
        if test.rules.tells_glitch:
            return _tell(test, hits, other_hits, edge_spent)
        net = test.rules.counted(hits) - other_hits
        return receiver.take(net, hits == other_hits == 0, edge_spent)

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
        options = [NONE, ADD]
        if hits < side.pool:
            options.append(REROLL)
        if glitch != "none":
            notes = ((f"{side.label}_glitch", "negated"),)
            options.append(Option("negate-glitch", "Cancel the glitch", EDGE, notes))
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
        about += self.test.short(self.hits, self.other_hits, self.turn)
        return Decision(EDGE_AFTER, side.by, self.options(), "none", about)

    def advance(self, answer: str) -> Stage:
        if answer == "none":
            return _after(self)
        mine, theirs = self.edge_spent
        seen = self._replace(edge_spent=(mine, theirs + 1) if self.turn else (mine + 1, theirs))
        if answer != "negate-glitch":
            return ExtraThrow(seen, answer)
        return _after(seen._replace(ones=0) if self.test.rules.tells_glitch and self.turn == 0 else seen)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


def _after(seen: AfterThrow) -> Stage:
    """The next side's decision, or the receiver. Ones are forgotten where nothing depends on them any more."""
    for turn in range(seen.turn + 1, 2):
        if seen.test.may_decide_after(turn):
            if turn == 0 and not seen.test.may_decide_after(1):
                return seen._replace(turn=0, other_ones=0)
            forget = turn and not seen.test.rules.tells_glitch
            return seen._replace(turn=turn, ones=0) if forget else seen._replace(turn=turn)
    if seen.test.rules.tells_glitch:
        glitch = GLITCHES.index(seen.seen(0)[2])
        if seen.test.second is not None:
            return _tell_both(seen.test, seen.hits, seen.other_hits, glitch, seen.edge_spent)
        return _tell(seen.test, seen.hits, glitch, seen.edge_spent)
    receiver: Receiver = seen.test.then
    scoreless = seen.hits == seen.other_hits == 0
    return receiver.take(seen.test.rules.counted(seen.hits) - seen.other_hits, scoreless, seen.edge_spent)


def _tell(test: _Test, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
    receiver: GlitchReceiver = test.then
    return receiver.take_told(hits, glitch, edge_spent)


def _tell_both(test: _Test, hits: int, other_hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
    receiver: GlitchReceiver = test.then
    return receiver.take_both_told(hits - other_hits, hits == other_hits == 0, glitch, edge_spent)


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
            hits, glitch = answer
            if seen.test.second is None:
                return _tell(seen.test, hits, glitch, seen.edge_spent)
            ones = seen.test.first.pool if glitch else 0  # as many as make a glitch of it
            return _after(seen._replace(hits=hits, ones=ones))
        return _after(seen._replace(other_hits=answer) if seen.turn else seen._replace(hits=answer))

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()
