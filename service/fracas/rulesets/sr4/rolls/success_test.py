"""The Success Test of Shadowrun 4: a pool against a threshold (rulebook sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.forms import Outcome
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry, Refusal, Tally
from fracas.rulesets.sr4.composing import Wrap, spent_edge
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules, Side
from fracas.rulesets.sr4.rolls.receivers import CRITICAL_SUCCESS, Receiver
from fracas.rulesets.sr4.rolls.roll_vocabulary import HELPER, SUCCESS_TEST
from fracas.rulesets.sr4.rolls.sides import side_of
from fracas.rulesets.sr4.sheet import encumbrance, wound_modifier

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
        if asked.said.facts.get("wounded_only") and not _hurt(asked.said.facts):
            refusals = asked.rules.refusals(asked.said.facts)
            return Prepared(None if refusals else NoTest(), (), refusals)
        pool, refusals, facts = pool_of(asked)
        if refusals:
            return Prepared(None, (pool,), refusals)
        threshold = facts.get("threshold", 1)

        def first(pool: Tally) -> Stage:
            side = tester_of("test", pool.total, facts, asked)
            return dice_test.start(side, None, Threshold(threshold), RollRules.of(asked.options))

        return Prepared(first(pool), (pool,), rebuild=first)


def _hurt(facts: Mapping[str, Any]) -> bool:
    """Any box is filled; a track that nobody mentions has none."""
    return bool(facts.get("tester.physical") or facts.get("tester.stun"))


def pool_of(asked: Asked) -> tuple[Tally, tuple[Refusal, ...], dict[str, Any]]:
    """The pool, why the test is impossible, and the facts with wounds and encumbrance."""
    facts = dict(asked.said.facts)
    wounds = wound_modifier(facts, "tester", asked.options)
    if wounds is not None:
        facts["tester.wound_modifier"] = wounds
    lost = encumbrance(facts, "tester", asked.options)
    if lost is not None:
        facts["tester.encumbrance"] = lost
    refusals = asked.rules.refusals(facts)
    entries = [*_base(facts), *_teamwork(facts)]
    pool = asked.rules.tally("test.pool", "Pool", entries, facts, asked.hand)
    return pool.at_least(0, "A pool never falls below 0"), refusals, facts


def tester_of(label: str, dice: int, facts: Mapping[str, Any], asked: Asked) -> Side:
    """Who makes the test, and a helper with Edge for it: it is a helper's own test too (section 2)."""
    side = side_of(label, "tester", dice, facts, asked, says=True)
    helper = side_of(label, HELPER, dice, facts, asked)._replace(can_buy=False, of="tester")
    return side._replace(helper=helper) if helper.edge or helper.edge_after or helper.burn else side


def _teamwork(facts: Mapping[str, Any]) -> list[Entry]:
    """A die for each hit of the helpers, up to the skill; none after a critical glitch of one of them."""
    hits = facts.get("teamwork.hits", 0)
    if not hits:
        return []
    if facts.get("teamwork.critical_glitch"):
        return [Entry("teamwork", "Teamwork, stopped by a critical glitch", 0, origin="rule")]
    skills, skill = facts.get("tester.skills"), facts.get("skill")
    if "tester.pool" not in facts or (skill is not None and isinstance(skills, Mapping)):
        hits = min(hits, (skills or {}).get(skill, 0))
    return [Entry("teamwork", "Teamwork", hits, origin="rule")]


def _base(facts: Mapping[str, object]) -> list[Entry]:
    if "tester.pool" in facts:
        return [Entry("pool", "Pool given", facts["tester.pool"])]  # type: ignore[arg-type]
    attribute = facts.get("attribute")
    rating = facts.get(f"tester.{attribute}") if attribute else None
    if rating is None:
        path = f"tester.{attribute}" if attribute else "tester.pool"
        raise lacks(path, "a pool, or an attribute and its rating")
    assert isinstance(rating, int)
    entries = [Entry(str(attribute), str(attribute).capitalize(), rating)]
    if second := facts.get("second_attribute"):
        other = facts.get(f"tester.{second}")
        if not isinstance(other, int):
            raise lacks(f"tester.{second}", f"{str(second).capitalize()}, the second attribute")
        entries.append(Entry(f"second-{second}", str(second).capitalize(), other))
    skill = facts.get("skill")
    if skill is not None:
        skills = facts.get("tester.skills")
        if not isinstance(skills, Mapping):
            raise lacks("tester.skills", "the skill ratings")
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


class Threshold(Receiver, kind="sr4.threshold"):
    """Takes the hits.

    Attributes:
        wrap: what is around the outcome, see `around.Wrap`; None for nothing.
    """

    threshold: int
    wrap: Any = None

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        end: Stage = TestEnd(net, self.threshold, edge_spent[0])
        wrap: Wrap | None = self.wrap
        return end if wrap is None else wrap.put(end)

    def short(self, net: int, scoreless: bool) -> int:
        return self.threshold - net

    def critical(self) -> int:
        return self.threshold + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {"threshold": self.threshold}


class TestEnd(Outcome, kind="sr4.test-end"):
    """How a Success Test ended."""

    hits: int
    threshold: int
    edge_spent: int

    def notes(self) -> Facts:
        net = self.hits - self.threshold
        facts: dict[str, Fact] = {
            "success": net >= 0,
            "hits": self.hits,
            "net_hits": max(0, net),
            "critical_success": net >= CRITICAL_SUCCESS,
        }
        return facts

    def changes(self) -> Iterator[Effect]:
        return spent_edge("tester", self.edge_spent)


class NoTest(Outcome, kind="sr4.no-test"):
    """A success without a roll, of what only the wounded roll for."""

    def notes(self) -> Facts:
        return {"success": True, "hits": 0, "net_hits": 0, "critical_success": False, "rolled": False}
