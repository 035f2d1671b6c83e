"""Success and Opposed Tests of Shadowrun 5: rulebook sections 8.1 to 8.3."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from fracas.kernel.forms import Outcome
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, spent_edge
from fracas.rulesets.sr5.rolls.limits import limit_entries
from fracas.rulesets.sr5.rolls.test_vocabulary import OPPONENT, OPPOSED_TEST, OPPOSING, SUCCESS_TEST, TESTER
from fracas.rulesets.sr5.sheet import derive_side

POOL_FLOOR = "A pool never falls below 0"
_NAMES = {TESTER: "test", OPPONENT: "opposing"}
TARGETS = {"test.pool": "Pool", "test.limit": "Limit"}
OPPOSED_TARGETS = {
    **TARGETS,
    "opposing.pool": "Pool of the opponent",
    "opposing.limit": "Limit of the opponent",
}

MEASURES = (
    Measure("success", "Chance of success", lambda facts: 1.0 if facts["success"] else 0.0),
    Measure("hits", "Expected net hits", lambda facts: float(facts["net_hits"] or 0)),
)


class Numbers(NamedTuple):
    """The pool and the limit of one side; no limit where nobody says one."""

    pool: Tally
    limit: Tally | None

    @property
    def tallies(self) -> tuple[Tally, ...]:
        return (self.pool,) if self.limit is None else (self.pool, self.limit)

    @property
    def most(self) -> int | None:
        return None if self.limit is None else self.limit.total


def numbers_of(asked: Asked, facts: dict[str, Any], who: str = TESTER) -> Numbers:
    """The numbers of a side; what follows for it from the situation is added to the facts.

    Raises:
        InputError: the attribute, the skill or what a limit is made of is not said.
    """
    derive_side(facts, who)
    name, prefix = _NAMES[who], OPPOSING if who == OPPONENT else ""
    skill = facts.get(f"{prefix}skill")
    rating = facts[f"{who}.skills"].get(skill, 0) if skill is not None and f"{who}.skills" in facts else None
    if rating or (rating is not None and f"{who}.pool" not in facts):  # a pool is not defaulted
        facts[f"{who}.skill"] = rating
    base = [*_base(facts, who, prefix), *(_teamwork(facts) if who == TESTER else ())]
    pool = asked.rules.tally(f"{name}.pool", OPPOSED_TARGETS[f"{name}.pool"], base, facts, asked.hand)
    limit = _limit_base(facts, who, prefix)
    tally = None
    if limit:
        to = f"{name}.limit"
        tally = asked.rules.tally(to, OPPOSED_TARGETS[to], limit, facts, asked.hand)
        tally = tally.at_least(0, "A limit never falls below 0")
    return Numbers(pool.at_least(0, POOL_FLOOR), tally)


def _base(facts: Mapping[str, Any], who: str, prefix: str) -> list[Entry]:
    if f"{who}.pool" in facts:
        return [Entry("pool", "Pool given", facts[f"{who}.pool"])]
    entries = []
    for field in ("attribute", "second_attribute"):
        attribute = facts.get(prefix + field)
        if attribute is None and field == "second_attribute":
            continue
        rating = facts.get(f"{who}.{attribute}")
        if rating is None:
            path = f"{who}.{attribute}" if attribute else f"{who}.pool"
            raise lacks(path, "a pool, or an attribute and its rating")
        entries.append(Entry(field.replace("_", "-"), str(attribute).capitalize(), rating))
    skill = facts.get(f"{prefix}skill")
    if skill is not None:
        if f"{who}.skill" not in facts:
            raise lacks(f"{who}.skills", "the skill ratings")
        if facts[f"{who}.skill"]:
            label = skill.replace("-", " ").capitalize()
            entries.append(Entry("skill", label, facts[f"{who}.skill"]))
    return entries


def _teamwork(facts: Mapping[str, Any]) -> list[Entry]:
    hits = facts.get("teamwork.hits", 0)
    if "tester.skill" in facts:
        hits = min(hits, facts["tester.skill"])
    return [Entry("teamwork", "Teamwork", hits, origin="rule")] if hits else []


def _limit_base(facts: Mapping[str, Any], who: str, prefix: str) -> list[Entry]:
    if f"{prefix}limit_value" in facts:
        entries = [Entry("limit", "Limit given", facts[f"{prefix}limit_value"])]
    elif f"{prefix}limit" in facts:
        entries = limit_entries(facts, who, facts[f"{prefix}limit"])
    else:
        return []
    helpers = facts.get("teamwork.helpers", 0) if who == TESTER else 0
    return [*entries, Entry("helpers", "Helpers with hits", helpers, origin="rule")] if helpers else entries


def prepared(
    asked: Asked,
    facts: dict[str, Any],
    sides: Mapping[str, Numbers],
    first: Callable[[int, int | None], Stage],
) -> Prepared:
    """A test that is ready to roll, or why it is impossible.

    Args:
        sides: the numbers by record, that of the tester first.
        first: the first stage for the totals of the two pools.
    """
    tallies = tuple(tally for numbers in sides.values() for tally in numbers.tallies)
    refusals = asked.rules.refusals(facts)
    if refusals:
        return Prepared(None, tallies, refusals)
    mine, theirs = sides[TESTER].pool, sides[OPPONENT].pool if OPPONENT in sides else None

    def rebuild(changed: Tally) -> Stage | None:
        if changed.to == mine.to:
            return first(changed.total, theirs and theirs.total)
        if theirs is not None and changed.to == theirs.to:
            return first(mine.total, changed.total)
        return None

    return Prepared(first(mine.total, theirs and theirs.total), tallies, rebuild=rebuild)


_METRES = ("metres_run", "metres_per_hit")


class SuccessTest:
    """Roll a pool and compare the hits that its limit lets count with a threshold."""

    id = "success-test"
    label = "Success Test"
    doc = "A pool of dice against a threshold, with a limit, Edge, glitches and bought hits."
    vocabulary = SUCCESS_TEST
    decisions = dice_test.TEST_DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        numbers = numbers_of(asked, facts)
        told = facts.get("sprint") and all(f"tester.{name}" in facts for name in _METRES)
        metres = tuple(facts[f"tester.{name}"] for name in _METRES) if told else ()

        def first(pool: int, _: int | None) -> Stage:
            side = dice_test.side_of("test", TESTER, pool, facts, asked, numbers.most, buys=True)
            return dice_test.start(side, None, Threshold(facts.get("threshold", 1), metres))

        return prepared(asked, facts, {TESTER: numbers}, first)


class OpposedTest:
    """Two pools against each other; a tie is no success."""

    id = "opposed-test"
    label = "Opposed Test"
    doc = "A pool of dice against that of an opponent, each with its limit; the first wins with more hits."
    vocabulary = OPPOSED_TEST
    decisions = dice_test.TEST_DECISIONS
    targets: Mapping[str, str] = OPPOSED_TARGETS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        sides = {who: numbers_of(asked, facts, who) for who in (TESTER, OPPONENT)}

        def first(pool: int, opposing: int | None) -> Stage:
            mine = dice_test.side_of("test", TESTER, pool, facts, asked, sides[TESTER].most, buys=True)
            theirs = dice_test.side_of(
                "opposing", OPPONENT, opposing or 0, facts, asked, sides[OPPONENT].most, buys=True
            )
            return dice_test.start(mine, theirs, Contest())

        return prepared(asked, facts, sides, first)


class Threshold(Receiver, kind="sr5.threshold"):
    """Takes the hits of a test that nobody opposes; `metres`: of a run and for each hit, if it is a sprint."""

    threshold: int
    metres: tuple[int, ...] = ()

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        far = self.metres[0] + hits * self.metres[1] if self.metres else -1
        return TestEnd(hits, hits - self.threshold >= 0, max(0, hits - self.threshold), spent, far)

    def short(self, hits: int, other_hits: int) -> int:
        return self.threshold - hits

    def notes(self) -> Facts:
        return {"threshold": self.threshold}


class Contest(Receiver, kind="sr5.contest"):
    """Takes the hits of both sides of an Opposed Test."""

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return TestEnd(hits, hits > other_hits, max(0, hits - other_hits), spent)

    def forgo(self) -> Stage:
        """Who has no dice makes no test."""
        return TestEnd(0, False, 0, (0, 0))

    def short(self, hits: int, other_hits: int) -> int:
        return other_hits + 1 - hits


class TestEnd(Outcome, kind="sr5.test-end"):
    """How a test ended; the hits are those that the limit let count; `metres`: of a sprint, otherwise -1."""

    hits: int
    success: bool
    net_hits: int
    spent: tuple[int, int]
    metres: int = -1

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.success, "hits": self.hits, "net_hits": self.net_hits}
        return facts if self.metres < 0 else facts | {"metres": self.metres}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(*zip((TESTER, OPPONENT), self.spent, strict=True))
        if self.metres >= 0:
            yield Effect("add-condition", TESTER, "sprinting", None, (("set_metres_sprint", self.metres),))
