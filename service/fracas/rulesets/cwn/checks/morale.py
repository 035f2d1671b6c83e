"""The Morale check and the reaction roll: 2d6 against the Morale score, and 2d6 and Charisma (rulebook section 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Facts, Stage, lasting
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.checks.saves import attribute_fields, modifier_of
from fracas.rulesets.cwn.checks.skill_check import CHECK_DICE, or_again
from fracas.rulesets.cwn.vocabulary import DRUGS_AT_WORK, LED, NAME

TESTER, FACE = "tester", "face"
SCORE, REACTION = "morale.score", "reaction.bonus"
BROKEN = "morale-broken"
STEADIED = "olympus-steadied"
"""The condition of a combatant that Olympus has held once in this scene."""


class Morale(Procedure):
    """2d6 against the Morale score of an NPC, who flees or surrenders if it breaks."""

    label = "Morale check"
    vocabulary = vocabulary(
        person(TESTER, "Whose nerve"),
        Record("morale_check", "The check"),
        fields(
            TESTER,
            name=text("Name", most=80, example="Thug"),
            morale=whole("Morale", "Score.", 2, 12, example=8),
            player=flag("Player character", "Never checks."),
            drugs=DRUGS_AT_WORK,
            olympus_steadied=flag(
                "Steadied by Olympus", "It has made one failed check of this scene be rolled again."
            ),
        ),
        fields(
            "morale_check",
            trigger=choice("What calls for it", choices=("ally-died", "half-down", "losing", "reversal")),
            bonus=whole("The GM's word", "On the score.", -2, 2),
            led=whole("Lead of the leader", f"{LED} it follows.", most=10),
        ),
    )
    targets = {SCORE: "Morale"}
    measures = (chance("breaks", "Chance to break"),)

    def numbers(self, it: Attempt) -> None:
        base = [Entry("morale", "Morale", it.need(f"{TESTER}.morale", "the Morale score"))]
        if word := it.facts.get("morale_check.bonus", 0):
            base.append(Entry("gm", "The GM's word", word))
        it.tally(SCORE, *base)

    def first(self, it: Attempt) -> Stage:
        score, drugs = it.total(SCORE), it.facts.get(f"{TESTER}.drugs", ())
        steadies = "olympus" in drugs and not it.facts.get(f"{TESTER}.olympus_steadied")
        return Nerve(score, score + (it.options["morale_break"] == "exceed"), steadies, False)


class Nerve(Waiting, kind="cwn.morale"):
    """Waits for the 2d6 of a Morale check. `least`: the lowest roll that breaks. `steadies`: a failure is rolled again,
    by Olympus. `again`: it is."""

    score: int
    least: int
    steadies: bool
    again: bool

    awaits = rolls(or_again("morale"), TESTER, lambda self: Total(CHECK_DICE, 0, self.least))

    def advance(self, answer: Any) -> Stage:
        if answer and self.steadies:
            return self._replace(steadies=False, again=True)
        return MoraleEnd(self.score, answer, self.again)


class MoraleEnd(Outcome, kind="cwn.morale-end"):
    """How a Morale check ended; `again`: it was rolled a second time."""

    score: int
    breaks: bool
    again: bool

    def notes(self) -> Facts:
        return {"breaks": self.breaks, "morale": self.score, "result": "breaks" if self.breaks else "holds"}

    def changes(self) -> Iterator[Effect]:
        if self.again:
            yield lasting(TESTER, STEADIED, "scene", 1)
        if self.breaks:
            yield Effect("add-condition", TESTER, BROKEN)


def _tone(word: str, label: str) -> Measure:
    """The chance of reactions with a word in them."""
    return Measure(word, label, lambda facts: float(word in str(facts["reaction"])))


class ReactionRoll(Procedure):
    """2d6 and the speaker's modifier of Charisma: how strangers receive the group."""

    vocabulary = vocabulary(
        person(FACE, "Who speaks"),
        Record("reaction", "The meeting"),
        fields(FACE, name=NAME),
        (field for field in attribute_fields(FACE) if field.path.startswith(f"{FACE}.charisma")),
        fields("reaction", bonus=whole("Circumstances", "Added to the roll.", -10, 10)),
    )
    targets = {REACTION: "Reaction bonus"}
    measures = (
        _tone("hostile", "Chance of hostility"),
        _tone("friendly", "Chance of friendship"),
        mean("total", "Expected total"),
    )

    def numbers(self, it: Attempt) -> None:
        charisma, given = modifier_of(it.facts, FACE, "charisma"), it.facts.get("reaction.bonus", 0)
        # NPCs have none as a rule.
        base = [Entry("charisma", "Charisma", charisma)] if charisma is not None else []
        it.tally(REACTION, *base, *([Entry("circumstances", "Circumstances", given)] if given else ()))

    def first(self, it: Attempt) -> Stage:
        rows = rows_of(it.lookup, "reactions").items()
        known = sorted((-1000 if row["least"] is None else row["least"], slug) for slug, row in rows)
        return Meeting(it.total(REACTION), tuple(known))


class Meeting(Waiting, kind="cwn.reaction-roll"):
    """Waits for the 2d6 of a reaction roll. `rows`: (lowest total, reaction), the lowest first."""

    bonus: int
    rows: tuple[tuple[int, str], ...]
    awaits = rolls("reaction", FACE, lambda self: Total(CHECK_DICE, self.bonus))

    def advance(self, answer: Any) -> Stage:
        return ReactionEnd(answer, [word for least, word in self.rows if answer >= least][-1])


class ReactionEnd(Outcome, kind="cwn.reaction-end"):
    """How strangers react."""

    total: int
    reaction: str
    reports = ("total", "reaction")
