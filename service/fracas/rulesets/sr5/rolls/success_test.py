"""Tests of Shadowrun 5 outside of attacks: rulebook sections 8.1 to 8.3.

Success and Opposed Tests; the Extended Test, whose hits add up over several rolls with a die less each; and Dead Man's
Trigger, which gives a last action to a combatant who is about to drop.

Pools that tables of the packs write out (``logic + cybercombat``, ``willpower + firewall``) are made here, too: a word
is a skill, or a field of the combatant with a rating. So one procedure serves every row of a table, and a layer changes
a test by changing its row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from fracas.kernel.fields import choice, fields, flag, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import lacks, require
from fracas.kernel.ruleset import DecisionInfo, Measure
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.steps import ended
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr5.combatant import ATTRIBUTES, ESSENCE, SKILLS, TEST_POOL, combatant_fields
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Against, Contested, Receiver, Side, spent_edge
from fracas.rulesets.sr5.sheet import LIMITS, called, derive_side, label, limit_entries, skill_entry

_MENTAL = ("logic", "intuition", "willpower", "charisma")


def words_of(written: str) -> list[str]:
    """The words of a written pool; none of an empty one."""
    return [word.strip() for word in written.split("+") if word.strip()]


def written_pool(
    facts: Mapping[str, Any], who: str, written: str, *, given: bool = True, stead: str = ""
) -> list[Entry]:
    """The lines of a pool.

    Args:
        given: `pool` of the combatant may stand in place of all of it.
        stead: a rating that takes the place of mental attributes, such as that of a device which nobody holds.

    Raises:
        InputError: an attribute or the skills are not given; all of them are reported.
    """
    instead = f"{who}.pool"
    if given and instead in facts:
        return [Entry("pool", "Pool given", facts[instead])]
    words = [stead if stead and word in _MENTAL else word for word in words_of(written)]
    other = f" | {instead}" if given else ""
    skilled = [word for word in words if word in SKILLS]
    wanted = [(f"{who}.{word}", f"{label(word)}{other}") for word in words if word not in SKILLS]
    if skilled:
        wanted.append((f"{who}.skills", f"the skill ratings{other}"))
    require(facts, dict.fromkeys(wanted))
    return [_line(facts, who, word, words[:at].count(word)) for at, word in enumerate(words)]


def _line(facts: Mapping[str, Any], who: str, word: str, before: int) -> Entry:
    if word in SKILLS:
        return skill_entry(facts, who, word)
    return Entry(f"{word}-{before + 1}" if before else word, called(facts, who, word), facts[f"{who}.{word}"])


TESTER, OPPONENT = "tester", "opponent"
OPPOSING = "opposing."
"""What is asked of the opponent stands in this record; what is asked of the tester, in the situation itself."""


def _side_fields(who: str) -> tuple[Field, ...]:
    more = "Points that drugs and the like add to the {} limit."
    return combatant_fields(
        who,
        pool=TEST_POOL,
        specialized=flag("Specialized", "The specialization covers this test."),
        essence=ESSENCE,
        mental_limit_bonus=whole("Mental limit of drugs", more.format("Mental"), -20, 20),
        social_limit_bonus=whole("Social limit of drugs", more.format("Social"), -20, 20),
        perception_bonus=whole("Perception of drugs", "Dice that they add to Perception.", most=20),
        skill=whole("Skill rating", "0 if defaulted.", derived_from=f"{who}.skills"),
    )


def _asked(record: str) -> tuple[Field, ...]:
    second = "In place of a skill."
    return fields(
        record,
        attribute=choice("Attribute", choices=ATTRIBUTES, example="reaction"),
        second_attribute=choice("Second attribute", second, choices=ATTRIBUTES),
        skill=choice("Skill", "The skill that uses it.", choices=SKILLS),
        limit=choice("Limit", "Left out: none.", choices=LIMITS),
        limit_value=whole("Limit in figures", "Such as a Force or a rating.", most=60),
    )


_THRESHOLD = Field("threshold", "whole", "Threshold", "Hits needed; 1 unless given.", 1, 50)
_RECORDS = (Record(TESTER, "Tester", "combatant"), Record("teamwork", "What helpers' own tests brought"))
_FIELDS = (
    *_side_fields(TESTER),
    *_asked(""),
    *fields(
        "teamwork",
        hits=whole("Hits of helpers", "A die each, up to the skill of the tester.", most=200),
        helpers=whole("Helpers with hits", "Each raises the limit by 1.", most=50),
    ),
)

_NAMES = {TESTER: "test", OPPONENT: "opposing"}
TARGETS = {"test.pool": "Pool", "test.limit": "Limit"}
MEASURES = (chance("success", "Chance of success"), mean("net_hits", "Expected net hits", "hits"))


class TestProcedure(Procedure):
    """A test outside of attacks: a pool for each side, and a limit where the request has one.

    Attributes:
        sides: the records of those who roll.
    """

    decisions: Sequence[DecisionInfo] = dice_test.TEST_DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures: Sequence[Measure] = MEASURES
    sides: Sequence[str] = (TESTER,)

    def numbers(self, it: Attempt) -> None:
        for who in self.sides:
            with it.faults.collect():
                pool_of(it, who)
                limit_of_test(it, who)

    def side(self, it: Attempt, who: str = TESTER) -> Side:
        name = _NAMES[who]
        pool, limit = it.total(f"{name}.pool"), it.known(f"{name}.limit")
        return dice_test.side_of(it, name, who, pool, limit, buys=True)


def pool_of(it: Attempt, who: str = TESTER) -> None:
    """Make the pool of a side; what follows for the side is added to the facts.

    Raises:
        InputError: the attribute or the skill is missing.
    """
    facts, prefix = it.facts, OPPOSING if who == OPPONENT else ""
    derive_side(facts, who)
    skill = facts.get(f"{prefix}skill")
    rating = facts[f"{who}.skills"].get(skill, 0) if skill is not None and f"{who}.skills" in facts else None
    if rating or (rating is not None and f"{who}.pool" not in facts):  # a pool is not defaulted
        facts[f"{who}.skill"] = rating
    base = _base(facts, who, prefix)
    hits = facts.get("teamwork.hits", 0) if who == TESTER else 0
    if hits := min(hits, facts.get("tester.skill", hits)):
        base.append(Entry("teamwork", "Teamwork", hits, origin="rule"))
    dice_test.make_pool(it, f"{_NAMES[who]}.pool", *base)


def limit_of_test(it: Attempt, who: str) -> None:
    """Make the limit of a side, if the request has one.

    Raises:
        InputError: what the limit is made of is missing.
    """
    facts, prefix = it.facts, OPPOSING if who == OPPONENT else ""
    value, name = facts.get(f"{prefix}limit_value"), facts.get(f"{prefix}limit")
    if value is None and name is None:
        return
    base = limit_entries(facts, who, str(name)) if value is None else [Entry("limit", "Limit given", value)]
    if helpers := facts.get("teamwork.helpers", 0) if who == TESTER else 0:
        base.append(Entry("helpers", "Helpers with hits", helpers, origin="rule"))
    dice_test.make_limit(it, f"{_NAMES[who]}.limit", *base)


def _base(facts: Mapping[str, Any], who: str, prefix: str) -> list[Entry]:
    if f"{who}.pool" in facts:
        return [Entry("pool", "Pool given", facts[f"{who}.pool"])]
    first, second, skill = (facts.get(prefix + one) for one in ("attribute", "second_attribute", "skill"))
    entries = []
    for id, attribute in (("attribute", first), ("second-attribute", second)):
        if id == "attribute" or attribute is not None:
            path = f"{who}.{attribute or 'pool'}"
            require(facts, [(path, "a pool, or an attribute and its rating")])
            entries.append(Entry(id, str(attribute).capitalize(), facts[path]))
    if skill is None:
        return entries
    if f"{who}.skill" not in facts:
        raise lacks(f"{who}.skills", "the skill ratings")
    rating = Entry("skill", label(skill), facts[f"{who}.skill"])
    return [*entries, rating] if rating.value else entries


_METRES = ("tester.metres_run", "tester.metres_per_hit")


class SuccessTest(TestProcedure):
    """A pool of dice against a threshold, with a limit, Edge, glitches and bought hits."""

    label = "Success Test"
    vocabulary = vocabulary(
        *_RECORDS,
        _FIELDS,
        _THRESHOLD,
        fields(
            "",
            sprint=flag("Sprint", "Each hit carries the tester further than a run."),
            illusion=whole("Hits of an illusion", "In place of the threshold, to see through it.", 1, 60),
        ),
        fields(
            "tester",
            metres_run=whole("Metres of a run", most=1000),
            metres_per_hit=whole("Metres for each hit of a sprint", most=100, example=2),
        ),
    )

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        sprints = facts.get("sprint") and all(name in facts for name in _METRES)
        threshold = facts.get("illusion", facts.get("threshold", 1))
        threshold += "illusion" in facts and it.options["illusion_tie"] == "caster"
        then = Threshold(threshold, tuple(facts[name] for name in _METRES if sprints))
        return dice_test.start(self.side(it), None, then)


class OpposedTest(TestProcedure):
    """A pool of dice against that of an opponent, each with its limit; the first wins with more hits."""

    label = "Opposed Test"
    vocabulary = vocabulary(
        *_RECORDS,
        Record(OPPONENT, "Opponent", "combatant"),
        Record("opposing", "What the opponent rolls"),
        _FIELDS,
        _side_fields(OPPONENT),
        _asked("opposing"),
    )
    _their = {"opposing.pool": "Pool of the opponent", "opposing.limit": "Limit of the opponent"}
    targets: Mapping[str, str] = TARGETS | _their
    owners: Mapping[str, str] = dict.fromkeys(_their, OPPONENT)
    sides: Sequence[str] = (TESTER, OPPONENT)

    def first(self, it: Attempt) -> Stage:
        return dice_test.start(self.side(it), self.side(it, OPPONENT), Contest())


class Threshold(Against, kind="sr5.threshold"):
    """Takes the hits of a test that nobody opposes; `metres`: of a run and for each hit, if it is a sprint."""

    metres: tuple[int, ...] = ()

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        far = self.metres[0] + hits * self.metres[1] if self.metres else -1
        return TestEnd(hits, hits - self.threshold >= 0, max(0, hits - self.threshold), spent, far)


class Contest(Contested, kind="sr5.contest"):
    """Takes the hits of both sides of an Opposed Test."""

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return TestEnd(hits, hits > other_hits, max(0, hits - other_hits), spent)

    def on_skip(self) -> Stage:
        """Who has no dice makes no test."""
        return TestEnd(0, False, 0, (0, 0))


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


NEEDED = 3
ONE_MORE = "last-action"
"""The condition of the packs: one action in spite of all that takes a combatant out."""


class ExtendedTest(TestProcedure):
    """Rolls whose hits add up, with a die less each time; a limit counts for each roll."""

    label = "Extended Test"
    vocabulary = vocabulary(
        *_RECORDS,
        _FIELDS,
        _THRESHOLD,
        fields(
            "",
            rolls_most=whole("Rolls at most", "As many as there is time for.", 1, 60),
            hits_before=whole("Hits so far", "Of rolls made earlier in this test.", most=200),
            rolls_before=whole("Rolls so far", "Made earlier in this test: a die less for each.", most=60),
        ),
    )
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
    reports = ("threshold",)

    def go_on(self) -> Stage:
        """The next roll, or the end."""
        pool = self.side.pool - self.rolls
        if self.got >= self.threshold or self.rolls >= self.most or pool < 1:
            return ExtendedEnd(self.got >= self.threshold, self.got, self.rolls, self.spent)
        return dice_test.start(self.side._replace(pool=pool), None, self)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        side = self.side.without_points() if spent[0] else self.side
        got, paid = self.got + hits, self.spent + spent[0]
        return self._replace(side=side, got=got, rolls=self.rolls + 1, spent=paid).go_on()

    def hits_needed(self, hits: int, other_hits: int) -> int:
        return self.threshold - self.got - hits


class ExtendedEnd(Outcome, kind="sr5.extended-end"):
    """How an Extended Test ended."""

    success: bool
    hits: int
    rolls: int
    spent: int
    reports = ("success", "hits", "rolls")

    def changes(self) -> Iterator[Effect]:
        return spent_edge((TESTER, self.spent))


class DeadMansTrigger(TestProcedure):
    """A point of Edge for a test; its success leaves one last action before the combatant drops."""

    label = "Dead Man's Trigger"
    vocabulary = vocabulary(*_RECORDS[:1], _side_fields(TESTER), _asked(""))
    """Of Dead Man's Trigger, whose attributes and threshold are settled."""
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {"test.pool": TARGETS["test.pool"]}
    measures: Sequence[Measure] = MEASURES[:1]

    def numbers(self, it: Attempt) -> None:
        it.facts |= {"attribute": "body", "second_attribute": "willpower"}
        with it.faults.collect():
            pool_of(it)
        if it.facts.get("tester.edge_points") == 0:
            it.refused.append(Refusal("no_edge", "No point of Edge is left"))

    def first(self, it: Attempt) -> Stage:
        return dice_test.start(self.side(it).without_points(), None, LastChance())


class LastChance(Receiver, kind="sr5.last-chance"):
    """Takes the test; the point that it cost is spent whatever comes of it."""

    threshold: ClassVar[int] = NEEDED
    reports = ("threshold",)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        success, effects = hits >= NEEDED, [*spent_edge((TESTER, 1))]
        if success:  # one action is left, for what is unspent of the phase
            effects.append(Effect("add-condition", TESTER, ONE_MORE))
        return ended({"success": success, "hits": hits, "net_hits": max(0, hits - NEEDED)}, *effects)
