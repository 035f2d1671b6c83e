"""The skill check: 2d6, skill and attribute against a difficulty or another's check (rulebook section 1.2).

A check is 2d6 and its tally; `CHECK_DICE` are its dice. A helper's check against the same difficulty comes first and
gives 1. Ties of opposed checks go to the PC; between two of a kind the one who opposes keeps what they have. In a chase
the tester pursues (sections 2.6 of the SRD, 8.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fracas.dice.totals import Kept, Total
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import has_record, report_missing
from fracas.kernel.ruleset import AttemptRequest, ContextField, DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Effect, Facts, Option, Stage, lasting
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.checks.saves import attribute_fields, better_attribute
from fracas.rulesets.cwn.vocabulary import ARMOR_WORN, NAME, SIX, SKILLS, Known, Names, skill_levels

CHECK_DICE = ((2, 6),)
UNTRAINED = -1
HAMPERED = ("sneak", "exert")
"""Skills whose checks heavy armor makes harder."""
MOST_OF_CIRCUMSTANCES = 2
"""Circumstances add or take away this much at most, all together."""


def or_again(label: str) -> Callable[[Any], str]:
    """The label of the dice of a stage whose field ``again`` says that they are thrown another time."""
    return lambda stage: f"{label}_again" if stage.again else label


def check_fields(who: str) -> tuple[Field, ...]:
    """What a check needs of a combatant."""
    in_field = "Added to checks in its field; to all others nothing."
    outside = "An NPC's check that its skill does not cover. Left out: in its field."
    together = "Situational modifiers together; gear, cyberware and aid are not among them."
    return (
        *fields(
            who,
            name=NAME,
            skills=skill_levels(notice=1),
            skill_bonus=whole("Skill of the stat block", in_field, -5, 20),
            out_of_field=flag("Outside its field", outside),
            circumstances=whole("Circumstances", together, -10, 10),
            check_bonus=whole("Gear and cyberware", "Added to the check.", -10, 10),
            armor=ARMOR_WORN,
            player=flag("Player character", "Wins ties of opposed checks."),
        ),
        *attribute_fields(who),
    )


def is_stat_block(facts: Known, who: str) -> bool:
    """Whether checks go by one bonus for all skills; so they do where neither skills nor attributes are reported."""
    known = f"{who}.skills" in facts or any(f"{who}.{name}" in facts for name in SIX)
    return f"{who}.skill_bonus" in facts or not known


def missing_for_check(facts: Known, who: str, skills: Names, attributes: Names) -> Iterator[tuple[str, str]]:
    """(field, what is needed) of everything that the check lacks."""
    if is_stat_block(facts, who):
        if f"{who}.skill_bonus" not in facts and not facts.get(f"{who}.out_of_field"):
            yield f"{who}.skills", f"the skills and attributes | {who}.skill_bonus of a stat block"
        return
    if skills and f"{who}.skills" not in facts:
        yield f"{who}.skills", "the skills"
    if attributes and better_attribute(facts, who, attributes) is None:
        yield f"{who}.{attributes[0]}", " or ".join(name.capitalize() for name in attributes)


def check_base(facts: Known, who: str, skills: Names, attributes: Names) -> Iterator[Entry]:
    """The parts of a check: of several skills and attributes that serve, the best of each."""
    if is_stat_block(facts, who):
        bonus = 0 if facts.get(f"{who}.out_of_field") else facts[f"{who}.skill_bonus"]
        label = "Skill of the stat block" if bonus else "Outside the field of the stat block"
        yield Entry("skill-bonus", label, bonus)
    else:
        levels = facts.get(f"{who}.skills", {})
        # Each heavy piece of armor that they wear hampers by 1 (section 7).
        worn = sum(bool(piece.data.get("heavy")) for piece in facts.get(f"{who}.armor", ()))
        hampered = {name: worn if name in HAMPERED else 0 for name in skills}
        if skills:
            best = max(skills, key=lambda name: levels.get(name, UNTRAINED) - hampered[name])
            trained = best in levels
            label = best.capitalize() if trained else f"Untrained in {best.capitalize()}"
            yield Entry("skill" if trained else "untrained", label, levels.get(best, UNTRAINED))
            if hampered[best]:
                yield Entry("heavy-armor", "Heavy armor", -hampered[best], origin="rule")
        if better := better_attribute(facts, who, attributes):
            yield Entry(better[0], better[0].capitalize(), better[1])
    if given := facts.get(f"{who}.circumstances", 0):
        yield Entry("circumstances", "Circumstances", given)
        if over := given - max(-MOST_OF_CIRCUMSTANCES, min(MOST_OF_CIRCUMSTANCES, given)):
            yield Entry("circumstances-cap", "Circumstances count for 2 at most", -over, origin="rule")
    if gear := facts.get(f"{who}.check_bonus", 0):
        yield Entry("gear", "Gear and cyberware", gear)


def check_tally(
    request: AttemptRequest,
    facts: Known,
    who: str,
    to: str,
    label: str,
    skills: Names,
    attributes: Names,
    *more: Entry,
) -> Tally:
    """What a combatant adds to the 2d6, with `more` parts.

    Args:
        to, label: the name of the tally, one of the procedure's `targets`.
        skills, attributes: those that serve; the best counts.

    Raises:
        InputError: what the check needs is missing.
    """
    report_missing(missing_for_check(facts, who, skills, attributes))
    base = (*check_base(facts, who, skills, attributes), *more)
    return request.rules.tally(to, label, base, facts, request.hand)


def number_of_check(it: Attempt, to: str, who: str, skills: Names, attributes: Names, *more: Entry) -> None:
    """Make the number of a check one of those of an attempt, see `check_tally`."""
    with it.faults.collect():
        it.keep(check_tally(it.request, it.facts, who, to, it.labels[to], skills, attributes, *more))


def is_won(mine: int, theirs: int, player: bool | None, other_player: bool | None) -> bool:
    """Whether the first of two wins an opposed check: ties go to the PC; of two alike, the first does not win them."""
    if mine != theirs:
        return mine > theirs
    return bool(player) and not other_player


def wins_ties(facts: Known, who: str, other: str) -> bool:
    """Whether the first of two people wins a tie of their opposed checks."""
    return is_won(0, 0, facts.get(f"{who}.player"), facts.get(f"{other}.player"))


TESTER, OPPONENT, HELPER = "tester", "opponent", "helper"
BONUS, OPPOSED, HELP = "check.bonus", "check.opposed", "check.help"
AID = 1
"""What all help together adds."""
REROLL = "masterful-expertise"
EXPERTISE_USED = "expertise-used"
REROLL_OPTIONS = (Option("keep", "Let it stand"), Option("reroll", "Make the check again", ((REROLL, 1),)))


def _used(record: str, whose: str) -> tuple[Field, ...]:
    serves = f"Any one of them serves {whose}. Left out: none is used."
    return fields(
        record,
        skills=words("Skills", serves, choices=SKILLS, example=["notice"]),
        attributes=words("Attributes", "Any one of them serves.", choices=SIX, example=["wisdom"]),
    )


AIDED = flag("Aided", "A helper has passed the same check.")
_EXPERTISE = "Make a failed check again with Masterful Expertise"
_TOTALS = (ContextField("total", "Total of the check"), ContextField("needed", "Total that succeeds"))
DIFFICULTIES = "6 easy, 8 ordinary, 10 hard, 12 very hard, 14 and more nearly impossible."


class SkillCheck(Procedure):
    """2d6, skill and attribute against a difficulty, or against an opposing check."""

    vocabulary = vocabulary(
        person(TESTER, "Who tries"),
        person(OPPONENT, "Who opposes it", "Without one the check has a difficulty.", optional=True),
        person(HELPER, "Who helps", "Makes the same check first.", optional=True),
        Record("check", "The check"),
        Record("opposed", "The opposing check", "", "As the check itself where nothing is given."),
        Record("chase", "Chase", "", "The tester pursues, the opponent flees."),
        check_fields(TESTER),
        fields(TESTER, masterful_expertise=flag("Masterful Expertise", "Had, and not used in this scene.")),
        check_fields(OPPONENT),
        check_fields(HELPER),
        _used("check", "the tester and a helper"),
        _used("opposed", "the opponent"),
        fields(
            "check",
            difficulty=whole("Difficulty", DIFFICULTIES, most=40, example=8),
            aided=AIDED,
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
    decisions = (DecisionInfo(REROLL, _EXPERTISE, ("keep", "reroll"), "keep", _TOTALS),)
    targets = {BONUS: "Check", OPPOSED: "Opposing check", HELP: "Helper's check"}
    owners = {OPPOSED: OPPONENT, HELP: HELPER}
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
        ties = facts.get("chase.on") == "vehicle" or wins_ties(facts, TESTER, OPPONENT)
        needed, against = (None, it.total(OPPOSED)) if opposed else (facts["check.difficulty"], 0)
        three, lucky = bool(facts.get("check.drop_lowest")), bool(lucky) and REROLL in it.request.open
        check = Check(it.total(BONUS), three, needed, against, ties, lucky, False)
        return Help(it.total(HELP), facts["check.difficulty"], check) if HELP in it.made else check


class Help(Waiting, kind="cwn.check-help"):
    """Waits for the check of the one who helps with `check`."""

    bonus: int
    difficulty: int
    check: Check
    awaits = rolls("help", HELPER, lambda self: Total(CHECK_DICE, self.bonus, self.difficulty))

    def advance(self, answer: Any) -> Stage:
        return self.check._replace(bonus=self.check.bonus + AID) if answer else self.check


class Check(Waiting, kind="cwn.check"):
    """Waits for the dice of the one who tries.

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
    awaits = rolls(or_again("check"), TESTER, lambda self: check_request(self.bonus, self.three))

    def advance(self, answer: Any) -> Stage:
        return Opposition(self, answer) if self.difficulty is None else self.settled(answer, None)

    def settled(self, total: int, other: int | None) -> Stage:
        """What follows when all totals are known."""
        least = self.difficulty if other is None else other + (not self.ties)
        assert least is not None
        lost = total < least and self.lucky
        return Expertise(self, total, least) if lost else CheckEnd(total, least, other, self.again)


