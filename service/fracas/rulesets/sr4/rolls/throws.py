"""The pools that a test throws, and what Edge does after a throw (sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from fracas.dice.pools import GLITCHES, Pool, glitch_of
from fracas.kernel.forms import Waiting
from fracas.kernel.pool_tests import EVERYTHING, NONE, NOTHING, ONLY_REPORTED, WHETHER_GLITCH, Ones
from fracas.kernel.readers import PolicyInputs
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Option, Roll, Stage, stage_class
from fracas.rulesets.sr4.rolls import sides
from fracas.rulesets.sr4.rolls.sides import EDGE, Receiver, RollRules, Side, Spent, paid_otherwise

Way = Literal["plain", "push", "long-shot", "buy", "burn"]
Detail = Literal["hits", "full", "glitch"]
_COSTS_EDGE = ("push", "long-shot", "burn")

HELPS, TURNS = 2, 5
"""The turn of a helper among those that decide before the throw, and how many there are, see `dice_test`."""


@lru_cache(maxsize=1024)
def _pool(dice: int, exploding: bool, bought: int, detail: Detail, glitch: str, exploded: bool) -> Pool:
    return Pool(dice, exploding, bought, detail, glitch, counts_exploded=exploded)


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

    def side(self, at: int) -> Side:
        side = self.second if at else self.first
        assert side is not None, "a test that nobody opposes has one side"
        return side

    def way_of(self, at: int) -> Way:
        return self.other_way if at else self.way

    def edge_spent(self) -> tuple[int, int]:
        return int(self.way in _COSTS_EDGE), int(self.other_way in _COSTS_EDGE)

    def decider(self, turn: int) -> Side | None:
        """Who decides something before the throw, see `dice_test`."""
        return self.first.helper if turn == HELPS else self.second if turn > HELPS else self.first

    def pool(self, at: int, detail: Detail) -> Pool:
        if at and self.second is None:
            return Pool(0, detail=detail, glitch=self.rules.glitch)
        side, way = self.side(at), self.way_of(at)
        dice, bought = side.pool, 0
        if way == "push":
            dice += side.edge
        elif way == "long-shot":
            dice = side.edge
        elif way == "buy":
            dice, bought = 0, side.pool // 4
        exploded = self.rules.counts_exploded
        return _pool(dice, way == "push", bought, detail, self.glitch_rule(at), exploded)

    def glitch_rule(self, at: int) -> str:
        """When the dice of a side glitch, see `dice.pools.glitch_of`."""
        side = self.second if at else self.first
        return "never" if side is not None and side.smooth else self.rules.glitch

    def extra_pool(self, at: int, what: str, hits: int, ones: int) -> Pool:
        """The dice that Edge brings after the throw; the answer counts the whole test."""
        side, rules = self.side(at), self.rules
        detail: Detail = "glitch" if rules.reports_glitch and at == 0 else "hits"
        if what == "add":
            pool = Pool(side.edge_after, True, hits, detail, self.glitch_rule(at), (side.pool, ones))
            return pool._replace(counts_exploded=True) if rules.counts_exploded else pool
        misses, glitch = side.pool - hits, self.glitch_rule(at)
        return Pool(misses, rules.reroll_explodes, hits, detail, glitch, (side.pool, ones), True)

    def hits_needed(self, hits: int, other_hits: int, at: int = 0) -> tuple[tuple[str, Fact], ...]:
        """The clue that shows how many hits one side lacks; none where the receiver does not know. The second side
        succeeds where the first fails: it lacks what the first has to spare, and one."""
        short = self.then.hits_needed(self.rules.counted(hits) - other_hits, hits == other_hits == 0)
        return () if short is None else (("short", 1 - short if at else short),)

    @property
    def only_reported(self) -> bool:
        """Of the first side's ones, nothing is reported but the glitch: dice that came by explosions count for it."""
        return self.way == "push" and self.rules.reports_glitch and self.rules.counts_exploded

    def part(self, at: int, inputs: PolicyInputs) -> Ones:
        """One side's dice, and what its ones are good for when decisions go by these clues."""
        pool, reported = self.pool(at, "hits"), at == 0 and self.rules.reports_glitch
        adds = "add" in inputs.options
        if not (self.may_decide_after(at) or reported):
            return Ones(pool, NOTHING)
        side = self.side(at)
        if "ones" in inputs.context:
            return Ones(pool, EVERYTHING)
        if not reported:
            glitches = "glitch" in inputs.context or "negate-glitch" in inputs.options
            return Ones(pool, WHETHER_GLITCH if glitches else ONLY_REPORTED)
        if (self.rules.counts_exploded and (adds or pool.exploding)) or (adds and side.helper):
            return Ones(pool, EVERYTHING)
        return Ones(pool, side.edge_after if adds and self.may_decide_after(at) else 0)

    def may_decide_after(self, at: int) -> bool:
        """Edge may still be spent after the throw: once a test, and not on hits that were bought."""
        side = self.second if at else self.first
        if side is None or self.way_of(at) != "plain" or not side.pool:
            return False
        return side.edge_after > 0 or (side.helper is not None and side.helper.edge_after > 0)


def pays_for_helping(stage: Stage, side: Side) -> Stage:
    """A helper pays for the Edge that they spend on a combatant's test; all others for their own."""
    return paid_otherwise(stage, side.of, Effect("spend", side.by, "edge", 1)) if side.of else stage


