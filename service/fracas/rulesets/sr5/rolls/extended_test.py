"""The Extended Test of Shadowrun 5: hits add up over several rolls, each with a die less (rulebook section 8.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.forms import Outcome
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, Side, spent_edge
from fracas.rulesets.sr5.rolls.success_test import TARGETS, numbers_of, prepared
from fracas.rulesets.sr5.rolls.test_vocabulary import EXTENDED_TEST, TESTER


class ExtendedTest:
    """Roll again and again, a die less each time, until the hits reach the threshold."""

    id = "extended-test"
    label = "Extended Test"
    doc = "Rolls whose hits add up, with a die less each time; a limit counts for each roll."
    vocabulary = EXTENDED_TEST
    decisions = dice_test.TEST_DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("success", "Chance of success", lambda facts: 1.0 if facts["success"] else 0.0),
        Measure("rolls", "Expected rolls", lambda facts: float(facts["rolls"] or 0)),
        Measure("hits", "Expected hits", lambda facts: float(facts["hits"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        numbers = numbers_of(asked, facts)
        had, made = facts.get("hits_before", 0), facts.get("rolls_before", 0)
        threshold = facts.get("threshold", 1)

        def first(pool: int, _: int | None) -> Stage:
            side = dice_test.side_of("test", TESTER, pool, facts, asked, numbers.most, buys=True)
            most = made + facts.get("rolls_most", max(1, side.pool - made))
            return Progress(side, threshold, had, made, most, 0).go_on()

        return prepared(asked, facts, {TESTER: numbers}, first)


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
        return self._replace(
            side=side, got=self.got + hits, rolls=self.rolls + 1, spent=self.spent + spent[0]
        ).go_on()

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
        return spent_edge((TESTER, self.spent))
