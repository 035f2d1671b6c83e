"""The Surprise Test of Shadowrun 5: rulebook section 8.7.

What being surprised means for attacks, the condition ``surprised`` of the packs says; the Initiative is lost at the
roll.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Facts, Stage, stage_class
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Catalog, Field, Record, Vocabulary
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.harms.soaking import FLOOR
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import derive_side, pool_entries

SURPRISED = "surprised"
"""The condition of the packs."""
POOL = "surprise.pool"
_NUMBERS = {"threshold": 3, "alerted": 3, "initiative": -10}
"""Where the packs have no table ``surprise``."""

SURPRISE_TEST = Vocabulary(
    (Record("tester", "Tester", "combatant"),),
    (
        *combatant_fields("tester"),
        Field("tester.pool", "whole", "Pool", "In place of Reaction + Intuition, before modifiers.", most=60),
        Field("tester.alerted", "flag", "Alerted", "Warned beforehand."),
    ),
)


class SurpriseTest:
    """Roll Reaction + Intuition (3); who fails is surprised."""

    id = "surprise-test"
    label = "Surprise Test"
    doc = "Reaction + Intuition (3), alerted or not; who fails loses Initiative and makes no defense."
    vocabulary = SURPRISE_TEST
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "Surprise pool"}
    measures = (
        Measure("surprised", "Chance of being surprised", lambda facts: float(bool(facts["surprised"]))),
        Measure("hits", "Expected hits", lambda facts: float(facts["hits"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        derive_side(facts, "tester")
        numbers = {name: _number(asked.catalog, name) for name in _NUMBERS}
        base = pool_entries(facts, "tester", ("reaction", "intuition"))
        for id, label, dice in (
            ("alerted", "Alerted", numbers["alerted"] if facts.get("tester.alerted") else 0),
            ("wounds", "Wounds", facts.get("tester.wound_modifier", 0)),
            ("encumbrance", "Armor encumbrance", facts.get("tester.encumbrance", 0)),
        ):
            if dice:
                base.append(Entry(id, label, dice, origin="rule"))
        pool = asked.rules.tally(POOL, self.targets[POOL], base, facts, asked.hand).at_least(0, FLOOR)
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (pool,), refusals)
        then = Startled(numbers["threshold"], numbers["initiative"])

        def first(pool: Tally) -> Stage:
            side = dice_test.side_of("surprise", "tester", pool.total, facts, asked)
            return dice_test.start(side, None, then)

        return Prepared(first(pool), (pool,), rebuild=first)


def _number(catalog: Catalog, name: str) -> int:
    table = catalog.entry("table", "surprise")
    return int(table.data["rows"][name]["value"]) if table else _NUMBERS[name]


@stage_class
class Startled(NamedTuple):
    """Takes the hits; `lost` is what the surprised lose of their Initiative Score, below 0."""

    threshold: int
    lost: int
    kind: Literal["sr5.startled"] = "sr5.startled"

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return SurpriseEnd(hits, hits < self.threshold, self.lost, spent[0])

    def forgo(self) -> None:
        """Without dice there are no hits."""

    def short(self, hits: int, other_hits: int) -> int:
        return self.threshold - hits

    def notes(self) -> Facts:
        return {"threshold": self.threshold}


@stage_class
class SurpriseEnd(NamedTuple):
    """How a Surprise Test ended."""

    hits: int
    surprised: bool
    lost: int
    edge_spent: int
    kind: Literal["sr5.surprise-end"] = "sr5.surprise-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        return {
            "success": not self.surprised,
            "hits": self.hits,
            "surprised": self.surprised,
            "initiative": self.lost if self.surprised else 0,
        }

    def effects(self) -> tuple[Effect, ...]:
        spent = (Effect("spend", "tester", "edge", self.edge_spent),) if self.edge_spent else ()
        return (*spent, Effect("add-condition", "tester", SURPRISED)) if self.surprised else spent
