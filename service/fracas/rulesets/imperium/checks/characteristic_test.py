"""Tests of characteristics, and what those with a name bring (rulebook sections 1, 3, 4, 6 and 13).

The table ``other-tests`` tells the characteristic of each, ``merged-jump`` what merging costs a leap,
``swimming-failure`` what befalls a swimmer, and ``movement`` what is slow enough to look around meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.imperium.checks.abilities import (
    allows,
    fields_named,
    is_merged,
    merged_halvings,
    merging_fields,
    title,
    with_grants,
)
from fracas.rulesets.imperium.checks.percentile import MERGED_ACTION, Halving, Percentile, matched
from fracas.rulesets.imperium.checks.single_test import Number, prepared_test
from fracas.rulesets.imperium.checks.tables import row_of, rows_of
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS

TESTER = "tester"
CHANCE = "test.chance"
AWARENESS, SNEAK, REINS = "awareness", "sneak", "reins"
LEAP, SWIM, TREAD_WATER = "leap", "swim", "tread-water"
FIND_DATA, SUBORDINATION, POISON, TRAUMA = "find-data", "subordination", "resist-poison", "resist-trauma"
KINDS = (AWARENESS, LEAP, SWIM, TREAD_WATER, SNEAK, REINS, FIND_DATA, SUBORDINATION, POISON, TRAUMA)
IN_WATER = (SWIM, TREAD_WATER)
TESTS = Vocabulary(
    (
        Record(TESTER, "Who tests", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("test", "The test"),
        Record("action", "The action"),
    ),
    (
        *fields_named(
            TESTER, "name", *CHARACTERISTICS, "traits", "grants", "mounted", "injuries", "injury_total"
        ),
        Field("test.kind", "choice", "Kind", "Left out: of a characteristic alone.", choices=KINDS),
        Field(
            "test.characteristic",
            "choice",
            "Characteristic",
            "Left out: that of the kind.",
            choices=CHARACTERISTICS,
        ),
        Field("test.modifier", "whole", "Modifier", "Of the GM. Left out: none.", -200, 200, example=-20),
        *merging_fields(),
    ),
)


class CharacteristicTest:
    """A test of any characteristic."""

    id = "characteristic-test"
    label = "Test of a characteristic"
    doc = "D100 against a characteristic with the GM's modifier; some tests have a name, and bring something."
    vocabulary = TESTS
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {CHANCE: "Chance of the test"}
    measures = (Measure("success", "Chance of success", lambda facts: float(bool(facts["success"]))),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = with_grants(asked.said.facts, TESTER)
        kind = facts.get("test.kind", "")
        name = _characteristic(asked, facts, kind)
        modifier = facts.get("test.modifier", 0)
        more = (Entry("gm", "Modifier of the GM", modifier),) if modifier else ()
        number = Number(CHANCE, self.targets[CHANCE], TESTER, name, more, _halvings(asked, facts, kind))
        follows = _follows(asked, facts, kind)
        shown: dict[str, Fact] = {"characteristic": title(name)}
        if kind in IN_WATER and allows(facts, TESTER, "swimming"):
            refusals = asked.rules.refusals(facts)
            return Prepared(None if refusals else TestEnd(follows, True, False), (), refusals, shown)
        return prepared_test(asked, facts, number, follows, shown)


def _characteristic(asked: Asked, facts: Mapping[str, Any], kind: str) -> str:
    if "test.characteristic" in facts:
        return str(facts["test.characteristic"])
    if not kind:
        raise lacks("test.characteristic", "the kind of test, or the characteristic")
    return str(row_of(asked.catalog, "other-tests", kind)["test"])


def _halvings(asked: Asked, facts: Mapping[str, Any], kind: str) -> tuple[Halving, ...]:
    """What merging costs: of a leap the quarters of its table, of looking around nothing under that option."""
    if not is_merged(facts):
        return ()
    if kind == LEAP:
        row = "acrobatic" if allows(facts, TESTER, "acrobatics") else "anybody"
        lost: int = row_of(asked.catalog, "merged-jump", row)["lost"]
        return (Halving(MERGED_ACTION, f"Merged action: {_LOST.get(lost, 'less')}", (4 - lost, 4)),)
    if kind == AWARENESS and asked.options["do_nothing_walk_free"]:
        slow = rows_of(asked.catalog, "movement").get(facts.get("action.merged_with", ""), {})
        if slow.get("with_do_nothing"):
            return ()
    return merged_halvings(asked, facts)


_LOST = {1: "a quarter less", 2: "halved"}


def _follows(asked: Asked, facts: Mapping[str, Any], kind: str) -> Follows:
    """What failure brings."""
    failures = rows_of(asked.catalog, "swimming-failure") if kind in IN_WATER else {}
    rows = [failures.get(name, {}) for name in ("failure", "matched-failure")]
    return Follows(
        kind,
        any(bool(row.get("loses_action")) for row in rows),
        any(bool(row.get("loud")) for row in rows),
        bool(rows[0].get("drowning")),
        bool(rows[1].get("drowning")),
    )


class Follows(Continuation, kind="imperium.test-follows"):
    """What comes of a test.

    Attributes:
        kind_of: the kind of test; "" for none with a name.
        loses_action, loud: of a swimmer who fails.
        drowns, drowns_matched: a failure, or a matched one, means drowning.
    """

    kind_of: str
    loses_action: bool
    loud: bool
    drowns: bool
    drowns_matched: bool

    def take(self, test: Percentile, face: int) -> Stage:
        passed = test.passes(face)
        return TestEnd(self, passed, not passed and (self.drowns_matched if matched(face) else self.drowns))


class TestEnd(Outcome, kind="imperium.test-end"):
    """How a test ended; `drowning` of a swimmer."""

    follows: Follows
    success: bool
    drowning: bool

    def notes(self) -> Facts:
        kind = self.follows.kind_of
        facts: dict[str, Fact] = {"success": self.success}
        if kind in IN_WATER:
            failed = not self.success
            facts |= {
                "loses_action": failed and self.follows.loses_action,
                "loud": failed and self.follows.loud,
                "drowning": self.drowning,
            }
        elif kind in _MEANS:
            facts[_MEANS[kind]] = self.success
        elif kind == SUBORDINATION:
            facts["gm_decides"] = not self.success
        return facts

    def changes(self) -> Iterator[Effect]:
        if self.success:
            return
        kind = self.follows.kind_of
        if self.drowning:
            yield Effect("add-condition", TESTER, "drowning")
        elif kind in IN_WATER:
            yield Effect("add-condition", TESTER, "floundering")
        elif kind == REINS:
            yield Effect("remove-condition", TESTER, "mounted")
            yield Effect("add-condition", TESTER, "prone")


_MEANS = {
    AWARENESS: "notices",
    SNEAK: "unnoticed",
    LEAP: "across",
    REINS: "stays_mounted",
    FIND_DATA: "found",
    POISON: "resisted",
    TRAUMA: "resisted",
}
"""What success is called, by the kind of test."""
