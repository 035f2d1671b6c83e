"""Cold: how long somebody stands it (rulebook section 13). What it does afterwards is not covered.

The figures stand in the tables ``cold`` and ``survival-elements``. Hours are time: they keep their fractions.
"""

from __future__ import annotations

from fracas.kernel.fields import fields, number, words
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Fact, Facts, Stage
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.vocabulary import Record, Vocabulary
from fracas.rulesets.imperium.checks.abilities import fields_named

VICTIM = "victim"
ELEMENTS = ("warm-clothing", "shelter", "food", "fire")
COLD = Vocabulary(
    (
        Record(VICTIM, "Who is cold", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("cold", "The cold"),
    ),
    (
        *fields_named(VICTIM, "name", "toughness"),
        *fields(
            "cold",
            missing=words(
                "Missing", "What there is not of these; an empty list for nothing.", choices=ELEMENTS
            ),
            hours=number("Hours in the cold", "Left out: none yet.", most=100_000),
        ),
    ),
)


class ColdProcedure(Procedure):
    """The hours that somebody stands the cold."""

    id = "cold"
    label = "Cold"
    doc = "As many hours as the Toughness, halved for each element of survival that is missing; no roll."
    vocabulary = COLD
    measures = (mean("grace_hours", "Hours of grace", "grace-hours"),)

    def numbers(self, it: Attempt) -> None:
        it.need(f"{VICTIM}.toughness", "the Toughness")

    def first(self, it: Attempt) -> Stage:
        needed = {name for name, row in rows_of(it.catalog, "survival-elements").items() if row["needed"]}
        missing = len(needed & set(it.facts.get("cold.missing", ())))
        hours = row_of(it.catalog, "cold", "grace-hours-per-toughness")["value"]
        factor = row_of(it.catalog, "cold", "factor-per-missing-element")["value"]
        grace = it.facts[f"{VICTIM}.toughness"] * hours * factor**missing
        return ColdEnd(missing, grace, it.facts.get("cold.hours", 0))


class ColdEnd(Outcome, kind="imperium.cold-end"):
    """The hours of grace with so many elements missing, and those spent in the cold."""

    missing: int
    grace: float
    hours: float

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "missing": self.missing,
            "grace_hours": self.grace,
            "hours_left": max(0, self.grace - self.hours),
            "grace_over": self.hours > self.grace,
        }
        return facts