class AfterThrow(Waiting, kind="sr4.after-throw"):
    """One side sees the dice and may spend Edge. `turn` is 0 for the first side, 1 for the second."""

    test: DiceTest
    hits: int
    ones: int
    other_hits: int
    other_ones: int
    edge_spent: Spent
    turn: int

    def seen(self, at: int) -> tuple[int, int, str]:
        """Hits, ones and kind of glitch of one side."""
        hits, ones = (self.other_hits, self.other_ones) if at else (self.hits, self.ones)
        dice = self.test.pool(at, "hits").dice
        return hits, ones, glitch_of(dice, hits, ones, self.test.glitch_rule(at))

    def options(self) -> tuple[Option, ...]:
        side, (hits, _, glitch) = self.test.side(self.turn), self.seen(self.turn)
        options = [NONE, sides.ADD]
        if hits < side.pool:
            options.append(sides.REROLL)
        if glitch != "none":
            notes = ((f"{side.label}_glitch", "negated"),)
            options.append(Option("negate-glitch", "Cancel the glitch", EDGE, notes))
        return tuple(options)

    @property
    def awaits(self) -> Awaited:
        side, (hits, ones, glitch) = self.test.side(self.turn), self.seen(self.turn)
        about: dict[str, Any] = {"roll": side.label, "hits": hits, "ones": ones, "glitch": glitch}
        if self.test.second is not None:
            about["other_hits"] = self.hits if self.turn else self.other_hits
        about |= self.test.hits_needed(self.hits, self.other_hits, self.turn)
        return Decision(sides.EDGE_AFTER, side.by, self.options(), "none", tuple(about.items()))

    def advance(self, answer: str) -> Stage:
        if answer == "none":
            return after_throw(self)
        mine, theirs = self.edge_spent
        seen = self._replace(edge_spent=(mine, theirs + 1) if self.turn else (mine + 1, theirs))
        side = self.test.side(self.turn)
        if answer != "negate-glitch":
            return pays_for_helping(ExtraThrow(seen, answer), side)
        seen = seen._replace(ones=0) if self.test.rules.reports_glitch and self.turn == 0 else seen
        return pays_for_helping(after_throw(seen), side)


def after_throw(seen: AfterThrow) -> Stage:
    """The next decision, of the helper where the first side spends nothing, or the receiver. Ones are forgotten where
    nothing depends on them any more."""
    first = seen.test.first
    declined = not seen.edge_spent[0] and (seen.turn == 0 or not first.edge_after)
    if first.helper and declined and seen.test.may_decide_after(0):
        return after_throw(seen._replace(test=seen.test._replace(first=first.helper), turn=-1))
    for turn in range(seen.turn + 1, 2):
        if seen.test.may_decide_after(turn):
            if turn == 0 and not seen.test.may_decide_after(1):
                return seen._replace(turn=0, other_ones=0)
            forget = turn and not seen.test.rules.reports_glitch
            return seen._replace(turn=turn, ones=0) if forget else seen._replace(turn=turn)
    if seen.test.rules.reports_glitch:
        glitch = GLITCHES.index(seen.seen(0)[2])
        return outcome_of(seen.test, seen.hits, seen.other_hits, glitch, seen.edge_spent)
    scoreless = seen.hits == seen.other_hits == 0
    net = seen.test.rules.counted(seen.hits) - seen.other_hits
    return taken(seen.test.then, net, scoreless, seen.edge_spent)


@lru_cache(maxsize=1 << 12)
def taken(receiver: Receiver, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
    """What the receiver makes of it: the same few results, after thousands of throws that odds distinguish."""
    return receiver.on_result(net, scoreless, edge_spent)


def outcome_of(test: DiceTest, hits: int, other_hits: int, glitch: int, edge_spent: Spent) -> Stage:
    """What a receiver makes of it that gets the glitch of the first side."""
    scoreless = test.second is not None and hits == other_hits == 0
    return test.then.on_reported_result(hits - other_hits, scoreless, glitch, edge_spent)


class ExtraThrow(Waiting, kind="sr4.extra-throw"):
    """The dice that Edge brings after the throw: ``add`` or ``reroll``."""

    seen: AfterThrow
    what: str

    @property
    def awaits(self) -> Awaited:
        seen, side = self.seen, self.seen.test.side(self.seen.turn)
        hits, ones, _ = seen.seen(seen.turn)
        return Roll((side.label,), (side.thrower,), seen.test.extra_pool(seen.turn, self.what, hits, ones))

    def advance(self, answer: int | tuple[int, int]) -> Stage:
        seen = self.seen
        if not isinstance(answer, int):
            hits, glitch = answer
            if seen.test.second is None:
                return outcome_of(seen.test, hits, 0, glitch, seen.edge_spent)
            ones = seen.test.first.pool if glitch else 0  # as many as make a glitch of it
            return after_throw(seen._replace(hits=hits, ones=ones))
        return after_throw(seen._replace(other_hits=answer) if seen.turn else seen._replace(hits=answer))

    def successors(self, answers: Sequence[Any], met: dict[Any, Any]) -> list[Stage]:
        """The stage after each answer, see `kernel.odds.Transitions`."""
        (test, hits, _, other_hits, _, edge_spent, turn, _), _, _ = self
        rules = test.rules
        if rules.reports_glitch or (turn == 0 and test.may_decide_after(1)):
            return [self.advance(answer) for answer in answers]
        then, counted = test.then, rules.counted
        if turn:
            mine = counted(hits)
            return [taken(then, mine - theirs, hits == theirs == 0, edge_spent) for theirs in answers]
        other = other_hits
        return [taken(then, counted(had) - other, had == other == 0, edge_spent) for had in answers]
