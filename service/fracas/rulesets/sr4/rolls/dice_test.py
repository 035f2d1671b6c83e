"""Tests of Shadowrun 4: one pool against a threshold, or two pools against each other, with Edge.

Every procedure of the edition builds on `start`: Edge, glitches and bought hits are written here once
(rulebook sections 1 and 2). A test is a chain

    BeforeRoll (each side that may spend Edge) -> Throw -> AfterThrow (each side) -> [ExtraThrow] -> receiver

Edge that is burned takes the place of the throw. Who helps with a test may spend their own Edge on it instead.

The receiver, a value with a method `on_result`, is data in the stage, so the chain survives JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from fracas.dice.pools import Opposed
from fracas.dice.requests import Spread
from fracas.kernel.forms import Waiting
from fracas.kernel.odds import Shortcut
from fracas.kernel.pool_tests import BUY, NONE, weigh
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.readers import PolicyInputs
from fracas.kernel.stage import Awaited, Decision, Fact, Facts, Option, Roll, Stage
from fracas.rulesets.sr4.rolls import sides, throws
from fracas.rulesets.sr4.rolls.sides import DECISIONS, Receiver, RollRules, Side, Spent, side_of
from fracas.rulesets.sr4.rolls.throws import AfterThrow, Detail, DiceTest, Way, after_throw, outcome_of

__all__ = ["DECISIONS", "TestingProcedure", "plain", "start"]


class TestingProcedure(Procedure):
    """A procedure of tests, about which may be decided what Edge offers."""

    decisions = DECISIONS


def start(first: Side, second: Side | None, then: Receiver, rules: RollRules = sides.STANDARD) -> Stage:
    """The first stage of a test; the second side is None for a test that nobody opposes."""
    if first.pool and not first.decides and (second is None or not second.decides):
        return Throw(DiceTest(first, second, "plain", "plain", rules, then), False, (0, 0))
    return _before(DiceTest(first, second, "burn" if first.burns else "plain", "plain", rules, then), 0)


def plain(
    it: Attempt, label: str, to: str, then: Receiver, *, who: str = "tester", reports_glitch: bool = False
) -> Stage:
    """The first stage of a test that nobody opposes, with a number of an attempt as its pool."""
    side = side_of(label, who, it.total(to), it.facts, it.request, says=True)
    return start(side, None, then, RollRules.of(it.options, reports_glitch=reports_glitch))


def _before(test: DiceTest, at: int) -> Stage:
    """The next decision before the throw, or the throw. Nobody is asked about a test that the first side forgoes."""
    for turn in range(at, throws.TURNS):
        if turn == throws.HELPS + 1 and test.first.pool == 0 and test.way == "plain":
            skipped = test.then.on_skip()
            if skipped is not None:
                return skipped
        if len(_options_before(test, turn)) > 1:
            return BeforeRoll(test, turn)
    if "burn" in (test.way, test.other_way):
        return _burned(test)
    return Throw(test, test.may_decide_after(0) or test.may_decide_after(1), test.edge_spent())


def _options_before(test: DiceTest, turn: int) -> tuple[Option, ...]:
    """Turns: Edge of the first side, hits bought by it, Edge of its helper; Edge of the second side, hits bought.
    Against Edge that is burned only Edge that is burned helps."""
    side, second = test.decider(turn), turn > throws.HELPS
    if side is None or test.way_of(int(second)) != "plain":
        return (NONE,)
    hopeless = second and test.way == "burn"
    if turn in (1, throws.TURNS - 1):
        return (NONE, BUY) if side.can_buy and side.pool >= 4 and not hopeless else (NONE,)
    spends = (sides.PUSH if side.pool else sides.LONG_SHOT,) if side.edge and not hopeless else ()
    return (NONE, *spends, sides.BURN) if side.burn else (NONE, *spends)


def _burned(test: DiceTest) -> Stage:
    """What follows from Edge that is burned (section 2): 4 net hits, or 4 more than the first side, whatever it has."""
    first, second, spent, reported = test.first, test.second, test.edge_spent(), test.rules.reports_glitch
    receiver: Receiver = test.then
    stage: Stage
    if second is not None and reported and test.way != "burn" and spent[1]:
        alone = test._replace(second=None, other_way="plain", then=sides.Outdone(receiver))
        stage = Throw(alone, alone.may_decide_after(0), alone.edge_spent())
    else:
        fixed = -sides.CRITICAL_SUCCESS if spent[1] else sides.CRITICAL_SUCCESS
        net = receiver.critical() if second is None else fixed
        stage = receiver.on_result(net, False, spent)
        if reported:
            stage = receiver.on_reported_result(net, False, 0, spent)
    if test.other_way == "burn" and second is not None:
        stage = _pays_for_burning(stage, second)
    return _pays_for_burning(stage, first) if test.way == "burn" else stage


def _pays_for_burning(stage: Stage, side: Side) -> Stage:
    assert side.burn is not None
    return sides.paid_otherwise(stage, side.thrower, side.burn.effect(side.by))


def _shortcut_of(stage: BeforeRoll | Throw, inputs: PolicyInputs | None) -> Shortcut | None:
    """What plays all that follows, see `kernel.odds`: a receiver may know a shorter way, by a method ``rest_from``."""
    if inputs is None or (request := getattr(stage.test.then, "rest_from", None)) is None:
        return None
    shortcut: Shortcut | None = request(stage, inputs)
    return shortcut


class BeforeRoll(Waiting, kind="sr4.before-roll"):
    """A combatant may spend or burn Edge, or buy hits, before the dice are thrown. For `turn` see `_options_before`."""

    test: DiceTest
    turn: int
    shortcut = _shortcut_of

    @property
    def awaits(self) -> Awaited:
        side = self.test.decider(self.turn)
        assert side is not None
        buying = self.turn in (1, throws.TURNS - 1)
        about: tuple[tuple[str, Fact], ...] = (("roll", side.label), ("pool", side.pool), ("edge", side.edge))
        if self.test.second is None:
            needed = self.test.then.hits_needed(0, True)
            if needed is not None:
                about += (("needed", needed),)
            if buying:
                about += self.test.hits_needed(side.pool // 4, 0)
        decision = sides.BUY_HITS if buying else sides.EDGE_BEFORE
        return Decision(decision, side.by, _options_before(self.test, self.turn), "none", about)

    def advance(self, answer: Way | Literal["none"]) -> Stage:
        test, turn = self.test, self.turn
        if answer == "none":
            return _before(test, turn + 1)
        if turn > throws.HELPS:
            return _before(test._replace(other_way=answer), turn + 1)
        if turn < throws.HELPS:
            return _before(test._replace(way=answer), turn + 1)
        helper: Side = test.first.helper
        stage = _before(test._replace(first=helper, way=answer), turn + 1)
        return stage if answer == "burn" else throws.pays_for_helping(stage, helper)

    def notes(self) -> Facts:
        # without a roll nothing is settled for it
        return {} if self.test.way == "burn" else self.test.then.notes()


class Throw(Waiting, kind="sr4.throw"):
    """The dice of the test are thrown, those of both sides at once.

    Attributes:
        deciding: a combatant may decide something afterwards; if not, the answer is no more than the receiver needs.
        edge_spent: points of Edge that the two sides have spent before the throw.
    """

    test: DiceTest
    deciding: bool
    edge_spent: Spent
    shortcut = _shortcut_of

    @property
    def awaits(self) -> Awaited:
        test = self.test
        first, second = test.first, test.second
        full, reported = self.deciding, test.rules.reports_glitch
        if second is None:
            alone: Detail = "full" if full else "glitch" if reported else "hits"
            return Roll((first.label,), (first.thrower,), test.pool(0, alone))
        plain: Literal["net", "hits"] = "hits" if test.rules.both_hits else "net"
        mine, theirs = test.pool(0, "glitch" if full and test.only_reported else "hits"), test.pool(1, "hits")
        request = Opposed(mine, theirs, "full" if full else "told" if reported else plain)
        return Roll((first.label, second.label), (first.by, second.by), request)

    def spread(self, inputs: PolicyInputs) -> Spread:
        """The spread of the throw for decisions that go by these clues, see `kernel.odds.Transitions`."""
        test = self.test
        if not self.deciding or test.only_reported:
            roll = self.awaits
            assert isinstance(roll, Roll)
            return roll.request.spread()
        return weigh(test.part(0, inputs), None if test.second is None else test.part(1, inputs))

    def successors(self, answers: Sequence[Any], met: dict[Any, Any]) -> list[Stage]:
        """The stage after each answer, see `kernel.odds.Transitions`."""
        if not isinstance(answers[0], int):
            return [self.advance(answer) for answer in answers]
        stages: list[Stage] = self.test.then.on_each_result(answers, self.edge_spent, met)
        return stages

    def advance(self, answer: int | tuple[int, ...]) -> Stage:
        test, deciding, edge_spent, _ = self
        receiver: Receiver = test.then
        if isinstance(answer, int):
            return receiver.on_result(answer, False, edge_spent)
        if deciding:
            hits, ones, other_hits, other_ones = answer if len(answer) == 4 else (*answer, 0, 0)
            if test.only_reported:
                ones = test.pool(0, "hits").dice if ones else 0  # as many as make a glitch of it
            return after_throw(AfterThrow(test, hits, ones, other_hits, other_ones, edge_spent, -1))
        if len(answer) == 3:
            hits, glitch, other_hits = answer
            return outcome_of(test, hits, other_hits, glitch, edge_spent)
        hits, other_hits = answer
        if test.rules.reports_glitch:
            return outcome_of(test, hits, 0, other_hits, edge_spent)
        net = test.rules.counted(hits) - other_hits
        return receiver.on_result(net, hits == other_hits == 0, edge_spent)

    def notes(self) -> Facts:
        return self.test.then.notes()
