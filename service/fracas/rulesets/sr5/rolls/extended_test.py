"""The Extended Test, whose hits add up over several rolls with a die less each, and Dead Man's Trigger, which gives a
last action to a combatant who is about to drop: rulebook sections 8.1 and 8.3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.ruleset import DecisionInfo, Measure
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Refusal
from fracas.rulesets.sr5.rolls import dice_test, success_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, Side, spent_edge

NEEDED = 3
ONE_MORE = "last-action"
"""The condition of the packs: one action in spite of all that takes a combatant out."""


class ExtendedTest(success_test.TestProcedure):
    """Roll again and again, a die less each time, until the hits reach the threshold."""

    id = "extended-test"
    label = "Extended Test"
    doc = "Rolls whose hits add up, with a die less each time; a limit counts for each roll."
    vocabulary = success_test.EXTENDED_TEST
    measures: Sequence[Measure] = (
        chance("success", "Chance of success"),
        mean("rolls", "Expected rolls"),
        mean("hits", "Expected hits"),
    )

    def first(self, it: Attempt) -> Stage:
        side, facts = self.side(it), it.facts
        made = facts.get("rolls_before", 0)
        most = made + facts.get("rolls_most", max(1, side.pool - made))
        return Progress(side, facts.get("threshold", 1), facts.get("hits_before", 0), made, most, 0).go_on()


class Progress(Receiver, kind="sr5.progress"):
    """Takes one roll of an Extended Test.

    Attributes:
        side: who tests, with the pool of the very first roll.
        got: hits so far.
        rolls: rolls so far.
        most: rolls at most, those before included.
        spent: points of Edge: one in the whole test.
    """

    side: Side
    threshold: int
    got: int
    rolls: int
    most: int
    spent: int

    def go_on(self) -> Stage:
        """The next roll, or the end."""
        pool = self.side.pool - self.rolls
        if self.got >= self.threshold or self.rolls >= self.most or pool < 1:
            return ExtendedEnd(self.got >= self.threshold, self.got, self.rolls, self.spent)
        return dice_test.start(self.side._replace(pool=pool), None, self)

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        side = self.side.without_points() if spent[0] else self.side
        got, paid = self.got + hits, self.spent + spent[0]
        return self._replace(side=side, got=got, rolls=self.rolls + 1, spent=paid).go_on()

    def short(self, hits: int, other_hits: int) -> int:
        return self.threshold - self.got - hits

    def notes(self) -> Facts:
        return {"threshold": self.threshold}


class ExtendedEnd(Outcome, kind="sr5.extended-end"):
    """How an Extended Test ended."""

    success: bool
    hits: int
    rolls: int
    spent: int

    def notes(self) -> Facts:
        return {"success": self.success, "hits": self.hits, "rolls": self.rolls}

    def changes(self) -> Iterator[Effect]:
        return spent_edge((success_test.TESTER, self.spent))


class DeadMansTrigger(success_test.TestProcedure):
    """Body + Willpower (3), for a point of Edge; no other point helps with the test."""

    id = "dead-mans-trigger"
    label = "Dead Man's Trigger"
    doc = "For a point of Edge, a test whose success leaves one last action before the character drops."
    vocabulary = success_test.LAST_ACTION
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {"test.pool": success_test.TARGETS["test.pool"]}
    measures: Sequence[Measure] = success_test.MEASURES[:1]

    def numbers(self, it: Attempt) -> None:
        it.facts |= {"attribute": "body", "second_attribute": "willpower"}
        with it.faults.collect():
            success_test.pool_of(it)
        if it.facts.get("tester.edge_points") == 0:
            it.refused.append(Refusal("no_edge", "No point of Edge is left"))

    def first(self, it: Attempt) -> Stage:
        return dice_test.start(self.side(it).without_points(), None, LastChance())


class LastChance(Receiver, kind="sr5.last-chance"):
    """Takes the test; the point that it cost is spent whatever comes of it."""

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return LastActionEnd(hits)

    def notes(self) -> Facts:
        return {"threshold": NEEDED}


class LastActionEnd(Outcome, kind="sr5.last-action-end"):
    """How it ended. On a success one action is left, for what is unspent of the phase."""

    hits: int

    @property
    def _success(self) -> bool:
        return self.hits >= NEEDED

    def notes(self) -> Facts:
        return {"success": self._success, "hits": self.hits, "net_hits": max(0, self.hits - NEEDED)}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge((success_test.TESTER, 1))
        if self._success:
            yield Effect("add-condition", success_test.TESTER, ONE_MORE)
