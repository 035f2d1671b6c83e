"""Stabilizing the Mortally Wounded, first aid, and what else gives hit points back at once (sections 9.2 and 9.4).

The numbers of stabilizing stand in the packs' table; whole rounds since the fall make it harder (R12). Lurch takes a
level of Heal more with each dose of a day. A healer without another patient heals themselves, and there is no patient.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import Declared, choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Effect, Fact, Facts, Stage, lasting
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.checks.skill_check import AID, AIDED, check_request, number_of_check
from fracas.rulesets.cwn.harms import care
from fracas.rulesets.cwn.harms.harm import DEAD, MORTALLY_WOUNDED

BY_HAND, PATCH, FACTOR = "by-hand", "trauma-patch", "emergency-stabilization-factor"
_HELPED = (BY_HAND, PATCH, "drone")
"""Means that a combatant uses with skill; the others work by themselves."""
MEANS = (*_HELPED, "biostabilizing-armor", FACTOR)
STABILIZED = "stabilized"
TENDED = "tended"
"""The condition of a patient that a healer has failed to help in this round: there is one a round."""
BONUS, DIFFICULTY = "stabilize.bonus", "stabilize.difficulty"
FACTOR_STRAIN = 1
TABLE = "stabilizing"

_FALL = "Whole rounds since the fall"
_COUNTED = "A round is counted when the initiative comes back to the moment of the fall (R12)."


class Stabilize(Procedure):
    """Dexterity or Intelligence and Heal against a difficulty that rises each round, or a device without a check."""

    vocabulary = vocabulary(
        person(care.HEALER, "Who helps", "Of what the body or armor does by itself, its owner."),
        person(care.PATIENT, "Patient", "Mortally Wounded.", optional=True),
        Record("stabilizing", "How it is done"),
        care.both_sides(rounds_down=whole(_FALL, _COUNTED)),
        fields(
            "stabilizing",
            means=choice("Means", "By hand unless given.", choices=MEANS),
            medkit=flag("Medkit", "Or other tools, at hand."),
            doses=whole("Trauma Patches at hand", "Where they are counted."),
            aided=AIDED,
            strain_room=care.room_field(care.PATIENT, "Of the patient."),
            rounds_down=whole(_FALL, "Of the patient.", derived_from=f"{care.PATIENT}.rounds_down"),
            cause=choice(
                "Dying of", "Wounds unless given.", choices=("wounds", "poison", "disease", "lost-limb")
            ),
        ),
    )
    targets = {BONUS: "Check to stabilize", DIFFICULTY: "Difficulty of stabilizing"}
    owners = {DIFFICULTY: care.PATIENT}
    measures = (chance("stabilized", "Chance to stabilize"),)

    def numbers(self, it: Attempt) -> None:
        facts, who = care.derived(it)
        means = facts.setdefault("stabilizing.means", BY_HAND)
        facts |= care.of_patient(facts, "stabilizing", "strain_room", "rounds_down")
        if means == FACTOR:
            return
        row = row_of(it.lookup, TABLE, means)
        if means in _HELPED:
            aided = [Entry("aid", "Aided", AID)] if facts.get("stabilizing.aided") else []
            number_of_check(it, BONUS, care.HEALER, (care.SKILL,), care.ATTRIBUTES, *aided)
        else:
            it.tally(BONUS, Entry("means", "Of the armor", row["bonus"]))
        harder = [Entry("base", "Difficulty", row["difficulty"])]
        if row["rounds"] and (rounds := it.need(f"{who}.rounds_down", "the whole rounds since the fall")):
            harder.append(Entry("rounds", "Rounds since the fall", rounds))
        if means == BY_HAND and not it.need("stabilizing.medkit", "to know whether there is a medkit"):
            without = row_of(it.lookup, TABLE, "without-medkit")["difficulty"]
            harder.append(Entry("no-medkit", "Without a medkit", without - row["difficulty"]))
        it.tally(DIFFICULTY, *harder)

    def first(self, it: Attempt) -> Stage:
        means, who = it.facts["stabilizing.means"], it.plan
        if means == FACTOR:
            return StabilizeEnd(who, means, True, None, False)
        three = it.facts.get(f"{care.HEALER}.healer_focus", 0) >= 1 and means in (BY_HAND, PATCH)
        counted = means == PATCH and "stabilizing.doses" in it.facts
        return Stabilizing(who, means, it.total(BONUS), it.total(DIFFICULTY), three, counted)


class Stabilizing(Waiting, kind="cwn.stabilizing"):
    """Waits for the check. `who`: the record of the patient. `three`: 3d6 without the lowest. `counted`: a Trauma Patch
    is used up, of those that the fight counts."""

    who: str
    means: str
    bonus: int
    difficulty: int
    three: bool
    counted: bool
    awaits = rolls("check", care.HEALER, lambda self: check_request(self.bonus, self.three, self.difficulty))
    reports = ("difficulty",)

    def advance(self, answer: Any) -> Stage:
        return StabilizeEnd(self.who, self.means, answer, self.difficulty, self.counted)


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

    def changes(self) -> Iterator[Effect]:
        if self.counted:
            yield care.dose_used(care.HEALER, PATCH)
        if not self.stabilized:
            if self.means in _HELPED:
                yield lasting(self.who, TENDED, "round", 1)
            return
        yield Effect("remove-condition", self.who, MORTALLY_WOUNDED)
        if self.means == FACTOR:  # awake as the scene ends
            yield from care.strain_effects(self.who, FACTOR_STRAIN)
        unit, length = ("scene", 1) if self.means == FACTOR else ("minute", 10)
        yield lasting(self.who, STABILIZED, unit, length)


FIRST_AID, LURCH, ROUND, REPAIR = "first-aid", "lurch", "healing-round", "repair"
PANACEA = "panacea"
AIDS = (FIRST_AID, LURCH, ROUND, REPAIR)
AMOUNT = "heal.bonus"
DICE: Mapping[str, tuple[tuple[int, int], ...]] = {FIRST_AID: ((1, 6),), LURCH: ((1, 10),), ROUND: ((1, 6),)}
MINUTES: Mapping[str, int] = {FIRST_AID: 1, LURCH: 0, ROUND: 10, REPAIR: 10}
STRAIN: Mapping[str, int] = {FIRST_AID: 1, LURCH: 1, ROUND: 0, REPAIR: 0}
REPAIR_COST = 250
"""Dollars for each hit point of a Full Body Conversion; its repairs take no roll."""
PANACEA_FACTOR, PANACEA_LEAST = 2, 6
TREATED, DOSED = "treated-today", "lurch-dose"
"""Conditions: of the healing of a whole team that each has once a day; one for each dose of Lurch."""


def _of_healed(label: str, of: str) -> Declared:
    return flag(label, "The one who is healed.", derived_from=f"{care.PATIENT}.{of}")


_TAKEN = "By the doses of Lurch already taken."


class FirstAid(Procedure):
    """1d6 and Heal in hit points, for System Strain; also Lurch, Panacea, a Healer's care for a group, and repairs."""

    vocabulary = vocabulary(
        person(care.HEALER, "Who helps", "Alone where they treat themselves."),
        person(care.PATIENT, "Patient", "Left out: the healer.", optional=True),
        Record("aid", "What is given"),
        care.both_sides(
            lurch_doses=whole("Doses of Lurch today", "Left out: none.", most=20),
            treated_today=flag("Treated today", "With the healing for all that Healer 2 gives."),
        ),
        fields(
            "aid",
            means=choice("Means", "First aid unless given.", choices=AIDS),
            medkit=flag("Medkit", "At hand."),
            panacea=flag("Panacea", "Given with first aid."),
            points=whole("Points repaired", "Of a Full Body Conversion. Left out: all.", 1, 1000),
            doses=whole("Doses at hand", "Of the drug given, where they are counted."),
            strain_room=care.room_field(care.PATIENT, "Of the patient."),
            converted=_of_healed("Full Body Conversion", "trauma_sources"),
            mortally_wounded=_of_healed("Mortally Wounded", "mortally_wounded"),
            treated_today=_of_healed("Treated today", "treated_today"),
            heal_needed=whole(
                "Level of Heal needed", _TAKEN, most=20, derived_from=f"{care.PATIENT}.lurch_doses"
            ),
        ),
    )
    targets = {AMOUNT: "Added to the hit points healed"}
    measures = (mean("healed", "Expected hit points healed"), chance("dead", "Chance to kill"))

    def numbers(self, it: Attempt) -> None:
        facts, who = care.derived(it, healing=True)
        means = facts.setdefault("aid.means", FIRST_AID)
        facts["aid.heal_needed"] = facts.get(f"{who}.lurch_doses", 0)
        shown = ("strain_room", "converted", "mortally_wounded", "treated_today")
        facts |= care.of_patient(facts, "aid", *shown)
        if means == REPAIR:
            if f"{who}.hp" not in facts or f"{who}.hp_maximum" not in facts:
                it.need("aid.points", "the points to repair, or the hit points left and those when whole")
            return
        if f"{care.HEALER}.heal" not in facts:
            it.faults.need(f"{care.HEALER}.skills", "the level of Heal")
        if self._kills(it):
            return
        it.shown["minutes"] = MINUTES[means]
        level = facts.get(f"{care.HEALER}.heal", 0)
        id, label = ("heal", "Heal") if level >= 0 else ("untrained", "Without Heal")
        it.tally(AMOUNT, Entry(id, label, level))

    def _kills(self, it: Attempt) -> bool:
        """Lurch is the death of the one who is Mortally Wounded."""
        return it.facts["aid.means"] == LURCH and bool(it.facts.get(f"{it.plan}.mortally_wounded"))

    def first(self, it: Attempt) -> Stage:
        facts, who, means = it.facts, it.plan, it.facts["aid.means"]
        hp, most = facts.get(f"{who}.hp"), facts.get(f"{who}.hp_maximum")
        if means == REPAIR:  # as many points as are wanted or missing
            missing = 0 if hp is None or most is None else most - hp
            points = care.healed(hp, most, facts.get("aid.points", missing))
            return HealEnd(who, REPAIR, points, None if hp is None else hp + points, 0, "", False)
        panacea = means == FIRST_AID and bool(facts.get("aid.panacea"))
        given = LURCH if means == LURCH else PANACEA if panacea else ""
        drug = given if "aid.doses" in facts else ""
        if self._kills(it):
            return HealEnd(who, means, 0, None, 0, drug, True)
        doubled = given and facts.get(f"{care.HEALER}.healer_focus", 0) >= 2
        factor = (PANACEA_FACTOR if panacea else 1) * (2 if doubled else 1)
        least = PANACEA_LEAST if panacea else 0
        recovery = facts.get(f"{who}.recovery_points", 0)
        return Healing(who, means, it.total(AMOUNT), factor, least, hp, most, recovery, drug)


