"""Using a psychic power: the test after concentrating (rulebook section 13). What powers do is not covered."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.fields import fields, flag, text, whole
from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record, Vocabulary
from fracas.rulesets.imperium.checks.abilities import (
    fields_named,
    merged_halvings,
    merging_fields,
    with_grants,
)
from fracas.rulesets.imperium.checks.percentile import Percentile
from fracas.rulesets.imperium.checks.single_test import number_of_test, tested

PSYKER, TARGET = "psyker", "target"
CHANCE = "power.chance"
CONCENTRATING = "concentrating"
"""The condition of a combatant who has concentrated, and may use a power with the next action."""
PSYCHIC_POWER = Vocabulary(
    (
        Record(PSYKER, "Psyker", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record(TARGET, "Target", "combatant", "The one that the power is to affect, if anybody.", True),
        Record("power", "The power"),
        Record("action", "The action"),
    ),
    (
        *fields_named(PSYKER, "name", "willpower", "traits", "grants"),
        *fields_named(TARGET, "name"),
        *fields(PSYKER, concentrated=flag("Has concentrated", "In the action before, undisturbed.")),
        *fields(
            "power",
            name=text("Name", most=80),
            difficulty=whole("Difficulty", "Taken off the Willpower.", most=200, example=15),
        ),
        *merging_fields(),
    ),
)


class PsychicPower(Procedure):
    """The use of one power."""

    id = "use-psychic-power"
    label = "Use a psychic power"
    doc = "A Willpower test less the Difficulty of the power, an action after concentrating."
    vocabulary = PSYCHIC_POWER
    targets: Mapping[str, str] = {CHANCE: "Chance to use the power"}
    measures = (chance("success", "Chance of success"),)

    def numbers(self, it: Attempt) -> None:
        it.facts = with_grants(it.facts, PSYKER)
        difficulty = it.need("power.difficulty", "the Difficulty of the power")
        name = row_of(it.catalog, "other-tests", self.id)["test"]
        less = Entry("difficulty", "Difficulty", -difficulty)
        number_of_test(it, CHANCE, PSYKER, name, less, halvings=merged_halvings(it))

    def first(self, it: Attempt) -> Stage:
        return tested(it, CHANCE, PSYKER, Power())


class Power(Continuation, kind="imperium.power"):
    """A power about to be used."""

    def on_result(self, test: Percentile, face: int) -> Stage:
        return PowerEnd(test.passes(face))


class PowerEnd(Outcome, kind="imperium.power-end"):
    """Whether the power was used. The concentration is spent in any case."""

    success: bool

    def notes(self) -> Facts:
        return {"success": self.success}

    def changes(self) -> tuple[Effect, ...]:
        return (Effect("remove-condition", PSYKER, CONCENTRATING),)
