"""Stabilizing the Mortally Wounded (rulebook section 9.2).

The numbers stand in the packs' table ``stabilizing``. Whole rounds since the fall make it harder (R12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Catalog, Field, Record
from fracas.rulesets.cwn.checks.skill_check import AID, check_request
from fracas.rulesets.cwn.checks.skill_numbers import check_tally
from fracas.rulesets.cwn.harms.care import (
    ATTRIBUTES,
    HEALER,
    PATIENT,
    SKILL,
    derived,
    dose_used,
    healer_fields,
    of_patient,
    patient_fields,
    whose,
)
from fracas.rulesets.cwn.harms.harm import MORTALLY_WOUNDED, lasting
from fracas.rulesets.cwn.harms.strain import strain_effects, with_room

BY_HAND, PATCH, DRONE, ARMOR, FACTOR = (
    "by-hand",
    "trauma-patch",
    "drone",
    "biostabilizing-armor",
    "emergency-stabilization-factor",
)
MEANS = (BY_HAND, PATCH, DRONE, ARMOR, FACTOR)
STABILIZED = "stabilized"
TENDED = "tended"
"""The condition of a patient at whom a healer has been in vain in this round: there is one a round."""
BONUS, DIFFICULTY = "stabilize.bonus", "stabilize.difficulty"
TARGETS = {BONUS: "Check to stabilize", DIFFICULTY: "Difficulty of stabilizing"}
_HELPED = (BY_HAND, PATCH, DRONE)
"""Means that somebody uses with skill; the others work by themselves."""
CAUSES = ("wounds", "poison", "disease", "lost-limb")
FACTOR_STRAIN = 1
TABLE = "stabilizing"

STABILIZE = vocabulary(
    person(HEALER, "Who helps", "Of what the body or armor does by itself, its owner."),
    person(PATIENT, "Patient", "Mortally Wounded.", optional=True),
    Record("stabilizing", "How it is done"),
    healer_fields(),
    patient_fields(HEALER),
    patient_fields(PATIENT),
    (
        Field(
            f"{who}.rounds_down",
            "whole",
            "Whole rounds since the fall",
            "A round is counted when the initiative comes back to the moment of the fall (R12).",
            most=1000,
        )
        for who in (HEALER, PATIENT)
    ),
    fields(
        "stabilizing",
        means=choice("Means", "By hand unless said.", choices=MEANS),
        medkit=flag("Medkit", "Or other tools, at hand."),
        doses=whole("Trauma Patches at hand", "Where they are counted.", most=1000),
        aided=flag("Aided", "Somebody else has passed the same check to help."),
        strain_room=whole(
            "Room for System Strain",
            "Of the patient.",
            -100,
            100,
            derived_from=f"{PATIENT}.system_strain",
        ),
        rounds_down=whole(
            "Whole rounds since the fall",
            "Of the patient.",
            most=1000,
            derived_from=f"{PATIENT}.rounds_down",
        ),
        cause=choice("Dying of", "Wounds unless said.", choices=CAUSES),
    ),
)


class StabilizeProcedure:
    """One attempt to stabilize somebody."""

    id = "stabilize"
    label = "Stabilize"
    doc = "Dexterity or Intelligence + Heal against 8 and the whole rounds since the fall, or what works by itself."
    vocabulary = STABILIZE
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = TARGETS
    measures = (Measure("stabilized", "Chance to stabilize", lambda facts: float(bool(facts["stabilized"]))),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = derived(asked.said.facts)
        who = whose(facts)
        facts = with_room(facts, who)
        means = facts.setdefault("stabilizing.means", BY_HAND)
        facts |= of_patient(facts, "stabilizing", "strain_room", "rounds_down")
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        if means == FACTOR:
            return Prepared(StabilizeEnd(who, means, True, None, False), ())
        row = row_of(asked.catalog, TABLE, means)
        difficulty = asked.rules.tally(
            DIFFICULTY, TARGETS[DIFFICULTY], _difficulty(facts, who, row, asked.catalog), facts, asked.hand
        )
        bonus = _bonus(asked, facts, row)
        three = facts.get(f"{HEALER}.healer_focus", 0) >= 1 and means in (BY_HAND, PATCH)
        counted = means == PATCH and "stabilizing.doses" in facts
        tallies = (bonus, difficulty)

        def rebuild(changed: Tally) -> Stage:
            return first(*(changed if tally.to == changed.to else tally for tally in tallies))

        def first(bonus: Tally, difficulty: Tally) -> Stage:
            return Stabilizing(who, means, bonus.total, difficulty.total, three, counted)

        return Prepared(first(*tallies), tallies, (), {}, rebuild)


def _difficulty(facts: Mapping[str, Any], who: str, row: Mapping[str, Any], catalog: Catalog) -> list[Entry]:
    entries = [Entry("base", "Difficulty", row["difficulty"])]
    if row["rounds"]:
        if f"{who}.rounds_down" not in facts:
            raise lacks(f"{who}.rounds_down", "the whole rounds since the fall")
        if facts[f"{who}.rounds_down"]:
            entries.append(Entry("rounds", "Rounds since the fall", facts[f"{who}.rounds_down"]))
    if facts["stabilizing.means"] == BY_HAND:
        if "stabilizing.medkit" not in facts:
            raise lacks("stabilizing.medkit", "to know whether there is a medkit")
        if not facts["stabilizing.medkit"]:
            harder = row_of(catalog, TABLE, "without-medkit")["difficulty"] - row["difficulty"]
            entries.append(Entry("no-medkit", "Without a medkit", harder))
    return entries


def _bonus(asked: Asked, facts: Mapping[str, Any], row: Mapping[str, Any]) -> Tally:
    more = [Entry("aid", "Aided", AID)] if facts.get("stabilizing.aided") else []
    if facts["stabilizing.means"] in _HELPED:
        return check_tally(
            asked, facts, HEALER, BONUS, TARGETS[BONUS], skills=(SKILL,), attributes=ATTRIBUTES, more=more
        )
    own = [Entry("means", "Of the armor", row["bonus"])]
    return asked.rules.tally(BONUS, TARGETS[BONUS], own, facts, asked.hand)


class Stabilizing(Waiting, kind="cwn.stabilizing"):
    """Waits for the check.

    Attributes:
        who: the record of the patient.
        three: 3d6 without the lowest.
        counted: a Trauma Patch is used up, of those that the fight counts.
    """

    who: str
    means: str
    bonus: int
    difficulty: int
    three: bool
    counted: bool

    @property
    def awaits(self) -> Awaited:
        return Roll(("check",), (HEALER,), check_request(self.bonus, self.three, self.difficulty))

    def advance(self, answer: Any) -> Stage:
        return StabilizeEnd(self.who, self.means, answer, self.difficulty, self.counted)

    def notes(self) -> Facts:
        return {"difficulty": self.difficulty}


class StabilizeEnd(Outcome, kind="cwn.stabilize-end"):
    """How the attempt ended; `difficulty` is None where nothing was rolled."""

    who: str
    means: str
    stabilized: bool
    difficulty: int | None
    counted: bool

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"stabilized": self.stabilized, "means": self.means}
        return facts if self.difficulty is None else facts | {"difficulty": self.difficulty}

    def effects(self) -> tuple[Effect, ...]:
        used = (dose_used(HEALER, PATCH),) if self.counted else ()
        if not self.stabilized:
            return (*used, lasting(self.who, TENDED, "round", 1)) if self.means in _HELPED else ()
        over = Effect("remove-condition", self.who, MORTALLY_WOUNDED)
        if self.means == FACTOR:  # awake as the scene ends
            strain = tuple(strain_effects(self.who, FACTOR_STRAIN))
            return (over, *strain, lasting(self.who, STABILIZED, "scene", 1))
        return (*used, over, lasting(self.who, STABILIZED, "minute", 10))
