"""The Extended Test of Shadowrun 4: hits add up over several rolls (rulebook section 1).

A chain of tests, one an interval, whose receiver carries what has come together so far. A glitch loses hits, as many
as a die shows; a critical glitch ends it. Edge is spent once in the whole test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from fracas.dice.requests import Total
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage, share, stage_class
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.rulesets.sr4 import dice_test
from fracas.rulesets.sr4.dice_test import RollRules, Side
from fracas.rulesets.sr4.success_test import pool_of, side_of
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
        decays = bool(asked.options.get("extended_decay", False))
        made = facts.get("rolls_before", 0)
        plan = Plan(
            side_of("", pool.total, facts, asked),
            facts.get("threshold", EASY),
            made + facts.get("intervals", max(1, pool.total)),
            decays,
            bool(asked.options.get("extended_glitch_loses_hits", True)),
            INTERVALS.get(facts.get("interval", ""), 0),
            RollRules.of(asked.options, tells_glitch=True),
        )
        progress = Progress(share(plan), facts.get("hits_before", 0), made, made, False, 0)
        return Prepared(progress.go_on(), (pool,))


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
            return ExtendedEnd(self, "threshold")
        if self.rolls >= plan.last:
            return ExtendedEnd(self, "time")
        side = plan.side._replace(label=f"roll_{self.rolls + 1}")
        if plan.decays:
            side = side._replace(pool=max(0, side.pool - self.rolls))
        if self.edge_spent:  # a point a test, and this is one test
            side = side._replace(edge=0, edge_after=0)
        if side.pool == 0 and not side.edge:
            return ExtendedEnd(self, "no-dice")
        return dice_test.start(side, None, self, plan.rules)

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        after = self._replace(
            hits=self.hits + hits,
            rolls=self.rolls + 1,
            glitched=self.glitched or glitch > 0,
            edge_spent=self.edge_spent + edge_spent[0],
        )
        if glitch == 2:
            return ExtendedEnd(after, "critical-glitch")
        if glitch and self.plan.value.loses and 0 < after.hits < self.plan.value.threshold:
            return Loss(after)
        return after.go_on()

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        raise AssertionError("the rules of this test tell the glitch")

    def forgo(self) -> Stage:
        """Without dice there is no roll."""
        return ExtendedEnd(self, "no-dice")

    def notes(self) -> Facts:
        return {"threshold": self.plan.value.threshold}


@stage_class
class Loss(NamedTuple):
    """A glitch: as many hits are lost as a die shows."""

    progress: Progress
    kind: Literal["sr4.extended-loss"] = "sr4.extended-loss"

    @property
    def awaits(self) -> Awaited:
        return Roll((f"loss_{self.progress.rolls}",), (self.progress.plan.value.side.by,), Total(((1, 6),)))

    def advance(self, answer: int) -> Stage:
        return self.progress._replace(hits=max(0, self.progress.hits - answer)).go_on()

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

    progress: Progress
    why: str
    kind: Literal["sr4.extended-end"] = "sr4.extended-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        done = self.progress
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
        spent = self.progress.edge_spent
        return (Effect("spend", "tester", "edge", spent),) if spent else ()
