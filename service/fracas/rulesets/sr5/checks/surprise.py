"""The Surprise Test of Shadowrun 5: rulebook section 8.7.

What being surprised means for attacks, the condition ``surprised`` of the packs says; the Initiative is lost at the
roll.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import fields, flag, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.harms.soaking import FLOOR
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, spent_edge
from fracas.rulesets.sr5.sheet import derive_side, pool_entries

SURPRISED = "surprised"
"""The condition of the packs."""
POOL = "surprise.pool"
_NUMBERS = {"threshold": 3, "alerted": 3, "initiative": -10}
"""Where the packs have no table ``surprise``."""

SURPRISE_TEST = vocabulary(
    Record("tester", "Tester", "combatant"),
    combatant_fields("tester"),
    fields(
        "tester",
        pool=whole("Pool", "In place of Reaction + Intuition, before modifiers.", most=60),
        alerted=flag("Alerted", "Warned beforehand."),
    ),
)


class SurpriseTest(Procedure):
    """Roll Reaction + Intuition (3); who fails is surprised."""

    id = "surprise-test"
    label = "Surprise Test"
    doc = "Reaction + Intuition (3), alerted or not; who fails loses Initiative and makes no defense."
    vocabulary = SURPRISE_TEST
    decisions = dice_test.DECISIONS
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
            it.tally(POOL, *base, least=0, floor=FLOOR)

    def first(self, it: Attempt) -> Stage:
        side = dice_test.side_of("surprise", "tester", it.total(POOL), it.facts, it.asked)
        return dice_test.start(side, None, Startled(_number(it, "threshold"), _number(it, "initiative")))


def _number(it: Attempt, name: str) -> int:
    table = it.catalog.entry("table", "surprise")
    return int(table.data["rows"][name]["value"]) if table else _NUMBERS[name]


class Startled(Receiver, kind="sr5.startled"):
    """Takes the hits; `lost` is what the surprised lose of their Initiative Score, below 0."""

    threshold: int
    lost: int

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return SurpriseEnd(hits, hits < self.threshold, self.lost, spent[0])

    def short(self, hits: int, other_hits: int) -> int:
        return self.threshold - hits

    def notes(self) -> Facts:
        return {"threshold": self.threshold}


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
