"""Drugs that a combatant takes: what they change, and for how long (rulebook sections 3.2 and 11.8).

What a drug changes stands with the drug in the packs; the condition that it brings has the changes from there. Its
initiative dice give no bonus actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, person, text, vocabulary
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Stage, lasting
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5.combatant import combatant_fields

TAKER = "taker"
ON = "on-"
"""How the condition of a drug begins."""
_WHILE = {"bliss-by-the-book": ("bliss_reaction", "book"), "bliss-by-the-data": ("bliss_reaction", "data")}
"""Changes that only count by a house rule: the option, and what must be chosen."""

TAKE_DRUG = vocabulary(
    person(TAKER, "Who takes it"),
    Record("drug", "Drug", "drug", "A drug of the packs."),
    combatant_fields(TAKER),
    fields("drug", name=text("Name", most=80)),
)


class TakeDrug:
    """A dose is taken."""

    id = "take-drug"
    label = "Take a drug"
    doc = "The changes of a drug, and how long they last."
    vocabulary = TAKE_DRUG
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {}
    measures = (Measure("length", "Expected duration", lambda facts: float(facts["length"] or 0)),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        if "drug" not in asked.said.used:
            given = any(path.startswith("drug.") for path in asked.said.facts)
            raise lacks("drug.use" if given else "drug", "a drug of the packs")
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        entry = asked.catalog.entry("drug", asked.said.used["drug"])
        assert entry is not None, "it was found when the request was read"
        dose = Dose(entry.slug, tuple(_details(facts, entry.data.get("changes", ()), asked.options)))
        return Prepared(_lasting(facts, dose, entry.data.get("duration")), ())


def _details(
    facts: Mapping[str, Any], changes: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
) -> Iterator[tuple[str, int]]:
    """What the condition adds and sets; the boxes that pain takes nothing for are those of the drug if it has more."""
    for change in changes:
        option, chosen = _WHILE.get(str(change.get("while", "")), ("", None))
        if option and options.get(option) != chosen:
            continue
        stat = str(change["stat"])
        if "add" in change:
            yield f"add_{stat}", int(change["add"])
        else:
            yield f"set_{stat}", max(int(change["at_least"]), facts.get(f"{TAKER}.{stat}", 0))


def _lasting(facts: Mapping[str, Any], dose: Dose, duration: Mapping[str, Any] | None) -> Stage:
    """How long it works: a count less an attribute, or dice; for a time that nobody knows where the packs say none.

    Raises:
        InputError: the attribute is not said.
    """
    if duration is None:
        return dose
    dose = dose._replace(unit=str(duration["unit"]))
    if "dice" in duration:
        count, _, sides = str(duration["dice"]).partition("d")
        return DoseTime(dose, int(count), int(sides), int(duration.get("times", 1)))
    less = duration.get("less")
    if less and f"{TAKER}.{less}" not in facts:
        raise lacks(f"{TAKER}.{less}", f"{str(less).capitalize()}, for the duration")
    return dose._replace(length=max(0, int(duration["count"]) - (facts[f"{TAKER}.{less}"] if less else 0)))


class DoseTime(Waiting, kind="sr5.dose-time"):
    """Waits for the dice of a duration, which are added and multiplied."""

    dose: Dose
    dice: int
    sides: int
    times: int

    @property
    def awaits(self) -> Awaited:
        return Roll(("duration",), (TAKER,), Total(((self.dice, self.sides),)))

    def advance(self, answer: int) -> Stage:
        return self.dose._replace(length=answer * self.times)


class Dose(Outcome, kind="sr5.dose"):
    """What a drug does to the one who took it.

    Attributes:
        drug: its slug.
        alters: details of the condition: ``add_`` and ``set_`` with a field of the sheet.
        length, unit: how long it works; 0 and "" where the packs do not say, 0 of a unit for not at all.
    """

    drug: str
    alters: tuple[tuple[str, int], ...]
    length: int = 0
    unit: str = ""

    def notes(self) -> Facts:
        return {"drug": self.drug, "length": self.length, "unit": self.unit or None}

    def changes(self) -> Iterator[Effect]:
        if self.length or not self.unit:
            yield lasting(TAKER, f"{ON}{self.drug}", self.unit, self.length, *self.alters)
