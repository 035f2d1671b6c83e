"""The coin that decides between those who tie in everything else (rulebook section 1.3)."""

from __future__ import annotations

from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, text, vocabulary
from fracas.kernel.forms import Waiting
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Awaited, Facts, Roll, Stage
from fracas.kernel.vocabulary import Record

HEADS, TAILS = "heads", "tails"

COIN_TOSS = vocabulary(
    Record("tester", "Who tosses", "combatant"), fields("tester", name=text("Name", most=80))
)


class CoinToss(Procedure):
    """Heads or tails, as a die of two sides: 1 is heads."""

    id = "coin-toss"
    label = "Coin toss"
    doc = "Who acts first of those who tie in score, Edge, Reaction and Intuition: heads goes first."
    vocabulary = COIN_TOSS
    measures = (Measure("heads", "Chance of heads", lambda facts: float(facts["coin"] == HEADS)),)

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
