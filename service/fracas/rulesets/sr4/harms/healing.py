"""Healing in Shadowrun 4: first aid within the hour, and rest (rulebook section 3).

Who is healed below a full monitor wakes. Stabilizing the dying is a Success Test of the packs' action ``stabilize``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import fields, flag, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.required import lacks, require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.harms.harm import TREATED, healed
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.receivers import CRITICAL_SUCCESS, Receiver
from fracas.rulesets.sr4.rolls.sides import side_of
from fracas.rulesets.sr4.sheet import Monitors, attribute_entries, wounds_of
from fracas.rulesets.sr4.vocabulary import burning_edge, combatant_fields

FIRST_AID_THRESHOLD = 2
"""Hits above it heal a box each."""
SKILL = "first-aid"
HOUR, DAY = 60 * 60, 24 * 60 * 60
_FLOOR = "A pool never falls below 0"

_POOL = Field(
    "tester.pool", "whole", "Pool", "Dice before modifiers, in place of attribute and skill.", most=60
)
_TRACK = Field(
    "track",
    "choice",
    "Which wounds first",
    "Physical ones unless said; rest heals Stun first.",
    choices=("physical", "stun"),
)

FIRST_AID = vocabulary(
    Record("tester", "Who helps", "combatant"),
    Record("patient", "Patient", "combatant"),
    combatant_fields("tester"),
    _POOL,
    fields("tester", specialized=flag("Specialized")),
    burning_edge("tester"),
    combatant_fields("patient"),
    _TRACK,
    fields("", minutes=whole("Minutes since the wounds", "Within an hour.", most=100_000, example=5)),
)
REST = vocabulary(
    Record("tester", "Who rests", "combatant"),
    combatant_fields("tester"),
    _POOL._replace(doc="In place of the attributes, before modifiers."),
    _TRACK,
)


class FirstAid:
    """First Aid + Logic (2): the net hits are boxes healed."""

    id = "first-aid"
    label = "First aid"
    doc = "First Aid + Logic (2) within an hour, once for the same wounds; net hits heal boxes, up to the skill."
    vocabulary = FIRST_AID
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {"first-aid.pool": "First aid pool"}
    measures = (
        Measure("success", "Chance to heal anything", lambda facts: float(bool(facts["boxes"]))),
        Measure("boxes", "Expected boxes healed", lambda facts: float(facts["boxes"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        _require(facts, "patient")
        refusals = asked.rules.refusals(facts)
        skills = facts.get("tester.skills")
        pool = _pool(self, asked, facts, "first-aid.pool", _aid_base(facts, skills))
        if refusals:
            return Prepared(None, (pool,), refusals)
        most = -1 if skills is None else skills.get(SKILL, 0)
        treatment = Treatment(
            "patient",
            _monitors(facts, "patient", asked),
            facts.get("track", "physical"),
            FIRST_AID_THRESHOLD,
            most,
            0,
            True,
        )
        return Prepared(_start("first_aid", pool, treatment, facts, asked), (pool,))


class Rest:
    """An interval of rest: each hit heals a box."""

    id = "rest"
    label = "Rest"
    doc = "An hour of rest with Body + Willpower heals Stun, a day with twice the Body heals Physical boxes."
    vocabulary = REST
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {"rest.pool": "Pool of rest"}
    measures = (Measure("boxes", "Expected boxes healed", lambda facts: float(facts["boxes"] or 0)),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        _require(facts, "tester")
        track = facts.get("track") or ("stun" if facts["tester.stun"] else "physical")
        refusals = asked.rules.refusals(facts)
        pool = _pool(self, asked, facts, "rest.pool", _rest_base(facts, track))
        if refusals:
            return Prepared(None, (pool,), refusals)
        seconds = HOUR if track == "stun" else DAY
        treatment = Treatment("tester", _monitors(facts, "tester", asked), track, 0, -1, seconds, False)
        return Prepared(_start("rest", pool, treatment, facts, asked), (pool,))


def _require(facts: Mapping[str, Any], who: str) -> None:
    """Check everything that the rule needs of the patient."""
    names = ("physical", "stun", "body", "willpower")
    require(facts, ((f"{who}.{name}", f"{name.capitalize()} of the patient") for name in names))


def _monitors(facts: Mapping[str, Any], who: str, asked: Asked) -> Monitors:
    monitors = Monitors.of(facts, who, asked.options)
    assert monitors is not None, "what it needs is there"
    return monitors


def _aid_base(facts: Mapping[str, Any], skills: Mapping[str, int] | None) -> list[Entry]:
    if "tester.pool" in facts:
        return [Entry("pool", "Pool given", facts["tester.pool"])]
    entries = attribute_entries(facts, "tester", ("logic",), "tester.pool")
    if skills is None:
        raise lacks("tester.skills", "the skill ratings")
    if not skills.get(SKILL):
        return [*entries, Entry("default", "Defaulting on First aid", -1)]
    entries.append(Entry("skill", "First aid", skills[SKILL]))
    if facts.get("tester.specialized"):
        entries.append(Entry("specialization", "Specialization", 2))
    return entries


def _rest_base(facts: Mapping[str, Any], track: str) -> list[Entry]:
    if "tester.pool" in facts:
        return [Entry("pool", "Pool given", facts["tester.pool"])]
    if track == "stun":
        return attribute_entries(facts, "tester", ("body", "willpower"), "tester.pool")
    return [
        Entry("body", "Body", facts["tester.body"]),
        Entry("body-again", "Body again", facts["tester.body"]),
    ]


def _pool(
    procedure: FirstAid | Rest, asked: Asked, facts: dict[str, Any], to: str, base: list[Entry]
) -> Tally:
    """The pool, with the wounds of whoever rolls."""
    wounds = facts["tester.wound_modifier"] = wounds_of(facts, "tester", asked.options)
    if wounds:
        base.append(Entry("wounds", "Wounds", wounds, origin="rule"))
    return asked.rules.tally(to, procedure.targets[to], base, facts, asked.hand).at_least(0, _FLOOR)


def _start(label: str, pool: Tally, treatment: Treatment, facts: Mapping[str, Any], asked: Asked) -> Stage:
    side = side_of(label, "tester", pool.total, facts, asked, says=True)
    return dice_test.start(side, None, treatment, RollRules.of(asked.options))


class Treatment(Receiver, kind="sr4.treatment"):
    """Takes the hits: those above the threshold heal a box each.

    Attributes:
        who: the record of whoever is healed.
        track: whose boxes are healed first; first aid goes on with the other.
        most: boxes at most; -1 for no limit.
        seconds: that it takes; 0: not said.
        once: the same wounds are not treated again.
    """

    who: str
    monitors: Monitors
    track: str
    threshold: int
    most: int
    seconds: int
    once: bool

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return HealingEnd(self, net, edge_spent[0])

    def short(self, net: int, scoreless: bool) -> int:
        """Until one box is healed."""
        return self.threshold + 1 - net

    def critical(self) -> int:
        return self.threshold + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {"threshold": self.threshold} if self.threshold else {}

    def healed(self, hits: int) -> tuple[int, int]:
        """The Physical and Stun boxes that so many hits heal."""
        boxes = max(0, hits - self.threshold)
        boxes = boxes if self.most < 0 else min(boxes, self.most)
        first, other = self.monitors.physical, self.monitors.stun
        if self.track == "stun":
            first, other = other, first
        mended = min(boxes, first)
        rest = min(boxes - mended, other) if self.once else 0
        return (mended, rest) if self.track == "physical" else (rest, mended)


class HealingEnd(Outcome, kind="sr4.healing-end"):
    """How it ended."""

    treatment: Treatment
    hits: int
    edge_spent: int

    def notes(self) -> Facts:
        treatment = self.treatment
        physical, stun = treatment.healed(self.hits)
        now = treatment.monitors._replace(
            physical=treatment.monitors.physical - physical, stun=treatment.monitors.stun - stun
        ).after(0, "physical")
        facts: dict[str, Fact] = {
            "success": self.hits >= max(1, treatment.threshold),
            "hits": self.hits,
            "boxes": physical + stun,
            "physical_after": now.physical,
            "stun_after": now.stun,
            "unconscious": now.unconscious,
            "dying": now.dying,
        }
        return facts | ({"seconds": treatment.seconds} if treatment.seconds else {})

    def changes(self) -> Iterator[Effect]:
        treatment = self.treatment
        yield from spent_edge("tester", self.edge_spent)
        yield from healed(treatment.who, treatment.monitors, *treatment.healed(self.hits))
        if treatment.once:
            yield Effect("add-condition", treatment.who, TREATED)
