"""Getting free from somebody's hold: rulebook section 9.4.

Unarmed Combat + Strength against the grip, which is the net hits of whoever subdued one, and of tighter holds since.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import fields, person, text, vocabulary, whole
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4.composing import Wrap
from fracas.rulesets.sr4.melee.melee_stages import let_go
from fracas.rulesets.sr4.rolls import dice_test, success_test
from fracas.rulesets.sr4.rolls.sides import RollRules

_SETTLED = {"attribute": "strength", "skill": "unarmed-combat"}
"""What the rule says of the test, and nobody else."""


def _fields() -> Iterator[Field]:
    for field in success_test.TEST_FIELDS:
        if field.path == "threshold":
            yield field._replace(derived_from="holder.grip")
        elif field.path in _SETTLED:
            yield field._replace(derived_from="tester.strength")
        elif field.path != "second_attribute":
            yield field
    hits = "Net hits with which the holder got hold of the tester, and of tighter holds since; the threshold."
    grip = whole("Grip", hits, most=200, example=2)
    yield from fields("holder", name=text("Name", most=80), grip=grip)


class EscapeHold(Procedure):
    """Unarmed Combat + Strength against the net hits of the grip; success ends the hold."""

    label = "Escape from a hold"
    vocabulary = vocabulary(
        *success_test.TEST_RECORDS, person("holder", "Holder", "Who holds the tester."), _fields()
    )
    decisions = dice_test.DECISIONS
    targets = success_test.POOLS
    measures = (chance("escaped", "Chance to get free"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        grip = it.need("holder.grip", "the grip: the net hits with which the tester is held")
        it.facts |= {**_SETTLED, "threshold": grip}
        success_test.number_of_test(it)

    def first(self, it: Attempt) -> Stage:
        side = success_test.tester_of("test", it.total(success_test.POOL), it.facts, it.asked)
        then = success_test.Threshold(it.facts["threshold"], Escape())
        return dice_test.start(side, None, then, RollRules.of(it.options))


class Escape(Wrap, kind="sr4.escape"):
    """Around the test against the grip: whoever reaches it is free."""

    def notes(self, outcome: Stage) -> Facts:
        facts = outcome.notes()
        return {"escaped": facts["success"], "hits": facts["hits"], "net_hits": facts["net_hits"]}

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        if not outcome.notes()["success"]:
            return outcome.effects()
        return (*outcome.effects(), *let_go("tester", "holder"))
