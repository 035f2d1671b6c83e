"""The coin that decides between those who tie in everything else (rulebook section 1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from fracas.dice.requests import Total
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Stage, stage_class
from fracas.kernel.vocabulary import Field, Record, Vocabulary

HEADS, TAILS = "heads", "tails"

COIN_TOSS = Vocabulary(
    (Record("tester", "Who tosses", "combatant"),), (Field("tester.name", "text", "Name", most=80),)
)


class CoinToss:
    """Heads or tails, as a die of two sides: 1 is heads."""

    id = "coin-toss"
    label = "Coin toss"
    doc = "Who acts first of those who tie in score, Edge, Reaction and Intuition: heads goes first."
    vocabulary = COIN_TOSS
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {}
    measures = (Measure("heads", "Chance of heads", lambda facts: float(facts["coin"] == HEADS)),)

    def prepare(self, asked: Asked) -> Prepared:
        refusals = asked.rules.refusals(asked.said.facts)
        return Prepared(None if refusals else Toss(), (), refusals)


@stage_class
class Toss(NamedTuple):
    """Waits for the coin; once it has fallen, an outcome.

    Attributes:
        side: 1 for heads, 2 for tails, 0 as long as it is in the air.
    """

    side: int = 0
    kind: Literal["sr5.coin-toss"] = "sr5.coin-toss"

    @property
    def awaits(self) -> Awaited:
        return None if self.side else Roll(("coin",), ("tester",), Total(((1, 2),)))

    def advance(self, answer: Any) -> Stage:
        return Toss(answer)

    def notes(self) -> Facts:
        return {"coin": HEADS if self.side == 1 else TAILS} if self.side else {}

    def effects(self) -> tuple[Effect, ...]:
        return ()
