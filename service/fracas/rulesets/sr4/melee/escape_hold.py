"""Getting free from somebody's hold: rulebook section 9.4.

Unarmed Combat + Strength against the grip, which is the net hits of whoever subdued one, and of tighter holds since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from fracas.errors import InputError
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Facts, Stage, stage_class
from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.sr4.melee.melee_stages import HELD, HOLDING
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.edge_burning import edge_burned
from fracas.rulesets.sr4.rolls.success_test import pool_of, side_of
from fracas.rulesets.sr4.vocabulary import TEST_FIELDS, TEST_RECORDS

_SETTLED = {"attribute": "strength", "skill": "unarmed-combat"}
"""What the rule says of the test, and nobody else."""


def _fields() -> Iterator[Field]:
    for field in TEST_FIELDS:
        if field.path == "threshold":
            yield field._replace(derived_from="holder.grip")
        elif field.path in _SETTLED:
            yield field._replace(derived_from="tester.strength")
        elif field.path != "second_attribute":
            yield field
    yield Field("holder.name", "text", "Name", most=80)
    yield Field(
        "holder.grip",
        "whole",
        "Grip",
        "Net hits with which the holder got hold of the tester, and of tighter holds since; the threshold.",
        most=200,
        example=2,
    )


ESCAPE_HOLD = Vocabulary(
    (*TEST_RECORDS, Record("holder", "Holder", "combatant", "Who holds the tester.")), tuple(_fields())
)


class EscapeHold:
    """Roll Unarmed Combat + Strength against a grip."""

    id = "escape-hold"
    label = "Escape from a hold"
    doc = "Unarmed Combat + Strength against the net hits of the grip; success ends the hold."
    vocabulary = ESCAPE_HOLD
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {"test.pool": "Pool"}
    measures = (
        Measure("escaped", "Chance to get free", lambda facts: 1.0 if facts["escaped"] else 0.0),
        Measure("hits", "Expected hits", lambda facts: float(facts["hits"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        said = asked.said
        threshold = said.facts.get("holder.grip")
        if threshold is None:
            message = "the rule needs the grip: the net hits with which the tester is held"
            raise InputError.one("situation.holder.grip", "missing-field", message)
        told = {**said.facts, **_SETTLED, "threshold": threshold}
        pool, refusals, facts = pool_of(asked._replace(said=said._replace(facts=told)))
        if refusals:
            return Prepared(None, (pool,), refusals)

        def first(dice: int) -> Stage:
            burns = edge_burned(facts, "tester", threshold)
            side = side_of("test", max(0, dice), facts, asked)._replace(burned=burns)
            return dice_test.start(side, None, Grip(threshold), RollRules.of(asked.options))

        return Prepared(first(pool.total), (pool,), (), {}, lambda changed: first(changed.total))


@stage_class
class Grip(NamedTuple):
    """Takes the hits."""

    threshold: int
    kind: Literal["sr4.grip"] = "sr4.grip"

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return EscapeEnd(net, self.threshold, edge_spent[0])

    def forgo(self) -> None:
        """Without dice there are no hits."""

    def short(self, net: int, scoreless: bool) -> int:
        return self.threshold - net

    def notes(self) -> Facts:
        return {"threshold": self.threshold}


@stage_class
class EscapeEnd(NamedTuple):
    """How an attempt to get free ended."""

    hits: int
    threshold: int
    edge_spent: int
    kind: Literal["sr4.escape-end"] = "sr4.escape-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Stage:
        raise AssertionError("an outcome does not advance")

    @property
    def escaped(self) -> bool:
        return self.hits >= self.threshold

    def notes(self) -> Facts:
        return {
            "escaped": self.escaped,
            "hits": self.hits,
            "net_hits": max(0, self.hits - self.threshold),
        }

    def effects(self) -> tuple[Effect, ...]:
        spent = (Effect("spend", "tester", "edge", self.edge_spent),) if self.edge_spent else ()
        if not self.escaped:
            return spent
        return (
            *spent,
            Effect("remove-condition", "tester", HELD, None, (("towards", "holder"),)),
            Effect("remove-condition", "holder", HOLDING, None, (("towards", "tester"),)),
        )
