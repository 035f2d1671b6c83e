"""A night's rest, and how Frailty ends (rulebook sections 1.6, 9.2 and 9.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.required import lacks, report_missing
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.checks.saves import (
    PHYSICAL,
    missing_for_save,
    save_fields,
    save_roll,
    save_tally,
    save_targets,
)
from fracas.rulesets.cwn.checks.skill_check import check_request
from fracas.rulesets.cwn.checks.skill_numbers import check_tally
from fracas.rulesets.cwn.harms.care import (
    ATTRIBUTES,
    HEALER,
    PATIENT,
    SKILL,
    derived,
    healed,
    healer_fields,
    healing_effects,
    is_converted,
    patient_fields,
)
from fracas.rulesets.cwn.harms.strain import STRAIN

SLEEPER = "sleeper"
FRAIL = "frail"
BED_REST, TREATMENT, UNATTENDED = "bed-rest", "treatment", "unattended"
WAYS = (BED_REST, TREATMENT, UNATTENDED)
TREATED = "frailty-treated"
"""The condition of somebody whose one attempt at treatment is made."""
BONUS = "frailty.bonus"

REST = vocabulary(
    person(SLEEPER, "Who rests"),
    Record("rest", "The rest"),
    patient_fields(SLEEPER),
    fields(
        SLEEPER,
        level=whole("Level", "Character level.", 1, 20),
        hit_dice=whole("Hit Dice", "Of an NPC.", 1, 50, example=2),
    ),
    fields("rest", uncomfortable=flag("Uncomfortable", "Short, wet or noisy: no Strain goes.")),
)
FRAILTY = vocabulary(
    person(HEALER, "Who helps", "Somebody unattended is alone here."),
    person(PATIENT, "Patient", "Frail.", optional=True),
    Record("frailty", "How it is treated"),
    healer_fields(),
    save_fields(HEALER),
    save_fields(PATIENT),
    (
        Field(f"{who}.frailty_treated", "flag", "Treated before", "The one attempt is made.")
        for who in (HEALER, PATIENT)
    ),
    fields(
        "frailty",
        way=choice("Way", choices=WAYS),
        medkit=flag("Medkit"),
    ),
)


class RestProcedure:
    """A night's rest."""

    id = "rest"
    label = "Night's rest"
    doc = "Eight hours of rest: hit points by level or Hit Dice unless Frail, and 1 System Strain less."
    vocabulary = REST
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {"rest.hp": "Hit points of a night"}
    measures = (Measure("healed", "Hit points healed", lambda facts: float(facts["healed"] or 0)),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        level = facts.get(f"{SLEEPER}.level", facts.get(f"{SLEEPER}.hit_dice"))
        if level is None:
            raise lacks(f"{SLEEPER}.level", "the level, or the Hit Dice of an NPC")
        base = [Entry("level", "Level" if f"{SLEEPER}.level" in facts else "Hit Dice", level)]
        if facts.get(f"{SLEEPER}.frail"):
            base.append(Entry("frail", "Frail: none", -level, origin="rule"))
        if is_converted(facts, SLEEPER):
            base = [Entry("converted", "Full Body Conversion: none", 0, origin="rule")]
        tally = asked.rules.tally("rest.hp", self.targets["rest.hp"], base, facts, asked.hand)
        had = facts.get(f"{SLEEPER}.system_strain", 0)
        less = min(1, max(0, had - facts.get(f"{SLEEPER}.permanent_strain", 0)))

        def first(tally: Tally) -> Stage:
            points = healed(
                facts.get(f"{SLEEPER}.hp"), facts.get(f"{SLEEPER}.hp_maximum"), max(0, tally.total)
            )
            return RestEnd(points, 0 if facts.get("rest.uncomfortable") else less)

        return Prepared(first(tally), (tally,), (), {}, first)


class RestEnd(Outcome, kind="cwn.rest-end"):
    """What a night gives: hit points, and System Strain that goes."""

    healed: int
    less_strain: int

    def notes(self) -> Facts:
        return {"healed": self.healed, "strain_less": self.less_strain, "hours": 8}

    def effects(self) -> tuple[Effect, ...]:
        strain = (Effect("spend", SLEEPER, STRAIN, self.less_strain),) if self.less_strain else ()
        return (*healing_effects(SLEEPER, self.healed), *strain)


class FrailtyProcedure:
    """What ends Frailty, or not."""

    id = "frailty"
    label = "Frailty"
    doc = "A week in bed with a medic, an hour's treatment with Heal against 10, or a save of the unattended."
    vocabulary = FRAILTY
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {BONUS: "Check to end Frailty", **save_targets(PHYSICAL, records=(HEALER,))}
    measures = (Measure("ended", "Chance that it ends", lambda facts: float(bool(facts["ended"]))),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = derived(asked.said.facts)
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        way = facts.get("frailty.way")
        if way is None:
            raise lacks("frailty.way", f"the way: {', '.join(WAYS)}")
        if way == BED_REST:
            return Prepared(FrailtyEnd(PATIENT, way, True), ())
        if way == TREATMENT:
            label = self.targets[BONUS]
            tally = check_tally(asked, facts, HEALER, BONUS, label, skills=(SKILL,), attributes=ATTRIBUTES)
            difficulty = row_of(asked.catalog, "ending-frailty", way)["difficulty"]
        else:
            report_missing(missing_for_save(facts, HEALER, PHYSICAL))
            tally = save_tally(asked, facts, HEALER, PHYSICAL, record=HEALER)
            difficulty = 0

        def first(tally: Tally) -> Stage:
            return Treatment(way, tally.total, difficulty)

        return Prepared(first(tally), (tally,), (), {}, first)


class Treatment(Waiting, kind="cwn.frailty"):
    """Waits for the check of an hour's treatment, or the save of somebody unattended.

    Attributes:
        number: what is added to the check, or the target of the save.
        difficulty: of the check.
    """

    way: str
    number: int
    difficulty: int

    @property
    def awaits(self) -> Awaited:
        if self.way == UNATTENDED:
            return save_roll("save", HEALER, self.number)
        return Roll(("check",), (HEALER,), check_request(self.number, False, self.difficulty))

    def advance(self, answer: Any) -> Stage:
        return FrailtyEnd(HEALER if self.way == UNATTENDED else PATIENT, self.way, answer)


class FrailtyEnd(Outcome, kind="cwn.frailty-end"):
    """How it ended; `success` of somebody unattended: a month more, otherwise death within a week."""

    who: str
    way: str
    success: bool

    def notes(self) -> Facts:
        ended = self.success and self.way != UNATTENDED
        facts: dict[str, Fact] = {"success": self.success, "ended": ended}
        if self.way == UNATTENDED:
            facts["days"] = 30 if self.success else 7
        return facts

    def effects(self) -> tuple[Effect, ...]:
        tried = (Effect("add-condition", self.who, TREATED),) if self.way == TREATMENT else ()
        if self.success and self.way != UNATTENDED:
            return (*tried, Effect("remove-condition", self.who, FRAIL))
        if self.way == UNATTENDED and not self.success:
            return (Effect("add-condition", self.who, "wasting-away"),)
        return tried
