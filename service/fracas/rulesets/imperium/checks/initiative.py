"""Who acts first: Initiative itself, or under a house rule a test of it; and the D6 of those who tie.

Rulebook sections 2.1 to 2.3. Whoever is surprised has half the Initiative, for the order or for the test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Awaited, Facts, Roll, Stage
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Percentile
from fracas.rulesets.imperium.vocabulary import fields_named

ROLLER, VALUE = "roller", "initiative.value"
KINDS = ("order", "test", "tie")
SURPRISED = "surprised"
"""The row of the table ``halving``, and the condition of the packs."""
TIE_DICE = ((1, 6),)
INITIATIVE = vocabulary(
    person(ROLLER, "Who it is"),
    Record("initiative", "What is asked"),
    fields_named(ROLLER, "name", "initiative"),
    fields(
        ROLLER,
        surprised=flag("Surprised", "Left out: is not."),
        group=text(
            "Group",
            "Those of one side and group are alike: in a fight they have one place in the order, and roll once.",
            most=80,
            example="cultists",
        ),
    ),
    fields(
        "initiative",
        kind=choice(
            "What is asked",
            "order: the Initiative itself. test: a test of it. tie: a D6 among those who tie. "
            "Left out: as the option rolled_initiative says.",
            choices=KINDS,
        ),
    ),
)


class Initiative(Procedure):
    """The Initiative that counts in a round, a test of it where it is rolled, or the D6 of those who tie."""

    vocabulary = INITIATIVE
    targets: Mapping[str, str] = {VALUE: "Initiative"}
    measures = (chance("success", "Chance to pass"), mean("tie", "Expected die of a tie"))

    def numbers(self, it: Attempt) -> None:
        kind = it.facts.get("initiative.kind") or ("test" if it.options["rolled_initiative"] else "order")
        it.plan = kind
        if kind != "tie":
            it.shown["initiative.kind"] = kind
            reasons = (SURPRISED,) if it.facts.get(f"{ROLLER}.{SURPRISED}") else ()
            halvings = percentile.halvings_of(it.catalog, reasons)
            percentile.number_of_test(it, VALUE, ROLLER, "initiative", halvings=halvings)

    def first(self, it: Attempt) -> Stage:
        surprised = bool(it.facts.get(f"{ROLLER}.{SURPRISED}"))
        match it.plan:
            case "tie":
                return Tied(None)
            case "order":
                return Placed(it.total(VALUE), surprised)
            case _:
                return Testing(percentile.of_number(it, VALUE), surprised)


class Testing(Waiting, kind="imperium.initiative"):
    """Waits for the test."""

    test: Percentile
    surprised: bool

    @property
    def awaits(self) -> Awaited:
        return percentile.d100("initiative", ROLLER, self.test)

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