class Healing(Waiting, kind="cwn.healing"):
    """Waits for the dice of healing.

    Attributes:
        who: the record of the one who is healed.
        factor, least: the result is multiplied, and at least this.
        hp, most: hit points now and when whole; None where the request does not report.
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
    awaits = rolls("heal", care.HEALER, lambda self: Total(DICE[self.means], self.bonus))

    def advance(self, answer: Any) -> Stage:
        points = max(self.least, max(0, answer) * self.factor)
        given = care.healed(self.hp, self.most, points)
        after = None if self.hp is None else self.hp + given
        return HealEnd(self.who, self.means, given, after, self.recovery, self.drug, False)


class HealEnd(Outcome, kind="cwn.heal-end"):
    """What was healed; `dead`: Lurch has killed a combatant who was not stabilized."""

    who: str
    means: str
    healed: int
    hp_after: int | None
    recovery: int
    drug: str
    dead: bool

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"healed": self.healed, "system_strain": STRAIN[self.means]}
        facts |= {"minutes": MINUTES[self.means], "dead": self.dead}
        if self.means == REPAIR:
            facts["cost"] = REPAIR_COST * self.healed
        return facts if self.hp_after is None else facts | {"hp_after": self.hp_after}

    def changes(self) -> Iterator[Effect]:
        if self.drug:
            yield care.dose_used(care.HEALER, self.drug)
        if self.dead:
            yield Effect("add-condition", self.who, DEAD)
            return
        yield from care.healing_effects(self.who, self.healed)
        yield from care.strain_effects(self.who, STRAIN[self.means], self.recovery)
        if mark := {LURCH: DOSED, ROUND: TREATED}.get(self.means):
            yield Effect("add-condition", self.who, mark)
