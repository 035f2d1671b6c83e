"""Tests of Shadowrun 4 outside of attacks (rulebook sections 1 and 2).

The Success Test, a pool against a threshold; and Edge at death's door: the Dead Man's Trigger, and survival bought for
ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.composing import Wrapper
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.monitors import DEAD, DYING, STABILIZED
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import require
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4 import sheet
from fracas.rulesets.sr4.rolls import dice_test, sides
from fracas.rulesets.sr4.rolls.sides import Burn, Reaching, RollRules, Side, Spent, side_of
from fracas.rulesets.sr4.sheet import Monitors, make_pool, pool_entries, skill_entries, spent_edge
from fracas.rulesets.sr4.vocabulary import ATTRIBUTES, SKILL_TEST, USING_SKILL, combatant_fields, dice

HELPER = "helper"
"""The record of a helper who may spend their own Edge on the test of the leader (rulebook section 2)."""
NO_DEFAULT = ("astral-combat",)
POOL = "test.pool"
POOLS: Mapping[str, str] = {POOL: "Pool"}
"""The number of these tests."""

_OF_HELPER = ("name", "edge", "edge_points", "edge_group", "burns_edge")

TEST_RECORDS = (
    person("tester", "Tester", ""),
    Record("teamwork", "What helpers' own tests brought"),
    person(HELPER, "Helper", "Who may spend Edge on the test that they help with.", helps=True),
)
TEST_FIELDS = (
    *combatant_fields("tester", **SKILL_TEST),
    *fields(
        "",
        attribute=choice("Attribute", choices=ATTRIBUTES),
        second_attribute=choice("Second attribute", "In place of a skill.", choices=ATTRIBUTES),
        skill=USING_SKILL,
        threshold=whole("Threshold", "Hits needed.", most=50, example=2),
    ),
    *fields(
        "teamwork",
        hits=whole("Hits of helpers", "A die each, up to the skill of the tester.", most=200),
        critical_glitch=flag("A helper's critical glitch", "No helper's hits count."),
    ),
    *(field for field in combatant_fields(HELPER) if field.path.rpartition(".")[2] in _OF_HELPER),
)
"""What a Success Test and an Extended Test have in common."""

_UNHURT = "Who has no box filled succeeds without a roll."


class SuccessTest(dice_test.TestingProcedure):
    """A pool of dice against a threshold, with Edge, glitches and bought hits."""

    label = "Success Test"
    vocabulary = vocabulary(
        *TEST_RECORDS, TEST_FIELDS, fields("", wounded_only=flag("For the wounded only", _UNHURT))
    )
    targets = POOLS
    measures = (chance("success", "Chance of success"), mean("net_hits", "Expected net hits", "hits"))

    def numbers(self, it: Attempt) -> None:
        # a track not given has no boxes filled
        hurt = any(it.facts.get(f"tester.{track}") for track in ("physical", "stun"))
        if hurt or not it.facts.get("wounded_only"):
            number_of_test(it)

    def first(self, it: Attempt) -> Stage:
        if POOL not in it.made:
            return NoTest()
        side = tester_of("test", it.total(POOL), it.facts, it.request)
        return dice_test.start(side, None, Threshold(it.facts.get("threshold", 1)), RollRules.of(it.options))


def number_of_test(it: Attempt) -> None:
    """Make the pool; the facts learn wounds and encumbrance. What it lacks is noted."""
    sheet.derive_losses(it.facts, it.options, "tester")
    with it.faults.collect():
        make_pool(it, POOL, *_base(it.facts), *_teamwork(it.facts))


def tester_of(label: str, dice: int, facts: Mapping[str, Any], request: AttemptRequest) -> Side:
    """Who makes the test, and a helper with Edge for it: it is a helper's own test too (section 2)."""
    side = side_of(label, "tester", dice, facts, request, says=True)
    helper = side_of(label, HELPER, dice, facts, request)._replace(can_buy=False, of="tester")
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


def _base(facts: Mapping[str, Any]) -> list[Entry]:
    if given := sheet.pool_given(facts, "tester.pool"):
        return given
    attribute, second, skill = (facts.get(name) for name in ("attribute", "second_attribute", "skill"))
    path = f"tester.{attribute}" if attribute else "tester.pool"
    require(facts, [(path, "a pool, or an attribute and its rating")])
    entries = [Entry(str(attribute), str(attribute).capitalize(), facts[path])]
    if second:
        require(facts, [(f"tester.{second}", f"{second.capitalize()}, the second attribute")])
        entries.append(Entry(f"second-{second}", second.capitalize(), facts[f"tester.{second}"]))
    if skill is None:
        return entries
    require(facts, [("tester.skills", "the skill ratings")])
    own = skill_entries(facts["tester.skills"], skill, facts.get("tester.specialized"))
    if skill in NO_DEFAULT and own[0].id == "default":
        label = skill.replace("-", " ").capitalize()
        raise InputError.one("situation.skill", "no-default", f"{label} cannot be defaulted")
    return entries + own


class Threshold(Reaching, kind="sr4.threshold"):
    """Takes the hits. `wrap`: what is around the outcome; None for nothing."""

    threshold: int
    wrap: Wrapper | None = None

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        end: Stage = TestEnd(net, self.threshold, edge_spent[0])
        return end if self.wrap is None else self.wrap.put(end)


