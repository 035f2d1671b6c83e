"""The Surprise Test of Shadowrun 5, and the coin that decides between those who tie in everything else: rulebook
sections 1.3 and 8.7.

What being surprised means for attacks, the condition ``surprised`` of the packs says; the Initiative is lost at the
roll.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, flag, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Against, spent_edge
from fracas.rulesets.sr5.sheet import derive_side, pool_entries

SURPRISED = "surprised"
"""The condition of the packs."""
POOL = "surprise.pool"


class SurpriseTest(dice_test.TestingProcedure):
    """Reaction + Intuition (3), alerted or not; who fails loses Initiative and makes no defense."""

    label = "Surprise Test"
    vocabulary = vocabulary(
        Record("tester", "Tester", "combatant"),
        combatant_fields("tester"),
        fields(
            "tester",
            pool=whole("Pool", "In place of Reaction + Intuition, before modifiers.", most=60),
            alerted=flag("Alerted", "Warned beforehand."),
        ),
    )
    targets: Mapping[str, str] = {POOL: "Surprise pool"}
    measures = (chance("surprised", "Chance of being surprised"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        derive_side(it.facts, "tester")
        with it.faults.collect():
            parts = (
                ("alerted", "Alerted", _number(it, "alerted") if it.facts.get("tester.alerted") else 0),
                ("wounds", "Wounds", it.facts.get("tester.wound_modifier", 0)),
                ("encumbrance", "Armor encumbrance", it.facts.get("tester.encumbrance", 0)),
            )
            base = pool_entries(it.facts, "tester", ("reaction", "intuition"))
            base += [Entry(id, label, dice, origin="rule") for id, label, dice in parts if dice]
            it.tally(POOL, *base, least=0, floor=dice_test.FLOOR)

    def first(self, it: Attempt) -> Stage:
        startled = Startled(_number(it, "threshold"), _number(it, "initiative"))
        return dice_test.alone(it, "surprise", "tester", POOL, startled)


def _number(it: Attempt, name: str) -> int:
    return int(row_of(it.catalog, "surprise", name)["value"])


class Startled(Against, kind="sr5.startled"):
    """Takes the hits; `lost` is what the surprised lose of their Initiative Score, below 0."""

    lost: int

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return SurpriseEnd(hits, hits < self.threshold, self.lost, spent[0])


class SurpriseEnd(Outcome, kind="sr5.surprise-end"):
    """How a Surprise Test ended."""

    hits: int
    surprised: bool
    lost: int
    edge_spent: int

    def notes(self) -> Facts:
        return {
            "success": not self.surprised,
            "hits": self.hits,
            "surprised": self.surprised,
            "initiative": self.lost if self.surprised else 0,
        }

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(("tester", self.edge_spent))
        if self.surprised:
            yield Effect("add-condition", "tester", SURPRISED)


HEADS, TAILS = "heads", "tails"


class CoinToss(Procedure):
    """Who acts first of those who tie in score, Edge, Reaction and Intuition: heads goes first."""

    vocabulary = vocabulary(
        Record("tester", "Who tosses", "combatant"), fields("tester", name=text("Name", most=80))
    )
    measures = (chance("coin", "Chance of heads", "heads", among=(HEADS,)),)

    def first(self, it: Attempt) -> Stage:
        return Toss()


class Toss(Waiting, kind="sr5.coin-toss"):
    """Waits for the coin; once it has fallen, an outcome.

    Attributes:
        side: 1 for heads, 2 for tails, 0 as long as it is in the air.
    """

    side: int = 0

    @property
    def awaits(self) -> Awaited:
        return None if self.side else Roll(("coin",), ("tester",), Total(((1, 2),)))

    def advance(self, answer: Any) -> Stage:
        return Toss(answer)

    def notes(self) -> Facts:
        return {"coin": HEADS if self.side == 1 else TAILS} if self.side else {}
