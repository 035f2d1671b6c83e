"""First aid and what else gives hit points back at once (rulebook section 9.4).

Lurch takes a level of Heal more with each dose of a day. Whoever heals himself is the healer, and there is no patient.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.harms.care import (
    HEALER,
    PATIENT,
    derived,
    dose_used,
    healed,
    healer_fields,
    healing_effects,
    of_patient,
    patient_fields,
    whose,
)
from fracas.rulesets.cwn.harms.harm import DEAD
from fracas.rulesets.cwn.harms.strain import strain_effects, with_room

FIRST_AID, LURCH, ROUND, REPAIR = "first-aid", "lurch", "healing-round", "repair"
PANACEA = "panacea"
MEANS = (FIRST_AID, LURCH, ROUND, REPAIR)
AMOUNT = "heal.bonus"
TARGETS = {AMOUNT: "Added to the hit points healed"}
DICE: Mapping[str, tuple[tuple[int, int], ...]] = {
    FIRST_AID: ((1, 6),),
    LURCH: ((1, 10),),
    ROUND: ((1, 6),),
}
MINUTES: Mapping[str, int] = {FIRST_AID: 1, LURCH: 0, ROUND: 10, REPAIR: 10}
STRAIN: Mapping[str, int] = {FIRST_AID: 1, LURCH: 1, ROUND: 0, REPAIR: 0}
REPAIR_COST = 250
"""Dollars for each hit point of a Full Body Conversion; its repairs take no roll."""
PANACEA_FACTOR, PANACEA_LEAST = 2, 6
TREATED, DOSED = "treated-today", "lurch-dose"
"""Conditions: of the healing of a whole team that each has once a day; one for each dose of Lurch."""

FIRST_AID_WORDS = vocabulary(
    person(HEALER, "Who helps", "Whoever helps himself is alone."),
    person(PATIENT, "Patient", "Left out: the healer himself.", optional=True),
    Record("aid", "What is given"),
    healer_fields(),
    patient_fields(HEALER),
    patient_fields(PATIENT),
    (
        field
        for who in (HEALER, PATIENT)
        for field in (
            *fields(
                who,
                lurch_doses=whole("Doses of Lurch today", "Left out: none.", most=20),
                treated_today=flag("Treated today", "With the healing for all that Healer 2 gives."),
            ),
        )
    ),
    fields(
        "aid",
        means=choice("Means", "First aid unless said.", choices=MEANS),
        medkit=flag("Medkit", "At hand."),
        panacea=flag("Panacea", "Given with first aid."),
        points=whole("Points repaired", "Of a Full Body Conversion. Left out: all.", 1, 1000),
        doses=whole("Doses at hand", "Of the drug given, where they are counted.", most=1000),
        strain_room=whole(
            "Room for System Strain",
            "Of the patient.",
            -100,
            100,
            derived_from=f"{PATIENT}.system_strain",
        ),
    ),
    (
        Field(f"aid.{name}", "flag", label, "Whoever is healed.", derived_from=f"{PATIENT}.{of}")
        for name, of, label in (
            ("converted", "trauma_sources", "Full Body Conversion"),
            ("mortally_wounded", "mortally_wounded", "Mortally Wounded"),
            ("treated_today", "treated_today", "Treated today"),
        )
    ),
    fields(
        "aid",
        heal_needed=whole(
            "Level of Heal needed",
            "By the doses of Lurch already taken.",
            most=20,
            derived_from=f"{PATIENT}.lurch_doses",
        ),
    ),
)


class FirstAidProcedure:
    """Hit points given back, for System Strain."""

    id = "first-aid"
    label = "First aid"
    doc = "1d6 + Heal hit points for 1 System Strain; Lurch, Panacea, the ten minutes of a Healer for all, and repairs."
    vocabulary = FIRST_AID_WORDS
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("healed", "Expected hit points healed", lambda facts: float(facts["healed"] or 0)),
        Measure("dead", "Chance to kill", lambda facts: float(bool(facts["dead"]))),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = derived(asked.said.facts)
        who = whose(facts)
        means = facts.setdefault("aid.means", FIRST_AID)
        facts = with_room(facts, who, healing=True)
        facts["aid.heal_needed"] = facts.get(f"{who}.lurch_doses", 0)
        facts |= of_patient(facts, "aid", "strain_room", "converted", "mortally_wounded", "treated_today")
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        if means == REPAIR:
            return Prepared(_repaired(facts, who), ())
        if f"{HEALER}.heal" not in facts:
            raise lacks(f"{HEALER}.skills", "the level of Heal")
        if means == LURCH and facts.get(f"{who}.mortally_wounded"):
            drug = LURCH if "aid.doses" in facts else ""
            return Prepared(HealEnd(who, means, 0, None, 0, drug, True), ())
        level = facts[f"{HEALER}.heal"]
        base = [Entry("heal" if level >= 0 else "untrained", "Heal" if level >= 0 else "Without Heal", level)]
        tally = asked.rules.tally(AMOUNT, TARGETS[AMOUNT], base, facts, asked.hand)
        panacea = means == FIRST_AID and bool(facts.get("aid.panacea"))
        doubled = (panacea or means == LURCH) and facts.get(f"{HEALER}.healer_focus", 0) >= 2
        factor = (PANACEA_FACTOR if panacea else 1) * (2 if doubled else 1)
        recovery = facts.get(f"{who}.recovery_points", 0)
        healing = Healing(
            who,
            means,
            0,
            factor,
            PANACEA_LEAST if panacea else 0,
            facts.get(f"{who}.hp"),
            facts.get(f"{who}.hp_maximum"),
            recovery,
            LURCH if means == LURCH else PANACEA if panacea else "",
        )
        if "aid.doses" not in facts:
            healing = healing._replace(drug="")

        def first(tally: Tally) -> Stage:
            return healing._replace(bonus=tally.total)

        return Prepared(first(tally), (tally,), (), {"minutes": MINUTES[means]}, first)


def _repaired(facts: Mapping[str, Any], who: str) -> Stage:
    """Ten minutes of repairs, as many points as are wanted or missing."""
    hp, most = facts.get(f"{who}.hp"), facts.get(f"{who}.hp_maximum")
    wanted = facts.get("aid.points")
    if wanted is None and hp is not None and most is not None:
        wanted = most - hp
    if wanted is None:
        raise lacks("aid.points", "the points to repair, or the hit points left and those when whole")
    points = healed(hp, most, wanted)
    return HealEnd(who, REPAIR, points, None if hp is None else hp + points, 0, "", False)


class Healing(Waiting, kind="cwn.healing"):
    """Waits for the dice of healing.

    Attributes:
        who: the record of whoever is healed.
        factor, least: the result is multiplied, and at least this.
        hp, most: hit points now and when whole; None where the request does not tell.
        recovery: points of the Recovery Support Unit.
        drug: slug of a drug of which a dose is used up; "" for none that is counted.
    """

    who: str
    means: str
    bonus: int
    factor: int
    least: int
    hp: int | None
    most: int | None
    recovery: int
    drug: str

    @property
    def awaits(self) -> Awaited:
        return Roll(("heal",), (HEALER,), Total(DICE[self.means], self.bonus))

    def advance(self, answer: Any) -> Stage:
        points = max(self.least, max(0, answer) * self.factor)
        given = healed(self.hp, self.most, points)
        after = None if self.hp is None else self.hp + given
        return HealEnd(self.who, self.means, given, after, self.recovery, self.drug, False)


class HealEnd(Outcome, kind="cwn.heal-end"):
    """What was healed; `dead`: Lurch has killed somebody who was not stabilized."""

    who: str
    means: str
    healed: int
    hp_after: int | None
    recovery: int
    drug: str
    dead: bool

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "healed": self.healed,
            "system_strain": STRAIN[self.means],
            "minutes": MINUTES[self.means],
            "dead": self.dead,
        }
        if self.means == REPAIR:
            facts["cost"] = REPAIR_COST * self.healed
        return facts if self.hp_after is None else facts | {"hp_after": self.hp_after}

    def effects(self) -> tuple[Effect, ...]:
        used = (dose_used(HEALER, self.drug),) if self.drug else ()
        if self.dead:
            return (*used, Effect("add-condition", self.who, DEAD))
        marks = {LURCH: DOSED, ROUND: TREATED}
        begun = (Effect("add-condition", self.who, marks[self.means]),) if self.means in marks else ()
        strain = tuple(strain_effects(self.who, STRAIN[self.means], self.recovery))
        return (*used, *healing_effects(self.who, self.healed), *strain, *begun)
