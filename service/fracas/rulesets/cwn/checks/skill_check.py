"""The skill check: 2d6, skill and attribute against a difficulty or somebody else's check (rulebook section 1.2).

A helper's check against the same difficulty comes first and gives 1. Ties of opposed checks go to the PC; between two
of a kind whoever opposes keeps what he has. In a chase the tester pursues (sections 2.6 of the SRD, 8.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.dice.totals import Kept, Total
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import Clue, DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Roll, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.checks.saves import SIX
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE, check_fields, is_won, number_of_check
from fracas.rulesets.cwn.harms.harm import lasting
from fracas.rulesets.cwn.vocabulary import SKILLS

TESTER, OPPONENT, HELPER = "tester", "opponent", "helper"
BONUS, OPPOSED, HELP = "check.bonus", "check.opposed", "check.help"
AID = 1
"""What all help together adds."""
REROLL = "masterful-expertise"
EXPERTISE_USED = "expertise-used"
REROLL_OPTIONS = (
    Option("keep", "Let it stand"),
    Option("reroll", "Make the check again", ((REROLL, 1),)),
)
TARGETS = {BONUS: "Check", OPPOSED: "Opposing check", HELP: "Helper's check"}


def _used(record: str, whose: str) -> tuple[Field, ...]:
    return (
        *fields(
            record,
            skills=words(
                "Skills",
                f"Any one of them serves {whose}. Left out: none is used.",
                choices=SKILLS,
                example=["notice"],
            ),
            attributes=words("Attributes", "Any one of them serves.", choices=SIX, example=["wisdom"]),
        ),
    )


SKILL_CHECK = vocabulary(
    person(TESTER, "Who tries"),
    person(OPPONENT, "Who opposes it", "Without one the check has a difficulty.", optional=True),
    person(HELPER, "Who helps", "Makes the same check first.", optional=True),
    Record("check", "The check"),
    Record("opposed", "The opposing check", "", "As the check itself where nothing is said."),
    Record("chase", "Chase", "", "The tester pursues, the opponent flees."),
    check_fields(TESTER),
    fields(TESTER, masterful_expertise=flag("Masterful Expertise", "Had, and not used in this scene.")),
    check_fields(OPPONENT),
    check_fields(HELPER),
    _used("check", "the tester and a helper"),
    _used("opposed", "the opponent"),
    fields(
        "check",
        difficulty=whole(
            "Difficulty",
            "6 easy, 8 ordinary, 10 hard, 12 very hard, 14 and more nearly impossible.",
            most=40,
            example=8,
        ),
        aided=flag("Aided", "Somebody has passed the same check to help."),
        drop_lowest=flag("Three dice", "3d6 without the lowest, by a focus."),
        led=flag("Led", "The tester follows a leader with Authority 2."),
        in_combat=flag("Combat check", "Masterful Expertise does not serve."),
    ),
    fields(
        "chase",
        on=choice("Chase", choices=("foot", "vehicle")),
        stunts=whole("Stunts of the fugitive", "On foot; 3 at most count.", most=20),
        more_pursuers=flag("More pursuers than fugitives", "On foot."),
        head_start=choice(
            "Head start", "On foot.", choices=("none", "round", "under-a-minute", "over-a-minute")
        ),
        terrain=whole("Knowledge of the terrain", "On foot; of the pursuer.", -2, 2),
        half_hearted=flag("Half-hearted pursuit", "On foot."),
        enraged=flag("Enraged pursuer", "On foot."),
        no_sight=flag("Quarry out of sight", "By vehicle."),
        flies=choice("Who alone flies", "By vehicle.", choices=("pursuer", "quarry")),
        spotter=flag("Spotter", "By vehicle; a guide says where the quarry is."),
    ),
)


class SkillCheckProcedure(Procedure):
    """One skill check, opposed or not."""

    id = "skill-check"
    label = "Skill check"
    doc = "2d6, skill and attribute against a difficulty, or against an opposing check."
    vocabulary = SKILL_CHECK
    decisions: Sequence[DecisionInfo] = (
        DecisionInfo(
            REROLL,
            "Make a failed check again with Masterful Expertise",
            tuple(option.id for option in REROLL_OPTIONS),
            REROLL_OPTIONS[0].id,
            (Clue("total", "Total of the check"), Clue("needed", "Total that succeeds")),
        ),
    )
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = {OPPOSED: OPPONENT, HELP: HELPER}
    measures = (chance("success", "Chance of success"), mean("total", "Expected total"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        opposed, difficulty = has_record(facts, OPPONENT), facts.get("check.difficulty")
        if not opposed:
            it.need("check.difficulty", "a difficulty, or an opponent")
        skills, attributes = facts.get("check.skills", ()), facts.get("check.attributes", ())
        aided = [Entry("aid", "Aided", AID)] if facts.get("check.aided") else []
        number_of_check(it, BONUS, TESTER, skills, attributes, *aided)
        if opposed:
            theirs = facts.get("opposed.skills", skills), facts.get("opposed.attributes", attributes)
            number_of_check(it, OPPOSED, OPPONENT, *theirs)
        if has_record(facts, HELPER) and difficulty is not None and not aided:
            number_of_check(it, HELP, HELPER, skills, attributes)

    def first(self, it: Attempt) -> Stage:
        facts, opposed = it.facts, OPPOSED in it.made
        lucky = facts.get(f"{TESTER}.masterful_expertise") and not facts.get("check.in_combat")
        ties = facts.get("chase.on") == "vehicle" or is_won(
            0, 0, facts.get(f"{TESTER}.player"), facts.get(f"{OPPONENT}.player")
        )
        check = Check(
            it.total(BONUS),
            bool(facts.get("check.drop_lowest")),
            None if opposed else facts["check.difficulty"],
            it.total(OPPOSED) if opposed else 0,
            ties,
            bool(lucky) and REROLL in it.asked.open,
            False,
        )
        return Help(it.total(HELP), facts["check.difficulty"], check) if HELP in it.made else check


class Help(Waiting, kind="cwn.check-help"):
    """Waits for the check of whoever helps with `check`."""

    bonus: int
    difficulty: int
    check: Check

    @property
    def awaits(self) -> Awaited:
        return Roll(("help",), (HELPER,), Total(CHECK_DICE, self.bonus, self.difficulty))

    def advance(self, answer: Any) -> Stage:
        return self.check._replace(bonus=self.check.bonus + AID) if answer else self.check


class Check(Waiting, kind="cwn.check"):
    """Waits for the dice of whoever tries.

    Attributes:
        three: 3d6 without the lowest.
        difficulty: None for an opposed check, whose other side adds `against`.
        ties: an opposed tie is won.
        lucky: a failure may be rolled again by Masterful Expertise.
        again: it is rolled again.
    """

    bonus: int
    three: bool
    difficulty: int | None
    against: int
    ties: bool
    lucky: bool
    again: bool

    @property
    def awaits(self) -> Awaited:
        label = "check_again" if self.again else "check"
        return Roll((label,), (TESTER,), check_request(self.bonus, self.three))

    def advance(self, answer: Any) -> Stage:
        if self.difficulty is None:
            return Opposition(self, answer)
        return self.settled(answer, None)

    def settled(self, total: int, other: int | None) -> Stage:
        """What follows when all totals are known."""
        least = self.difficulty if other is None else other + (not self.ties)
        assert least is not None
        if total < least and self.lucky:
            return Expertise(self, total, least)
        return CheckEnd(total, least, other, self.again)


def check_request(bonus: int, three: bool, target: int | None = None) -> Total | Kept:
    """The dice of a check: 2d6, or the two highest of three."""
    return Kept(3, 6, 2, bonus, target) if three else Total(CHECK_DICE, bonus, target)


class Opposition(Waiting, kind="cwn.check-opposition"):
    """Waits for the dice of whoever opposes a check of this total."""

    check: Check
    total: int

    @property
    def awaits(self) -> Awaited:
        return Roll(("opposed",), (OPPONENT,), Total(CHECK_DICE, self.check.against))

    def advance(self, answer: Any) -> Stage:
        return self.check.settled(self.total, answer)


class Expertise(Waiting, kind="cwn.check-expertise"):
    """A check has failed: once in a scene it may be made again (10.1). `least`: the total that would succeed."""

    check: Check
    total: int
    least: int

    @property
    def awaits(self) -> Awaited:
        about = (("total", self.total), ("needed", self.least))
        return Decision(REROLL, TESTER, REROLL_OPTIONS, REROLL_OPTIONS[0].id, about)

    def advance(self, answer: Any) -> Stage:
        other = None if self.check.difficulty is not None else self.least - (not self.check.ties)
        if answer == REROLL_OPTIONS[0].id:
            return CheckEnd(self.total, self.least, other, self.check.again)
        return Again(self.check._replace(lucky=False, again=True), other)


class Again(Waiting, kind="cwn.check-again"):
    """Waits for the second throw of a check; `other` is the total that opposes it, None with a difficulty."""

    check: Check
    other: int | None

    @property
    def awaits(self) -> Awaited:
        return self.check.awaits

    def advance(self, answer: Any) -> Stage:
        return self.check.settled(answer, self.other)


class CheckEnd(Outcome, kind="cwn.check-end"):
    """How a check ended: its total, the least total that succeeds, the opposing total, whether it was rolled again."""

    total: int
    least: int
    other: int | None
    again: bool

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "success": self.total >= self.least,
            "total": self.total,
            "margin": self.total - self.least,
        }
        if self.other is None:
            facts["difficulty"] = self.least
        else:
            facts["opposed_total"] = self.other
        return facts

    def changes(self) -> tuple[Effect, ...]:
        return (lasting(TESTER, EXPERTISE_USED, "scene", 1),) if self.again else ()
