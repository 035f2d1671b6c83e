"""What Edge does after a throw: who sees the dice, may spend a point, and pays for it (rulebook section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from fracas.dice.pools import GLITCHES, glitch_of
from fracas.kernel.forms import Waiting
from fracas.kernel.stage import Awaited, Decision, Effect, Option, Roll, Stage
from fracas.rulesets.sr4.rolls.dice_pools import DiceTest
from fracas.rulesets.sr4.rolls.edge_burning import paid_otherwise
from fracas.rulesets.sr4.rolls.edge_choices import (
    ADD,
    EDGE,
    EDGE_AFTER,
    NONE,
    REROLL,
)
from fracas.rulesets.sr4.rolls.receivers import Receiver
from fracas.rulesets.sr4.rolls.sides import Side


def pays_for_helping(stage: Stage, side: Side) -> Stage:
    """A helper pays for the Edge that he spends on somebody's test; everybody else for his own."""
    return paid_otherwise(stage, side.of, Effect("spend", side.by, "edge", 1)) if side.of else stage


class AfterThrow(Waiting, kind="sr4.after-throw"):
    """One side sees the dice and may spend Edge. `turn` is 0 for the first side, 1 for the second."""

    test: DiceTest
    hits: int
    ones: int
    other_hits: int
    other_ones: int
    edge_spent: tuple[int, int]
    turn: int

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
            return after_throw(self)
        mine, theirs = self.edge_spent
        seen = self._replace(edge_spent=(mine, theirs + 1) if self.turn else (mine + 1, theirs))
        side = self.test.side(self.turn)
        assert side is not None
        if answer != "negate-glitch":
            return pays_for_helping(ExtraThrow(seen, answer), side)
        seen = seen._replace(ones=0) if self.test.rules.tells_glitch and self.turn == 0 else seen
        return pays_for_helping(after_throw(seen), side)


def after_throw(seen: AfterThrow) -> Stage:
    """The next decision, or the receiver. Ones are forgotten where nothing depends on them any more.

    Where the first side spends nothing, its helper is asked in its place.
    """
    first = seen.test.first
    declined = not seen.edge_spent[0] and (seen.turn == 0 or not first.edge_after)
    if first.helper and declined and seen.test.may_decide_after(0):
        return after_throw(seen._replace(test=seen.test._replace(first=first.helper), turn=-1))
    for turn in range(seen.turn + 1, 2):
        if seen.test.may_decide_after(turn):
            if turn == 0 and not seen.test.may_decide_after(1):
                return seen._replace(turn=0, other_ones=0)
            forget = turn and not seen.test.rules.tells_glitch
            return seen._replace(turn=turn, ones=0) if forget else seen._replace(turn=turn)
    if seen.test.rules.tells_glitch:
        glitch = GLITCHES.index(seen.seen(0)[2])
        if seen.test.second is not None:
            return tell_both(seen.test, seen.hits, seen.other_hits, glitch, seen.edge_spent)
        return tell(seen.test, seen.hits, glitch, seen.edge_spent)
    scoreless = seen.hits == seen.other_hits == 0
    net = seen.test.rules.counted(seen.hits) - seen.other_hits
    return taken(seen.test.then, net, scoreless, seen.edge_spent)


@lru_cache(maxsize=1 << 12)
def taken(receiver: Receiver, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
    """What the receiver makes of it: the same few results, after thousands of throws that odds tell apart."""
    return receiver.take(net, scoreless, edge_spent)


def tell(test: DiceTest, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
    return test.then.take_told(hits, glitch, edge_spent)


def tell_both(test: DiceTest, hits: int, other_hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
    return test.then.take_both_told(hits - other_hits, hits == other_hits == 0, glitch, edge_spent)


class ExtraThrow(Waiting, kind="sr4.extra-throw"):
    """The dice that Edge brings after the throw: ``add`` or ``reroll``."""

    seen: AfterThrow
    what: str

    @property
    def awaits(self) -> Awaited:
        seen = self.seen
        side = seen.test.side(seen.turn)
        assert side is not None
        hits, ones, _ = seen.seen(seen.turn)
        return Roll((side.label,), (side.thrower,), seen.test.extra_pool(seen.turn, self.what, hits, ones))

    def advance(self, answer: int | tuple[int, int]) -> Stage:
        seen = self.seen
        if not isinstance(answer, int):
            hits, glitch = answer
            if seen.test.second is None:
                return tell(seen.test, hits, glitch, seen.edge_spent)
            ones = seen.test.first.pool if glitch else 0  # as many as make a glitch of it
            return after_throw(seen._replace(hits=hits, ones=ones))
        return after_throw(seen._replace(other_hits=answer) if seen.turn else seen._replace(hits=answer))

    def followers(self, answers: Sequence[Any]) -> list[Stage]:
        """The stage after each answer, see `kernel.odds.Transitions`."""
        (test, hits, _, other_hits, _, edge_spent, turn, _), _, _ = self
        rules = test.rules
        if rules.tells_glitch or (turn == 0 and test.may_decide_after(1)):
            return [self.advance(answer) for answer in answers]
        then = test.then
        if turn:
            mine = rules.counted(hits)
            return [taken(then, mine - theirs, hits == theirs == 0, edge_spent) for theirs in answers]
        return [
            taken(then, rules.counted(had) - other_hits, had == other_hits == 0, edge_spent)
            for had in answers
        ]
