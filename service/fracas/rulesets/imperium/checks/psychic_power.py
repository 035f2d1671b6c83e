"""Using a psychic power: the test after concentrating (rulebook section 13). What powers do is not covered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.imperium.checks.abilities import (
    fields_named,
    merged_halvings,
    merging_fields,
    with_grants,
)
from fracas.rulesets.imperium.checks.percentile import Percentile
from fracas.rulesets.imperium.checks.single_test import Number, prepared_test
from fracas.rulesets.imperium.checks.tables import row_of

PSYKER, TARGET = "psyker", "target"
CHANCE = "power.chance"
CONCENTRATING = "concentrating"
"""The condition of somebody who has concentrated, and may use a power with the next action."""
PSYCHIC_POWER = Vocabulary(
    (
        Record(PSYKER, "Psyker", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record(TARGET, "Target", "combatant", "Whom the power is to affect, if anybody.", True),
        Record("power", "The power"),
        Record("action", "The action"),
    ),
    (
        *fields_named(PSYKER, "name", "willpower", "traits", "grants"),
        *fields_named(TARGET, "name"),
        Field(f"{PSYKER}.concentrated", "flag", "Has concentrated", "In the action before, undisturbed."),
        Field("power.name", "text", "Name", most=80),
        Field("power.difficulty", "whole", "Difficulty", "Taken off the Willpower.", most=200, example=15),
        *merging_fields(),
    ),
)


class PsychicPower:
    """The use of one power."""

    id = "use-psychic-power"
    label = "Use a psychic power"
    doc = "A Willpower test less the Difficulty of the power, an action after concentrating."
    vocabulary = PSYCHIC_POWER
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {CHANCE: "Chance to use the power"}
    measures = (Measure("success", "Chance of success", lambda facts: float(bool(facts["success"]))),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = with_grants(asked.said.facts, PSYKER)
        if "power.difficulty" not in facts:
            raise lacks("power.difficulty", "the Difficulty of the power")
        name = row_of(asked.catalog, "other-tests", self.id)["test"]
        number = Number(
            CHANCE,
            self.targets[CHANCE],
            PSYKER,
            name,
            (Entry("difficulty", "Difficulty", -facts["power.difficulty"]),),
            merged_halvings(asked, facts),
        )
        return prepared_test(asked, facts, number, Power(), {})


class Power(Continuation, kind="imperium.power"):
    """A power about to be used."""

    def take(self, test: Percentile, face: int) -> Stage:
        return PowerEnd(test.passes(face))


class PowerEnd(Outcome, kind="imperium.power-end"):
    """Whether the power was used. The concentration is spent in any case."""

    success: bool

    def notes(self) -> Facts:
        return {"success": self.success}

    def changes(self) -> tuple[Effect, ...]:
        return (Effect("remove-condition", PSYKER, CONCENTRATING),)
