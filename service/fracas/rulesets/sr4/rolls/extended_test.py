"""The Extended Test of Shadowrun 4: hits add up over several rolls (rulebook section 1).

A chain of tests, one an interval, whose receiver carries what has come together so far. A glitch loses hits, as many
as a die shows; a critical glitch ends it. Edge is spent once in the whole test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.odds import Played, Reached, Transitions, common, walk
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.readers import Watched
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage, share
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.extended_weights import End, Start, Tried, check_work, intervals
from fracas.rulesets.sr4.rolls.sides import Reaching, Receiver, RollRules, Side
from fracas.rulesets.sr4.rolls.success_test import (
    POOL,
    POOLS,
    TEST_FIELDS,
    TEST_RECORDS,
    number_of_test,
    tester_of,
)

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


class ExtendedTest(Procedure):
    """Roll a pool again and again until the hits together reach a threshold, or time runs out."""

    id = "extended-test"
    label = "Extended Test"
    doc = "Hits of several rolls add up to a threshold; glitches lose hits, and a critical glitch ends it."
    vocabulary = vocabulary(
        *TEST_RECORDS,
        TEST_FIELDS,
        fields(
            "",
            interval=choice("Interval", "Time that each roll takes.", choices=tuple(INTERVALS)),
            intervals=whole(
                "Rolls at most",
                "As many as there is time for; as many as the pool has dice unless said.",
                least=1,
                most=100,
            ),
            hits_before=whole("Hits so far", "Of rolls made earlier in this test.", most=200),
            rolls_before=whole("Rolls so far", "Made earlier in this test.", most=100),
        ),
    )
    decisions = dice_test.DECISIONS
    targets = POOLS
    measures = (
        chance("success", "Chance of success"),
        mean("rolls", "Expected rolls"),
        mean("hits", "Expected hits"),
    )

    def numbers(self, it: Attempt) -> None:
        number_of_test(it)

    def first(self, it: Attempt) -> Stage:
        facts, dice, made = it.facts, it.total(POOL), it.facts.get("rolls_before", 0)
        plan = Plan(
            tester_of("", dice, facts, it.asked),
            facts.get("threshold", EASY),
            made + facts.get("intervals", max(1, dice)),
            bool(it.options.get("extended_decay", False)),
            bool(it.options.get("extended_glitch_loses_hits", True)),
            INTERVALS.get(facts.get("interval", ""), 0),
            RollRules.of(it.options, tells_glitch=True),
        )
        return Progress(share(plan), facts.get("hits_before", 0), made, made, False, 0).go_on()


class Plan(Part, kind="sr4.extended-plan"):
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


class Progress(Reaching, kind="sr4.extended-progress"):
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

    def go_on(self) -> Stage:
        """The next roll, or the end."""
        return _going_on(self)

    def side(self) -> Side:
        """Who makes the next roll, with its dice."""
        plan = self.plan.value
        dice = max(0, plan.side.pool - self.rolls) if plan.decays else plan.side.pool
        side = plan.side.again(f"roll_{self.rolls + 1}", dice)
        return side.without_edge() if self.edge_spent else side  # a point a test, and this is one test

    def take_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        after = self._replace(
            hits=self.hits + net,
            rolls=self.rolls + 1,
            glitched=self.glitched or glitch > 0,
            edge_spent=self.edge_spent + edge_spent[0],
        )
        if glitch == 2:
            return ExtendedEnd(share(after), "critical-glitch")
        if glitch and self.plan.value.loses and 0 < after.hits < self.plan.value.threshold:
            return Loss(share(after))
        return after.go_on()

    @property
    def threshold(self) -> int:
        return self.plan.value.threshold

    def forgo(self) -> Stage:
        """Without dice there is no roll."""
        return ExtendedEnd(share(self), "no-dice")

    def short(self, net: int, scoreless: bool) -> int:
        return self.threshold - self.hits - net

    def rest_from(self, stage: Stage, watched: Watched) -> Rest | None:
        """What odds play at once from the beginning of a roll, where no decision goes by the hits so far."""
        side = self.plan.value.side
        if watched.clues & HITS_SO_FAR or watched.options & OTHER_WAYS:
            return None
        if side.can_buy or side.helper or side.burns or self.edge_spent or stage != self.go_on():
            return None
        return Rest(self.plan, self.before, 0)


HITS_SO_FAR, OTHER_WAYS = {"short", "needed"}, {"burn", "long-shot"}
"""Clues and options with which what is decided about a roll depends on those before it, or there may be no roll."""


@lru_cache(maxsize=1 << 13)
def _going_on(progress: Progress) -> Stage:
    """The next roll, or the end: the same few thousand, wherever odds come from."""
    plan = progress.plan.value
    if progress.hits >= plan.threshold:
        return ExtendedEnd(share(progress), "threshold")
    if progress.rolls >= plan.last:
        return ExtendedEnd(share(progress), "time")
    side = plan.side
    asks = side.can_buy or (side.decides and not progress.edge_spent)
    if not asks and (side.pool > progress.rolls or (side.pool and not plan.decays)):
        return Interval(share(progress))
    side = progress.side()
    if side.pool == 0 and not (side.edge or side.burn or side.helper):
        return ExtendedEnd(share(progress), "no-dice")
    return dice_test.start(side, None, progress, plan.rules)


class Interval(Waiting, kind="sr4.extended-interval"):
    """One roll about which nobody has anything to decide, and neither about any later one."""

    progress: Shared[Progress]

    @property
    def awaits(self) -> Awaited:
        progress = self.progress.value
        return dice_test.start(progress.side(), None, progress, progress.plan.value.rules).awaits

    def advance(self, answer: tuple[int, int]) -> Stage:
        return self.progress.value.take_told(answer[0], False, answer[1], (0, 0))

    def rest(self, watched: Watched | None) -> Rest:
        """What odds play at once, see `kernel.odds.Rest`."""
        progress = self.progress.value
        return Rest(progress.plan, progress.before, progress.edge_spent)

    def notes(self) -> Facts:
        return self.progress.value.notes()


class Rest(NamedTuple):
    """All rolls that are left of an Extended Test, wherever one stands in it; fields as in `Progress`.

    Each roll is played once, with its decisions, and what has come together before is added.
    """

    plan: Shared[Plan]
    before: int
    edge_spent: int

    def play(self, reached: Iterable[Reached], rounded: bool, transitions: Transitions) -> Played:
        """Every end, and every roll on the way, with its chance."""
        starts = []
        for stage, weight, total in reached:
            done = stage.progress.value if isinstance(stage, Interval) else stage.test.then  # type: ignore[attr-defined]
            starts.append(Start(done.hits, done.rolls, done.glitched, weight, total))
        return self._from(starts, rounded, transitions)

    def _from(self, starts: Sequence[Start], rounded: bool, transitions: Transitions) -> Played:
        plan, paying, played = self.plan.value, self._replace(edge_spent=1), Played([], [])
        if not rounded:
            first = min(start.rolls for start in starts)
            check_work(first, lambda rolls: self._side(rolls).pool, plan.threshold, plan.last)

        def tried(rolls: int) -> Tried | None:
            side = self._side(rolls)
            return _tried(side, plan.rules, transitions) if side.pool else None

        after: list[Start] = []
        for interval in intervals(
            starts, tried, plan.threshold, plan.last, plan.loses, rounded, transitions.budget
        ):
            for rest, ends in ((self, interval.ends), (paying, interval.paid)):
                played.ends.append((interval.total, rest._ended(ends)))
            played.thrown.extend(interval.thrown)
            after += interval.after
        more = paying._from(after, rounded, transitions) if after else Played([], [])
        return Played(played.ends + more.ends, played.thrown + more.thrown)

    def _ended(self, ends: Mapping[End, Any]) -> dict[Stage, Any]:
        """Outcomes with their weights."""
        found: dict[Stage, Any] = {}
        for (hits, rolls, glitched, why), weight in ends.items():
            done = Progress(self.plan, hits, rolls, self.before, glitched, self.edge_spent)
            found[ExtendedEnd(share(done), why)] = weight
        return found

    def _side(self, rolls: int) -> Side:
        return Progress(self.plan, 0, rolls, self.before, False, self.edge_spent).side()


def _tried(side: Side, rules: RollRules, transitions: Transitions) -> Tried:
    """What comes of one roll with the decisions about it."""
    walked = walk(dice_test.start(side, None, OneRoll(), rules), transitions, True)
    ((label, pools),) = walked.thrown.items()
    outcomes, total = common(walked.finished[""])
    kept: dict[tuple[int, int], int] = {}
    spent: dict[tuple[int, int], int] = {}
    for rolled, weight in outcomes.items():
        assert isinstance(rolled, Rolled)
        (spent if rolled.edge_spent else kept)[rolled.hits, rolled.glitch] = weight
    return Tried(kept, spent, total, [(Roll((label,), (side.by,), pool), chance) for pool, chance in pools])


class OneRoll(Receiver, kind="sr4.extended-one-roll"):
    """Takes the hits of one roll by itself."""

    def take_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return Rolled(net, glitch, edge_spent[0])


class Rolled(Outcome, kind="sr4.extended-rolled"):
    """What one roll has come to."""

    hits: int
    glitch: int
    edge_spent: int


class Loss(Waiting, kind="sr4.extended-loss"):
    """A glitch: as many hits are lost as a die shows."""

    progress: Shared[Progress]

    @property
    def awaits(self) -> Awaited:
        progress = self.progress.value
        return Roll((f"loss_{progress.rolls}",), (progress.plan.value.side.by,), Total(((1, 6),)))

    def advance(self, answer: int) -> Stage:
        progress = self.progress.value
        return progress._replace(hits=max(0, progress.hits - answer)).go_on()


class ExtendedEnd(Outcome, kind="sr4.extended-end"):
    """How an Extended Test ended.

    Attributes:
        why: ``threshold``, ``time``, ``critical-glitch`` or ``no-dice``.
    """

    progress: Shared[Progress]
    why: str

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

    def changes(self) -> Iterator[Effect]:
        return spent_edge("tester", self.progress.value.edge_spent)
