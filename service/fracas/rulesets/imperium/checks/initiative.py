"""Who acts first: Initiative itself, or under a house rule a test of it; and the D6 of those who tie.

Rulebook sections 2.1 to 2.3. Whoever is surprised has half the Initiative, for the order or for the test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.dice.requests import Total
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Facts, Roll, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.imperium.checks.percentile import (
    Halving,
    Percentile,
    chance_of,
    d100,
    halved_again,
    halvings_of,
    percentile,
)

ROLLER, VALUE = "roller", "initiative.value"
KINDS = ("order", "test", "tie")
SURPRISED = "surprised"
"""The row of the table ``halving``, and the condition of the packs."""
TIE_DICE = ((1, 6),)


def roller_fields(who: str) -> tuple[Field, ...]:
    """What initiative reads of somebody."""
    return (
        Field(f"{who}.name", "text", "Name", most=80, example="Corvane Hale"),
        Field(
            f"{who}.initiative",
            "whole",
            "Initiative",
            "Percentage; 50 for most people.",
            most=200,
            example=50,
        ),
        Field(f"{who}.{SURPRISED}", "flag", "Surprised", "Left out: is not."),
    )


INITIATIVE = Vocabulary(
    (
        Record(ROLLER, "Who it is", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("initiative", "What is asked"),
    ),
    (
        *roller_fields(ROLLER),
        Field(
            f"{ROLLER}.group",
            "text",
            "Group",
            "Those of one side and group are alike: in a fight they have one place in the order, and roll once.",
            most=80,
            example="cultists",
        ),
        Field(
            "initiative.kind",
            "choice",
            "What is asked",
            "order: the Initiative itself. test: a test of it. tie: a D6 among those who tie. Left out: as the option "
            "rolled_initiative says.",
            choices=KINDS,
        ),
    ),
)


class InitiativeProcedure:
    """The Initiative that counts in this round, its test, or the die of a tie."""

    id = "initiative"
    label = "Initiative"
    doc = (
        "The Initiative that counts in a round, a test of it where it is rolled, or the D6 of those who tie."
    )
    vocabulary = INITIATIVE
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {VALUE: "Initiative"}
    measures = (
        Measure("success", "Chance to pass", lambda facts: float(facts.get("success") is True)),
        Measure("tie", "Expected die of a tie", lambda facts: float(facts.get("tie") or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        """
        Raises:
            InputError: the Initiative is not told.
        """
        facts = asked.said.facts
        kind = facts.get("initiative.kind") or ("test" if asked.options["rolled_initiative"] else "order")
        refusals = asked.rules.refusals(facts)
        if kind == "tie":
            return Prepared(None if refusals else Tied(None), (), refusals)
        tally, halvings = value_of(asked, facts, ROLLER, VALUE)
        if refusals:
            return Prepared(None, (tally,), refusals)
        surprised = bool(facts.get(f"{ROLLER}.{SURPRISED}"))

        def first(tally: Tally) -> Stage:
            if kind == "order":
                return Placed(tally.total, surprised)
            return Testing(percentile(asked.options, tally.total), surprised)

        def rebuild(changed: Tally) -> Stage:
            return first(halved_again(changed, halvings, asked.options["rounding"]))

        return Prepared(first(tally), (tally,), (), {"initiative.kind": kind}, rebuild)


def value_of(asked: Asked, facts: Mapping[str, Any], who: str, to: str) -> tuple[Tally, tuple[Halving, ...]]:
    """Somebody's Initiative in this round, and the halvings at its end.

    Raises:
        InputError: it is not told.
    """
    path = f"{who}.initiative"
    if path not in facts:
        raise lacks(path, "the Initiative")
    halvings = halvings_of(asked.catalog, (SURPRISED,) if facts.get(f"{who}.{SURPRISED}") else ())
    base = (Entry("initiative", "Initiative", facts[path]),)
    return chance_of(asked, facts, to, "Initiative", base, halvings), halvings


class Testing(Waiting, kind="imperium.initiative"):
    """Waits for the test."""

    test: Percentile
    surprised: bool

    @property
    def awaits(self) -> Awaited:
        return d100("initiative", ROLLER, self.test)

    def advance(self, answer: Any) -> Stage:
        return Tested(self.test.chance, self.test.passes(answer), self.test.margin(answer), self.surprised)


class Tested(Outcome, kind="imperium.initiative-tested"):
    """The end of a test: those who pass act first, by their margins; those who fail after them."""

    value: int
    success: bool
    margin: int
    surprised: bool

    def notes(self) -> Facts:
        told = {"initiative": self.value, "success": self.success, "margin": self.margin}
        return {**told, SURPRISED: self.surprised}


class Placed(Outcome, kind="imperium.initiative-placed"):
    """The Initiative that counts in this round."""

    value: int
    surprised: bool

    def notes(self) -> Facts:
        return {"initiative": self.value, SURPRISED: self.surprised}


class Tied(Waiting, kind="imperium.initiative-tied"):
    """The die of somebody who ties; waits for it as long as it is None."""

    face: int | None

    @property
    def awaits(self) -> Awaited:
        return Roll(("tie",), (ROLLER,), Total(TIE_DICE)) if self.face is None else None

    def advance(self, answer: Any) -> Stage:
        return Tied(answer)

    def notes(self) -> Facts:
        return {} if self.face is None else {"tie": self.face}