class TestEnd(Outcome, kind="sr4.test-end"):
    """How a Success Test ended."""

    hits: int
    threshold: int
    edge_spent: int

    def notes(self) -> Facts:
        net = self.hits - self.threshold
        facts = {"success": net >= 0, "hits": self.hits, "net_hits": max(0, net)}
        return facts | {"critical_success": net >= sides.CRITICAL_SUCCESS}

    def changes(self) -> Iterator[Effect]:
        return spent_edge("tester", self.edge_spent)


class NoTest(Outcome, kind="sr4.no-test"):
    """A success without a roll, of what only the wounded roll for."""

    def notes(self) -> Facts:
        return {"success": True, "hits": 0, "net_hits": 0, "critical_success": False, "rolled": False}


LAST_ACTION = 3
"""Hits that one more action takes."""

LAST_POOL, BOXES = "last-action.pool", "escape-death.boxes"
_LEFT = "Physical boxes left filled"
_PLAUSIBLE = "What the gamemaster finds plausible; the whole monitor unless given."
_SUM = "In place of Body + Willpower, before modifiers."
_TESTER = person("tester", "Tester", "")


class DeadMansTrigger(Procedure):
    """Struck down with an action still to come in this turn: a point of Edge and a test of Body + Willpower for it."""

    label = "Dead Man's Trigger"
    vocabulary = vocabulary(_TESTER, combatant_fields("tester", pool=dice("Pool", _SUM)))
    targets = {LAST_POOL: "Pool for a last action"}
    measures = (chance("success", "Chance of a last action"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        sides.needs_edge(it.facts, "tester", "edge_points", "no point of Edge is left for it")
        wounds = it.facts["tester.wound_modifier"] = sheet.wounds_of(it.facts, "tester", it.options)
        with it.faults.collect():
            base = pool_entries(it.facts, "tester", ("body", "willpower"))
            make_pool(it, LAST_POOL, *base, *sheet.by_rule("wounds", "Wounds", wounds))

    def first(self, it: Attempt) -> Stage:
        side = Side("last_action", "tester", it.total(LAST_POOL))
        return dice_test.start(side, None, LastAction(), RollRules.of(it.options))


class LastAction(Reaching, kind="sr4.last-action"):
    """Takes the hits."""

    threshold = LAST_ACTION

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return LastActionEnd(net)


class LastActionEnd(Outcome, kind="sr4.last-action-end"):
    """How it ended. On a success there is one action, without movement."""

    hits: int

    def notes(self) -> Facts:
        return {"success": self.hits >= LAST_ACTION, "hits": self.hits}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", 1)
        if self.hits >= LAST_ACTION:
            yield Effect("add-condition", "tester", "last-action")


class EscapeDeath(Procedure):
    """Burns a point of the Edge attribute: a dying or dead character lives, stable, with the monitor full."""

    label = "Escape certain death"
    vocabulary = vocabulary(
        _TESTER, combatant_fields("tester"), fields("", boxes=whole(_LEFT, _PLAUSIBLE, most=200))
    )
    targets = {BOXES: _LEFT}
    measures = (mean("physical_after", _LEFT, "boxes"),)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        sides.needs_edge(facts, "tester", "edge", "no Edge is left to burn")
        for name in ("physical", "body", "willpower"):
            it.need(f"tester.{name}", name.capitalize())
        it.plan = monitors = Monitors.of({"tester.stun": 0, **facts}, "tester", it.options)
        if monitors is None:
            return
        if not monitors.after(0, "physical").dying:
            filled = f"{monitors.physical} of {monitors.physical_boxes} boxes are filled"
            message = f"{filled}: nobody is about to die"
            raise InputError.one("situation.tester.physical", "not-dying", message)
        given, full = facts.get("boxes"), Entry("monitor", "The whole monitor", _whole(monitors))
        entry = full if given is None else Entry("boxes", "Boxes given", given)
        it.tally(BOXES, entry, least=0, floor="No fewer boxes than none")

    def first(self, it: Attempt) -> Stage:
        monitors: Monitors = it.plan
        left = min(it.total(BOXES), monitors.physical)
        burn = Burn(it.facts["tester.edge"], shared=bool(it.facts.get("tester.edge_group")))
        return EscapeEnd(burn, monitors.physical, left, left >= _whole(monitors))


def _whole(monitors: Monitors) -> int:
    """The Physical monitor; with one for both kinds, Stun boxes keep their places in it."""
    return monitors.physical_boxes - (monitors.stun if monitors.single else 0)


class EscapeEnd(Outcome, kind="sr4.escape-death-end"):
    """A combatant lives, for a point of Edge. `boxes`, `left`: filled Physical boxes before and after. `down`: the
    monitor is still full: unconscious, but stable."""

    burn: Burn
    boxes: int
    left: int
    down: bool
    reports = (("physical_after", "left"),)

    def changes(self) -> Iterator[Effect]:
        yield self.burn.effect("tester")
        if self.left < self.boxes:
            yield Effect("mark", "tester", "physical", self.left - self.boxes)
        for state in (DYING, DEAD):
            yield Effect("remove-condition", "tester", state)
        if self.down:
            yield Effect("add-condition", "tester", STABILIZED)