def check_request(bonus: int, three: bool, target: int | None = None) -> Total | Kept:
    """The dice of a check: 2d6, or the two highest of three."""
    return Kept(3, 6, 2, bonus, target) if three else Total(CHECK_DICE, bonus, target)


def opposing(bonus: int, total: int, ties: bool) -> Total:
    """The dice of a check that opposes a total, which wins `ties`."""
    return Total(CHECK_DICE, bonus, total + ties)


class Opposition(Waiting, kind="cwn.check-opposition"):
    """Waits for the dice of the one who opposes a check of this total."""

    check: Check
    total: int
    awaits = rolls("opposed", OPPONENT, lambda self: Total(CHECK_DICE, self.check.against))

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
    awaits = property(lambda self: self.check.awaits)

    def advance(self, answer: Any) -> Stage:
        return self.check.settled(answer, self.other)


class CheckEnd(Outcome, kind="cwn.check-end"):
    """How a check ended: its total, the least total that succeeds, the opposing total, whether it was rolled again."""

    total: int
    least: int
    other: int | None
    again: bool

    def notes(self) -> Facts:
        margin = self.total - self.least
        against = {"difficulty": self.least} if self.other is None else {"opposed_total": self.other}
        return {"success": margin >= 0, "total": self.total, "margin": margin, **against}

    def changes(self) -> tuple[Effect, ...]:
        return (lasting(TESTER, EXPERTISE_USED, "scene", 1),) if self.again else ()
