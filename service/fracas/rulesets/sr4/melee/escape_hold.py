"""Getting free from somebody's hold: rulebook section 9.4.

Unarmed Combat + Strength against the grip, which is the net hits of whoever subdued one, and of tighter holds since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import fields, person, text, vocabulary, whole
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4.composing import Wrap
from fracas.rulesets.sr4.melee.melee_stages import HELD, HOLDING
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.roll_vocabulary import TEST_FIELDS, TEST_RECORDS
from fracas.rulesets.sr4.rolls.success_test import Threshold, pool_of, tester_of

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
    yield from fields(
        "holder",
        name=text("Name", most=80),
        grip=whole(
            "Grip",
            "Net hits with which the holder got hold of the tester, and of tighter holds since; the threshold.",
            most=200,
            example=2,
        ),
    )


ESCAPE_HOLD = vocabulary(
    *TEST_RECORDS,
    person("holder", "Holder", "Who holds the tester."),
    _fields(),
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
            raise lacks("holder.grip", "the grip: the net hits with which the tester is held")
        told = {**said.facts, **_SETTLED, "threshold": threshold}
        pool, refusals, facts = pool_of(asked._replace(said=said._replace(facts=told)))
        if refusals:
            return Prepared(None, (pool,), refusals)

        def first(dice: int) -> Stage:
            side = tester_of("test", dice, facts, asked)
            return dice_test.start(side, None, Threshold(threshold, Escape()), RollRules.of(asked.options))

        return Prepared(first(pool.total), (pool,), (), {}, lambda changed: first(changed.total))


class Escape(Wrap, kind="sr4.escape"):
    """Around the test against the grip: whoever reaches it is free."""

    def notes(self, outcome: Stage) -> Facts:
        facts = outcome.notes()
        return {"escaped": facts["success"], "hits": facts["hits"], "net_hits": facts["net_hits"]}

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        if not outcome.notes()["success"]:
            return outcome.effects()
        return (
            *outcome.effects(),
            Effect("remove-condition", "tester", HELD, None, (("towards", "holder"),)),
            Effect("remove-condition", "holder", HOLDING, None, (("towards", "tester"),)),
        )
