"""The Success Test of Shadowrun 4: a pool against a threshold (rulebook sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from fracas.errors import InputError
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Stage, stage_class
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4 import dice_test
from fracas.rulesets.sr4.dice_test import BUY_HITS, EDGE_AFTER, EDGE_BEFORE, RollRules, Side
from fracas.rulesets.sr4.sheet import encumbrance, wound_modifier
from fracas.rulesets.sr4.vocabulary import SUCCESS_TEST

CRITICAL_SUCCESS = 4
"""Net hits above the threshold from which a success is critical."""

NO_DEFAULT = frozenset({"astral-combat"})


class SuccessTest:
    """Roll a pool and compare its hits with a threshold."""

    id = "success-test"
    label = "Success Test"
    doc = "A pool of dice against a threshold, with Edge, glitches and bought hits."
    vocabulary = SUCCESS_TEST
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {"test.pool": "Pool"}
    measures = (
        Measure("success", "Chance of success", lambda facts: 1.0 if facts["success"] else 0.0),
        Measure("hits", "Expected net hits", lambda facts: float(facts["net_hits"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        wounds = wound_modifier(facts, "tester")
        if wounds is not None:
            facts["tester.wound_modifier"] = wounds
        lost = encumbrance(facts, "tester", asked.options)
        if lost is not None:
            facts["tester.encumbrance"] = lost
        refusals = asked.rules.refusals(facts)
        pool = asked.rules.tally("test.pool", "Pool", _base(facts), facts, asked.hand)
        pool = pool.at_least(0, "A pool never falls below 0")
        if refusals:
            return Prepared(None, (pool,), refusals)
        edge = facts.get("tester.edge", 0) if facts.get("tester.edge_points", 0) else 0
        side = Side(
            "test",
            "tester",
            pool.total,
            edge if EDGE_BEFORE in asked.open else 0,
            edge if EDGE_AFTER in asked.open else 0,
            BUY_HITS in asked.open and asked.options["buying_hits"],
        )
        rules = RollRules(asked.options["glitch_rule"], asked.options["edge_reroll_explodes"])
        stage = dice_test.start(side, None, Threshold(facts.get("threshold", 1)), rules)
        return Prepared(stage, (pool,))


def _base(facts: Mapping[str, object]) -> list[Entry]:
    if "tester.pool" in facts:
        return [Entry("pool", "Pool given", facts["tester.pool"])]  # type: ignore[arg-type]
    attribute = facts.get("attribute")
    rating = facts.get(f"tester.{attribute}") if attribute else None
    if rating is None:
        path = f"situation.tester.{attribute}" if attribute else "situation.tester.pool"
        raise InputError.one(path, "missing-field", "a pool, or an attribute and its rating, is needed")
    assert isinstance(rating, int)
    entries = [Entry(str(attribute), str(attribute).capitalize(), rating)]
    skill = facts.get("skill")
    if skill is not None:
        skills = facts.get("tester.skills")
        if not isinstance(skills, Mapping):
            raise InputError.one("situation.tester.skills", "missing-field", "the skill's rating is needed")
        level, label = skills.get(skill), str(skill).replace("-", " ").capitalize()
        if level:
            entries.append(Entry("skill", label, level))
            if facts.get("tester.specialized"):
                entries.append(Entry("specialization", "Specialization", 2))
        elif skill in NO_DEFAULT:
            raise InputError.one("situation.skill", "no-default", f"{label} cannot be defaulted")
        else:
            entries.append(Entry("default", f"Defaulting on {label}", -1))
    return entries


@stage_class
class Threshold(NamedTuple):
    """Takes the hits."""

    threshold: int
    kind: Literal["sr4.threshold"] = "sr4.threshold"

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return TestEnd(net, self.threshold, edge_spent[0])

    def forgo(self) -> None:
        """Without dice there are no hits."""

    def notes(self) -> Facts:
        return {"threshold": self.threshold}


@stage_class
class TestEnd(NamedTuple):
    """How a Success Test ended."""

    hits: int
    threshold: int
    edge_spent: int
    kind: Literal["sr4.test-end"] = "sr4.test-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        net = self.hits - self.threshold
        facts: dict[str, Fact] = {
            "success": net >= 0,
            "hits": self.hits,
            "net_hits": max(0, net),
            "critical_success": net >= CRITICAL_SUCCESS,
        }
        return facts

    def effects(self) -> tuple[Effect, ...]:
        return (Effect("spend", "tester", "edge", self.edge_spent),) if self.edge_spent else ()
