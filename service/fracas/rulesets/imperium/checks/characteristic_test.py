"""Tests of characteristics, and what those with a name bring (rulebook sections 1, 3, 4, 6 and 13).

The table ``other-tests`` has the characteristic of each, ``merged-jump`` what merging costs a leap,
``swimming-failure`` what befalls a swimmer, and ``movement`` what is slow enough to look around meanwhile.

Who acts first: Initiative itself, or under a house rule a test of it; and the D6 of those who tie (sections 2.1 to
2.3). The one who is surprised has half the Initiative, for the order or for the test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Continuation, Outcome, Waiting, rolls
from fracas.kernel.percentiles import matched
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import lacks
from fracas.kernel.stage import Effect, Fact, Facts, Roll, Stage
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup, Record
from fracas.rulesets.imperium import vocabulary as known
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Halving, Percentile, number_of_test, tested
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS, MERGING, allows, fields_named, title

TESTER = "tester"
CHANCE = "test.chance"
AWARENESS, SNEAK, REINS = "awareness", "sneak", "reins"
LEAP, SWIM, TREAD_WATER = "leap", "swim", "tread-water"
FIND_DATA, SUBORDINATION, POISON, TRAUMA = "find-data", "subordination", "resist-poison", "resist-trauma"
BREAK_FREE = "break-free"
KINDS = (
    AWARENESS,
    LEAP,
    SWIM,
    TREAD_WATER,
    SNEAK,
    REINS,
    FIND_DATA,
    SUBORDINATION,
    POISON,
    TRAUMA,
    BREAK_FREE,
)
IN_WATER = (SWIM, TREAD_WATER)


class CharacteristicTest(Procedure):
    """D100 against a characteristic with the GM's modifier; tests with a name have results of their own."""

    label = "Test of a characteristic"
    vocabulary = vocabulary(
        person(TESTER, "Who tests"),
        Record("test", "The test"),
        Record("action", "The action"),
        fields_named(
            TESTER, "name", *CHARACTERISTICS, "traits", "grants", "mounted", "injuries", "injury_total"
        ),
        fields(
            "test",
            kind=choice("Kind", "Left out: of a characteristic alone.", choices=KINDS),
            characteristic=choice("Characteristic", "Left out: that of the kind.", choices=CHARACTERISTICS),
            modifier=whole("Modifier", "Of the GM. Left out: none.", -200, 200, example=-20),
        ),
        MERGING,
    )
    targets: Mapping[str, str] = {CHANCE: "Chance of the test"}
    measures = (chance("success", "Chance of success"),)

    def numbers(self, it: Attempt) -> None:
        it.facts = known.with_grants(it.facts, TESTER)
        kind = it.facts.get("test.kind", "")
        if not kind and "test.characteristic" not in it.facts:
            raise lacks("test.characteristic", "the kind of test, or the characteristic")
        name = it.facts.get("test.characteristic") or row_of(it.lookup, "other-tests", kind)["test"]
        it.shown["characteristic"] = title(name)
        if kind in IN_WATER and allows(it.facts, TESTER, "swimming"):
            return  # no test
        modifier = it.facts.get("test.modifier", 0)
        more = (Entry("gm", "Modifier of the GM", modifier),) if modifier else ()
        number_of_test(it, CHANCE, TESTER, name, *more, halvings=_halvings(it, kind))

    def first(self, it: Attempt) -> Stage:
        follows = _follows(it.lookup, it.facts.get("test.kind", ""))
        return tested(it, CHANCE, TESTER, follows) if CHANCE in it.made else TestEnd(follows, True, False)


def _halvings(it: Attempt, kind: str) -> tuple[Halving, ...]:
    """What merging costs: of a leap the quarters of its table, of looking around nothing under that option."""
    if not known.is_merged(it.facts):
        return ()
    if kind == LEAP:
        row = "acrobatic" if allows(it.facts, TESTER, "acrobatics") else "anybody"
        lost: int = row_of(it.lookup, "merged-jump", row)["lost"]
        label = f"Merged action: {'a quarter less' if lost == 1 else 'halved' if lost == 2 else 'less'}"
        return (Halving(percentile.MERGED_ACTION, label, (4 - lost, 4)),)
    if kind == AWARENESS and it.options["do_nothing_walk_free"]:
        slow = rows_of(it.lookup, "movement").get(it.facts.get("action.merged_with", ""), {})
        if slow.get("with_do_nothing"):
            return ()
    return percentile.merged_halvings(it)


