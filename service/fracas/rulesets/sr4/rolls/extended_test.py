"""The Extended Test of Shadowrun 4: hits add up over several rolls (rulebook section 1).

A chain of tests, one an interval, whose receiver carries what has come together so far. A glitch loses hits, as many
as a die shows; a critical glitch ends it. Edge is spent once in the whole test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from fracas.dice.requests import Total
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage, share, stage_class
from fracas.kernel.tally import Tally
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules, Side
from fracas.rulesets.sr4.rolls.edge_burning import edge_burned
from fracas.rulesets.sr4.rolls.success_test import pool_of, side_of
from fracas.rulesets.sr4.vocabulary import TEST_FIELDS, TEST_RECORDS

DAY = 24 * 60 * 60
INTERVALS: Mapping[str, int] = {
    "fast": 3,
    "quick": 60,
    "short": 10 * 60,
    "average": 30 * 60,
    "long": 60 * 60,
    "consuming": DAY,
    "exhaustive": 7 * DAY,
    "mammoth": 30 * DAY,
}
"""Seconds of an interval; ``fast`` is a Combat Turn, and a month has 30 days here."""

EASY = 4
"""The threshold where none is said."""

EXTENDED_TEST = Vocabulary(
    TEST_RECORDS,
    (
        *TEST_FIELDS,
        Field("interval", "choice", "Interval", "Time that each roll takes.", choices=tuple(INTERVALS)),
        Field(
            "intervals",
            "whole",
            "Rolls at most",
            "As many as there is time for; as many as the pool has dice unless said.",
            least=1,
            most=100,
        ),
        Field("hits_before", "whole", "Hits so far", "Of rolls made earlier in this test.", most=200),
        Field("rolls_before", "whole", "Rolls so far", "Made earlier in this test.", most=100),
    ),
)


class ExtendedTest:
    """Roll a pool again and again until the hits together reach a threshold, or time runs out."""

    id = "extended-test"
    label = "Extended Test"
    doc = "Hits of several rolls add up to a threshold; glitches lose hits, and a critical glitch ends it."
    vocabulary = EXTENDED_TEST
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {"test.pool": "Pool"}
    measures = (
        Measure("success", "Chance of success", lambda facts: 1.0 if facts["success"] else 0.0),
        Measure("rolls", "Expected rolls", lambda facts: float(facts["rolls"] or 0)),
        Measure("hits", "Expected hits", lambda facts: float(facts["hits"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        pool, refusals, facts = pool_of(asked)
        if refusals:
            return Prepared(None, (pool,), refusals)
        threshold = facts.get("threshold", EASY)
        burned = edge_burned(facts, "tester", threshold)
        made = facts.get("rolls_before", 0)

        def first(pool: Tally) -> Stage:
            plan = Plan(
                side_of("", max(0, pool.total), facts, asked)._replace(burned=burned),
                threshold,
                made + facts.get("intervals", max(1, pool.total)),
                bool(asked.options.get("extended_decay", False)),
                bool(asked.options.get("extended_glitch_loses_hits", True)),
                INTERVALS.get(facts.get("interval", ""), 0),
                RollRules.of(asked.options, tells_glitch=True),
            )
            return Progress(share(plan), facts.get("hits_before", 0), made, made, False, 0).go_on()

        return Prepared(first(pool), (pool,), rebuild=first)


@stage_class
class Plan(NamedTuple):
    """What does not change during an Extended Test.

    Attributes:
        side: who throws, with the pool of the first roll.
        threshold: hits needed.
        last: number of the last roll that there is time for.
        decays: each roll has a die less than the one before.
        loses: a glitch loses hits.
        seconds: of an interval; 0 if not said.
    """

    side: Side
    threshold: int
    last: int
    decays: bool
    loses: bool
    seconds: int
    rules: RollRules
    kind: Literal["sr4.extended-plan"] = "sr4.extended-plan"


@stage_class
class Progress(NamedTuple):
    """How far an Extended Test has come; takes the hits of a roll.

    Attributes:
        hits: accumulated.
        rolls: made so far, `before` of them earlier.
        glitched: on some roll.
        edge_spent: points of Edge.
    """

    plan: Shared[Plan]
    hits: int
    rolls: int
    before: int
    glitched: bool
    edge_spent: int
    kind: Literal["sr4.extended-progress"] = "sr4.extended-progress"

    def go_on(self) -> Stage:
        """The next roll, or the end."""
        plan = self.plan.value
        if self.hits >= plan.threshold:
            return ExtendedEnd(share(self), "threshold")
        if self.rolls >= plan.last:
            return ExtendedEnd(share(self), "time")
        side = plan.side
        asks = side.can_buy or ((side.edge or side.edge_after) and not self.edge_spent)
        if not asks and not side.burned and (side.pool > self.rolls or (side.pool and not plan.decays)):
            return Interval(share(self))
        side = self.side()
        if side.pool == 0 and not side.edge and not side.burned:
            return ExtendedEnd(share(self), "no-dice")
        return dice_test.start(side, None, self, plan.rules)

    def side(self) -> Side:
        """Who makes the next roll, with its dice."""
        plan = self.plan.value
        side = plan.side._replace(label=f"roll_{self.rolls + 1}")
        if plan.decays:
            side = side._replace(pool=max(0, side.pool - self.rolls))
        if self.edge_spent:  # a point a test, and this is one test
            side = side._replace(edge=0, edge_after=0)
        return side

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        plan, before, rolls, first, glitched, spent, _ = self
        return _rolled(
            plan, before + hits, rolls + 1, first, glitched or glitch > 0, spent + edge_spent[0], glitch
        )

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        raise AssertionError("the rules of this test tell the glitch")

    def forgo(self) -> Stage:
        """Without dice there is no roll."""
        return ExtendedEnd(share(self), "no-dice")

    def short(self, net: int, scoreless: bool) -> int:
        return self.plan.value.threshold - self.hits - net

    def notes(self) -> Facts:
        return {"threshold": self.plan.value.threshold}


@lru_cache(maxsize=1 << 15)
def _rolled(
    plan: Shared[Plan], hits: int, rolls: int, before: int, glitched: bool, edge_spent: int, glitch: int
) -> Stage:
    """The stage after a roll, see `Progress`; the same few follow from hundreds of thousands of rolls."""
    after = Progress(plan, hits, rolls, before, glitched, edge_spent)
    if glitch == 2:
        return ExtendedEnd(share(after), "critical-glitch")
    if glitch and plan.value.loses and 0 < hits < plan.value.threshold:
        return Loss(share(after))
    return after.go_on()


@stage_class
class Interval(NamedTuple):
    """One roll about which nobody has anything to decide.

    Odds of a long test consist of these, so it holds no more than it needs; the roll is that of any other test.
    """

    progress: Shared[Progress]
    kind: Literal["sr4.extended-interval"] = "sr4.extended-interval"

    @property
    def awaits(self) -> Awaited:
        progress = self.progress.value
        return dice_test.start(progress.side(), None, progress, progress.plan.value.rules).awaits

    def advance(self, answer: tuple[int, int]) -> Stage:
        return self.followers((answer,))[0]

    def followers(self, answers: Iterable[tuple[int, int]]) -> list[Stage]:
        """The stage after each answer, see `kernel.odds.Transitions`."""
        plan, before, rolls, first, glitched, spent, _ = self.progress.value
        return [
            _rolled(plan, before + hits, rolls + 1, first, glitched or glitch > 0, spent, glitch)
            for hits, glitch in answers
        ]

    def notes(self) -> Facts:
        return self.progress.value.notes()

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Loss(NamedTuple):
    """A glitch: as many hits are lost as a die shows."""

    progress: Shared[Progress]
    kind: Literal["sr4.extended-loss"] = "sr4.extended-loss"

    @property
    def awaits(self) -> Awaited:
        progress = self.progress.value
        return Roll((f"loss_{progress.rolls}",), (progress.plan.value.side.by,), Total(((1, 6),)))

    def advance(self, answer: int) -> Stage:
        progress = self.progress.value
        return progress._replace(hits=max(0, progress.hits - answer)).go_on()

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class ExtendedEnd(NamedTuple):
    """How an Extended Test ended.

    Attributes:
        why: ``threshold``, ``time``, ``critical-glitch`` or ``no-dice``.
    """

    progress: Shared[Progress]
    why: str
    kind: Literal["sr4.extended-end"] = "sr4.extended-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        done = self.progress.value
        facts: dict[str, Fact] = {
            "success": self.why == "threshold",
            "ended": self.why,
            "hits": done.hits,
            "rolls": done.rolls,
            "glitched": done.glitched,
        }
        if done.plan.value.seconds:
            facts["seconds"] = (done.rolls - done.before) * done.plan.value.seconds
        return facts

    def effects(self) -> tuple[Effect, ...]:
        spent = self.progress.value.edge_spent
        return (Effect("spend", "tester", "edge", spent),) if spent else ()
