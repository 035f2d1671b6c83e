"""The Extended Test of Shadowrun 4: hits add up over several rolls (rulebook section 1).

A chain of tests, one an interval, whose receiver carries what has come together so far. A glitch loses hits, as many
as a die shows; a critical glitch ends it. Edge is spent once in the whole test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel import adding_up
from fracas.kernel.adding_up import LOST, Begun, Rows
from fracas.kernel.fields import choice, fields, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.odds import Played, Reached, Transitions, common, walk
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.readers import PolicyInputs
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage, share
from fracas.rulesets.sr4.rolls import dice_test, success_test
from fracas.rulesets.sr4.rolls.sides import Reaching, Receiver, RollRules, Side, Spent
from fracas.rulesets.sr4.sheet import spent_edge

DAY = 24 * 60 * 60
_LENGTHS = ("fast", "quick", "short", "average", "long", "consuming", "exhaustive", "mammoth")
_SECONDS = (3, 60, 10 * 60, 30 * 60, 60 * 60, DAY, 7 * DAY, 30 * DAY)
INTERVALS = dict(zip(_LENGTHS, _SECONDS, strict=True))
"""Seconds of an interval; ``fast`` is a Combat Turn, and a month has 30 days here."""
_AT_MOST = "As many as there is time for; as many as the pool has dice unless given."


class ExtendedTest(dice_test.TestingProcedure):
    """Hits of several rolls add up to a threshold; glitches lose hits, and a critical glitch ends it."""

    label = "Extended Test"
    vocabulary = vocabulary(
        *success_test.TEST_RECORDS,
        success_test.TEST_FIELDS,
        fields(
            "",
            interval=choice("Interval", "Time that each roll takes.", choices=tuple(INTERVALS)),
            intervals=whole("Rolls at most", _AT_MOST, least=1, most=100),
            hits_before=whole("Hits so far", "Of rolls made earlier in this test.", most=200),
            rolls_before=whole("Rolls so far", "Made earlier in this test.", most=100),
        ),
    )
    targets = success_test.POOLS
    measures = (
        chance("success", "Chance of success"),
        mean("rolls", "Expected rolls"),
        mean("hits", "Expected hits"),
    )

    def numbers(self, it: Attempt) -> None:
        success_test.number_of_test(it)

    def first(self, it: Attempt) -> Stage:
        facts, dice, made = it.facts, it.total(success_test.POOL), it.facts.get("rolls_before", 0)
        side = success_test.tester_of("", dice, facts, it.request)
        rules = RollRules.of(it.options, reports_glitch=True)
        last, threshold = made + facts.get("intervals", max(1, dice)), facts.get("threshold", 4)
        decays = bool(it.options["extended_decay"])
        loses = bool(it.options["extended_glitch_loses_hits"])
        seconds = INTERVALS.get(facts.get("interval", ""), 0)
        plan = Plan(side, threshold, last, decays, loses, seconds, rules)
        return Progress(share(plan), facts.get("hits_before", 0), made, made, False, 0).go_on()


class Plan(Part, kind="sr4.extended-plan"):
    """What does not change during an Extended Test.

    Attributes:
        side: who throws, with the pool of the first roll.
        threshold: hits needed.
        last: number of the last roll that there is time for.
        decays: each roll has a die less than the one before.
        loses: a glitch loses hits.
        seconds: of an interval; 0 if not given.
    """

    side: Side
    threshold: int
    last: int
    decays: bool
    loses: bool
    seconds: int
    rules: RollRules


class Progress(Reaching, kind="sr4.extended-progress"):
    """How far an Extended Test has come; takes the hits of a roll. `hits`, `rolls`: so far, `before` of them earlier.
    `glitched`: on some roll."""

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

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        hits, glitched, spent = self.hits + net, self.glitched or glitch > 0, self.edge_spent + edge_spent[0]
        after = self._replace(hits=hits, rolls=self.rolls + 1, glitched=glitched, edge_spent=spent)
        if glitch == 2:
            return ExtendedEnd(share(after), "critical-glitch")
        if glitch and self.plan.value.loses and 0 < after.hits < self.plan.value.threshold:
            return Loss(share(after))
        return after.go_on()

    @property
    def threshold(self) -> int:
        return self.plan.value.threshold

    def on_skip(self) -> Stage:
        """Without dice there is no roll."""
        return ExtendedEnd(share(self), "no-dice")

    def hits_needed(self, net: int, scoreless: bool) -> int:
        return self.threshold - self.hits - net

    def rest_from(self, stage: Stage, inputs: PolicyInputs) -> Rest | None:
        """What odds play at once from the beginning of a roll, where no decision goes by the hits so far."""
        side = self.plan.value.side
        if inputs.context & HITS_SO_FAR or inputs.options & OTHER_WAYS:
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
        return self.progress.value.on_reported_result(answer[0], False, answer[1], (0, 0))

    def shortcut(self, inputs: PolicyInputs | None) -> Rest:
        """What odds play at once, see `kernel.odds.Shortcut`."""
        progress = self.progress.value
        return Rest(progress.plan, progress.before, progress.edge_spent)

    def notes(self) -> Facts:
        return self.progress.value.notes()


MOST_WORK = 5_000_000
"""Products of weights that are calculated at most, in products of short ones: a second or two."""
LONG = 24_000
"""A product takes twice the time where weights have so many digits: of the roll, times all rolls until then."""


class Rest(NamedTuple):
    """All rolls that are left of an Extended Test, wherever one stands in it; fields as in `Progress`.

    What a roll does depends on the hits so far only where they are lost or enough. So each roll is played once, with
    its decisions; the weights of all numbers of hits are a row, and the roll is a product of two rows, as of
    polynomials, instead of many thousand single stages.
    """

    plan: Shared[Plan]
    before: int
    edge_spent: int

    def play(self, reached: Iterable[Reached], rounded: bool, transitions: Transitions) -> Played:
        """Every end, and every roll on the way, with its chance."""
        begun: dict[int, list[Begun]] = {}
        for stage, weight, total in reached:
            done = stage.progress.value if isinstance(stage, Interval) else stage.test.then  # type: ignore[attr-defined]
            begun.setdefault(done.rolls, []).append((done.glitched, done.hits, weight, total))
        return self._from(begun, rounded, transitions)

    def _from(self, begun: dict[int, list[Begun]], rounded: bool, transitions: Transitions) -> Played:
        """Interval by interval, the one that ends the test for want of dice or time included."""
        plan, paying, made, total = self.plan.value, self._replace(edge_spent=1), min(begun), 1
        times, played, paid = (len(LOST) if plan.loses else 1, Played([], []), dict[int, list[Begun]]())
        rows: Rows = ([0] * plan.threshold, [0] * plan.threshold)
        if not rounded:
            self._check_work(made)
        while True:
            rows, total = adding_up.joined(rows, total, begun.pop(made, ()), rounded)
            side = self._side(made)
            if made >= plan.last or not side.pool:
                why = "time" if made >= plan.last else "no-dice"
                left = adding_up.standing(rows, total)
                ends = {(hits, glitched, why): weight for glitched, hits, weight, _ in left}
                played.ends.append((total, self._ended(made, ends)))
                break
            kept, spent, of_roll, thrown = _tried(side, plan.rules, transitions)
            chance, made = adding_up.adding(*rows)([*rows[0], *rows[1]]) / total, made + 1
            played.thrown.extend((roll, share * chance) for roll, share in thrown)
            total *= 1 if rounded else of_roll * times
            into, ends_paid = adding_up.after(
                rows, adding_up.weighed(spent, of_roll, times, rounded), times, transitions.budget
            )
            rows, ends = adding_up.after(
                rows, adding_up.weighed(kept, of_roll, times, rounded), times, transitions.budget
            )
            played.ends.extend([(total, self._ended(made, ends)), (total, paying._ended(made, ends_paid))])
            if standing := [*adding_up.standing(into, total)]:
                paid[made] = standing
        more = paying._from(paid, rounded, transitions) if paid else Played([], [])
        return Played(played.ends + more.ends, played.thrown + more.thrown)

    def _ended(self, rolls: int, ends: Mapping[tuple[int, bool, str], Any]) -> dict[Stage, Any]:
        """Outcomes with their weights; `ends`: (hits, glitched, why)."""
        found: dict[Stage, Any] = {}
        for (hits, glitched, why), weight in ends.items():
            done = Progress(self.plan, hits, rolls, self.before, glitched, self.edge_spent)
            found[ExtendedEnd(share(done), why)] = weight
        return found

    def _side(self, rolls: int) -> Side:
        return Progress(self.plan, 0, rolls, self.before, False, self.edge_spent).side()

    def _check_work(self, made: int) -> None:
        """Check that exact weights can be calculated. `InputError`: they get too long."""
        all_dice = work = 0
        for rolls in range(made, self.plan.value.last):
            pool = self._side(rolls).pool
            all_dice += pool
            work += self.plan.value.threshold * pool * (LONG + all_dice * pool) // LONG
            if work > MOST_WORK:
                message = f"chances of more than {rolls - made} rolls of {pool} dice are fractions too long"
                hint = "say that there is time for fewer rolls (intervals)"
                raise InputError.one("situation.intervals", "too-complex", message, hint)


def _tried(
    side: Side, rules: RollRules, transitions: Transitions
) -> tuple[adding_up.Spread, adding_up.Spread, int, list[tuple[Roll, float]]]:
    """What comes of one roll with the decisions about it, whatever the hits so far: where no Edge was spent and where
    it was, the total of these weights, and the rolls on the way with the chance that each is made."""
    walked = walk(dice_test.start(side, None, OneRoll(), rules), transitions, True)
    ((label, pools),) = walked.thrown.items()
    outcomes, total = common(walked.finished[""])
    found: tuple[adding_up.Spread, adding_up.Spread] = ({}, {})
    for rolled, weight in outcomes.items():
        assert isinstance(rolled, Rolled)
        found[bool(rolled.edge_spent)][rolled.hits, rolled.glitch] = weight
    return *found, total, [(Roll((label,), (side.by,), pool), chance) for pool, chance in pools]


class OneRoll(Receiver, kind="sr4.extended-one-roll"):
    """Takes the hits of one roll by itself."""

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
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
    """How an Extended Test ended. `why`: ``threshold``, ``time``, ``critical-glitch`` or ``no-dice``."""

    progress: Shared[Progress]
    why: str

    def notes(self) -> Facts:
        done, success = self.progress.value, self.why == "threshold"
        facts: dict[str, Fact] = {"success": success, "ended": self.why, "hits": done.hits}
        facts |= {"rolls": done.rolls, "glitched": done.glitched}
        if done.plan.value.seconds:
            facts["seconds"] = (done.rolls - done.before) * done.plan.value.seconds
        return facts

    def changes(self) -> Iterator[Effect]:
        return spent_edge("tester", self.progress.value.edge_spent)