def _follows(lookup: EntryLookup, kind: str) -> Follows:
    """What failure brings."""
    failures = rows_of(lookup, "swimming-failure") if kind in IN_WATER else {}
    plain, matching = (failures.get(name, {}) for name in ("failure", "matched-failure"))
    loses_action, loud = (bool(plain.get(name) or matching.get(name)) for name in ("loses_action", "loud"))
    return Follows(kind, loses_action, loud, bool(plain.get("drowning")), bool(matching.get("drowning")))


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

    def on_result(self, test: Percentile, face: int) -> Stage:
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
            facts["loses_action"] = failed and self.follows.loses_action
            facts |= {"loud": failed and self.follows.loud, "drowning": self.drowning}
        elif kind in _MEANS:
            facts[_MEANS[kind]] = self.success
        elif kind == SUBORDINATION:
            facts["gm_decides"] = not self.success
        return facts

    def changes(self) -> Iterator[Effect]:
        kind = self.follows.kind_of
        if self.success:
            yield from (Effect("remove-condition", TESTER, "gripped"),) if kind == BREAK_FREE else ()
        elif self.drowning:
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

ROLLER, INITIATIVE_VALUE = "roller", "initiative.value"
SURPRISED = "surprised"
"""The row of the table ``halving``, and the condition of the packs."""


class Initiative(Procedure):
    """The Initiative that counts in a round, a test of it if it is rolled, or the D6 of those who tie."""

    vocabulary = vocabulary(
        person(ROLLER, "Who it is"),
        Record("initiative", "What is asked"),
        fields_named(
            ROLLER,
            "name",
            "initiative",
            surprised=flag("Surprised", "Left out: is not."),
            group=text(
                "Group",
                "Those of one side and group have one place in the order, and roll once.",
                most=80,
                example="cultists",
            ),
        ),
        fields(
            "initiative",
            kind=choice(
                "What is asked",
                "order: the Initiative itself. test: a test of it. tie: a D6 among those who tie. "
                "Left out: as the option rolled_initiative says.",
                choices=("order", "test", "tie"),
            ),
        ),
    )
    targets: Mapping[str, str] = {INITIATIVE_VALUE: "Initiative"}
    measures = (chance("success", "Chance to pass"), mean("tie", "Expected die of a tie"))

    def numbers(self, it: Attempt) -> None:
        usual = "test" if it.options["rolled_initiative"] else "order"
        kind = it.plan = it.facts.get("initiative.kind") or usual
        if kind != "tie":
            it.shown["initiative.kind"] = kind
            reasons = (SURPRISED,) if it.facts.get(f"{ROLLER}.{SURPRISED}") else ()
            halvings = percentile.halvings_of(it.lookup, reasons)
            percentile.number_of_test(it, INITIATIVE_VALUE, ROLLER, "initiative", halvings=halvings)

    def first(self, it: Attempt) -> Stage:
        surprised = bool(it.facts.get(f"{ROLLER}.{SURPRISED}"))
        if it.plan == "tie":
            return Tied(None)
        if it.plan == "order":
            return Placed(it.total(INITIATIVE_VALUE), surprised)
        return InitiativeTest(percentile.of_number(it, INITIATIVE_VALUE), surprised)


class InitiativeTest(Waiting, kind="imperium.initiative"):
    """Waits for the test: those who pass act first, by their margins; those who fail after them."""

    test: Percentile
    surprised: bool
    awaits = rolls("initiative", ROLLER, lambda self: self.test)

    def advance(self, answer: Any) -> Stage:
        passed = {"success": self.test.passes(answer), "margin": self.test.margin(answer)}
        return ended({"initiative": self.test.chance, **passed, SURPRISED: self.surprised})


class Placed(Outcome, kind="imperium.initiative-placed"):
    """The Initiative that counts in this round."""

    initiative: int
    surprised: bool
    reports = ("initiative", SURPRISED)


class Tied(Waiting, kind="imperium.initiative-tied"):
    """The die of a combatant who ties; waits for it as long as it is None."""

    face: int | None
    awaits = property(lambda self: Roll(("tie",), (ROLLER,), Total(((1, 6),))) if self.face is None else None)

    def advance(self, answer: Any) -> Stage:
        return Tied(answer)

    def notes(self) -> Facts:
        return {} if self.face is None else {"tie": self.face}
