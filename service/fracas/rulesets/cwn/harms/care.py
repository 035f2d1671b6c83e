"""Care and drugs: the patient, the healer, System Strain, and what drugs leave when they wear off.

Rulebook sections 1.6, 9.2, 9.4 and 10.4.

The most Strain is the Constitution score. What a combatant chooses and cannot bear does not work; what is forced beyond
the most knocks out for an hour at least. What a drug does meanwhile is data: conditions of the packs, and modifiers
that read who is on what. Poisons have a procedure of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import Declared, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Fact, Facts, Stage, lasting
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn import vocabulary as common
from fracas.rulesets.cwn.checks import saves
from fracas.rulesets.cwn.checks.skill_check import UNTRAINED, check_fields, or_again
from fracas.rulesets.cwn.harms.harm import DEAD, FULL_BODY, MORTALLY_WOUNDED
from fracas.rulesets.cwn.vocabulary import FOCUS_LEVELS, LEVELS, NAME, implants, trauma_sources

STRAIN = "system-strain"
UNCONSCIOUS = "unconscious"
OVERLOAD_HOURS = 1


def room_field(who: str, doc: str) -> Declared:
    """What a combatant can still bear, which follows from what they have."""
    return whole("Room for System Strain", doc, -100, 100, derived_from=f"{who}.system_strain")


def strain_fields(who: str) -> tuple[Field, ...]:
    """What shows how much Strain a combatant bears."""
    permanent = "Of implants, rounded up; it never falls below. Left out: none."
    converted = "In place of the Constitution, as Full Body Conversion has it."
    recovery = "Points of the implant that pay for the Strain of healing."
    return fields(
        who,
        system_strain=whole("System Strain", "Points, rounded up, that of implants among them.", most=100),
        permanent_strain=whole("Permanent System Strain", permanent, most=100),
        constitution=common.SCORES["constitution"],
        strain_maximum=whole("Most System Strain", converted, 1, 100),
        recovery_points=whole("Recovery Support left", recovery, most=20),
        strain_room=room_field(who, "What is left up to the most."),
    )


def strain_most(facts: Mapping[str, Any], who: str) -> int | None:
    """The most Strain that a combatant bears; None where it is not known."""
    most: int | None = facts.get(f"{who}.strain_maximum", facts.get(f"{who}.constitution"))
    return most


def strain_room(facts: Mapping[str, Any], who: str) -> int | None:
    """Points that a combatant can still bear; None where the request does not report."""
    most, had = strain_most(facts, who), facts.get(f"{who}.system_strain")
    return None if most is None or had is None else most - had


def with_room(facts: Mapping[str, Any], who: str, *, healing: bool = False) -> dict[str, Any]:
    """The facts with the room for Strain, if known; in healing, the points of the implant that pays for it count."""
    room = strain_room(facts, who)
    if room is None:
        return dict(facts)
    return {**facts, f"{who}.strain_room": room + (facts.get(f"{who}.recovery_points", 0) if healing else 0)}


def strain_effects(who: str, points: int, recovery: int = 0) -> Iterator[Effect]:
    """What Strain that a combatant chose costs: first the implant's points, if they may pay."""
    paid = min(points, recovery)
    if paid:
        yield Effect("spend", who, "recovery-points", paid)
    if points > paid:
        yield Effect("gain", who, STRAIN, points - paid)


def forced_strain(who: str, points: int, room: int | None) -> Iterator[Effect]:
    """Strain that comes whether a combatant wants it or not; beyond the most they lose consciousness. `room`: points
    that they can bear; None where it is not known."""
    borne = points if room is None else min(points, max(0, room))
    if borne:
        yield Effect("gain", who, STRAIN, borne)
    if room is not None and points > room:
        yield lasting(who, UNCONSCIOUS, "hour", OVERLOAD_HOURS)


HEALER, PATIENT = "healer", "patient"
SKILL = "heal"
ATTRIBUTES = ("dexterity", "intelligence")


def healer_fields() -> tuple[Field, ...]:
    """Who helps."""
    return (
        *check_fields(HEALER),
        *fields(
            HEALER,
            foci=FOCUS_LEVELS,
            medical_readout=flag("Medical Support Readout", "Helps with Heal, and with each application."),
            heal=whole("Level of Heal", "-1 if untrained.", -1, 20, derived_from=f"{HEALER}.skills"),
            healer_focus=whole("Level of the focus Healer", most=2, derived_from=f"{HEALER}.foci"),
        ),
    )


def patient_fields(who: str) -> tuple[Field, ...]:
    """Who is helped."""
    return (
        *fields(
            who,
            name=NAME,
            hp=common.HP_LEFT,
            hp_maximum=whole("Hit points when whole", "Left out: healing is not limited.", 1, 1000),
            frail=common.FRAIL,
            mortally_wounded=flag("Mortally Wounded", "And not stabilized yet."),
            trauma_sources=trauma_sources("Nobody with Full Body Conversion heals."),
            augmentations=implants(),
            converted=flag("Full Body Conversion", derived_from=f"{who}.trauma_sources"),
        ),
        *strain_fields(who),
    )


def whose(facts: Mapping[str, Any]) -> str:
    """The record of the one who is cared for: the patient, or the healer alone who cares for no other."""
    return PATIENT if has_record(facts, PATIENT) else HEALER


def both_sides(**more: Declared) -> Iterator[Field]:
    """Those who help, and those who are helped or help themselves, with more fields of both."""
    yield from healer_fields()
    yield from patient_fields(HEALER)
    yield from patient_fields(PATIENT)
    yield from fields(HEALER, PATIENT, **more)


def derived(it: Attempt, *, healing: bool = False) -> tuple[dict[str, Any], str]:
    """The facts of an attempt with the level of Heal and of the focus, what the patient is made of and the room for
    Strain, as far as known; and the record of the patient."""
    who = it.plan = whose(it.facts)
    it.facts = with_room(with_skill(it.facts), who, healing=healing)
    return it.facts, who


def with_skill(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with the level of Heal and of the focus, and what the patient is made of, as far as it is reported."""
    found = dict(facts)
    if f"{HEALER}.skills" in facts:
        found[f"{HEALER}.heal"] = facts[f"{HEALER}.skills"].get(SKILL, UNTRAINED)
    elif f"{HEALER}.skill_bonus" in facts:
        outside = facts.get(f"{HEALER}.out_of_field")
        found[f"{HEALER}.heal"] = UNTRAINED if outside else facts[f"{HEALER}.skill_bonus"]
    if f"{HEALER}.foci" in facts:
        found[f"{HEALER}.healer_focus"] = facts[f"{HEALER}.foci"].get("healer", 0)
    for who in (HEALER, PATIENT):
        if (converted := is_converted(facts, who)) is not None:
            found[f"{who}.converted"] = converted
    return found


def is_converted(facts: Mapping[str, Any], who: str) -> bool | None:
    """Whether a combatant has a Full Body Conversion; None where neither implants nor their effects are reported."""
    if f"{who}.trauma_sources" not in facts and f"{who}.augmentations" not in facts:
        return None
    implants = {entry.slug for entry in facts.get(f"{who}.augmentations", ())}
    return FULL_BODY in {*implants, *facts.get(f"{who}.trauma_sources", ())}


def of_patient(facts: Mapping[str, Any], record: str, *names: str) -> dict[str, Any]:
    """What is known of the one who is cared for, under the name of another record, for modifiers and refusals."""
    who = whose(facts)
    return {f"{record}.{name}": facts[f"{who}.{name}"] for name in names if f"{who}.{name}" in facts}


def dose_used(who: str, slug: str) -> Effect:
    """One dose less of something of which fights count the doses."""
    return Effect("item", who, slug, -1, (("state", "rounds"),))


def healed(hp: int | None, most: int | None, points: int) -> int:
    """The points that healing gives: none above those of a combatant whole."""
    return points if hp is None or most is None else max(0, min(points, most - hp))


def healing_effects(who: str, points: int) -> tuple[Effect, ...]:
    return (Effect("gain", who, "hp", points),) if points else ()


TAKER, GIVER = "taker", "giver"
RESET = "reset"
WEARS_OFF = "drug-wears-off"
"""The action that a timer takes when a drug's time is over."""
ROUNDS: Mapping[str, int] = {"round": 1, "minute": 10, "hour": 600}
BELOW = 1
"""A total of Reset's save up to this calls for another save, or kills."""


def _body_fields(who: str) -> tuple[Field, ...]:
    avalanche = "Those when it began to work, its own among them."
    return (
        *patient_fields(who),
        *saves.save_fields(who),
        *fields(who, skills=LEVELS, hp_on_avalanche=whole("Hit points under Avalanche", avalanche)),
    )


_SUFFICES = "Heal of the taker or the giver suffices."


class TakeDrug(Procedure):
    """What a dose does at once, its System Strain, and what follows when it wears off."""

    label = "Take a drug"
    vocabulary = vocabulary(
        person(GIVER, "Who takes it, or gives it", "Alone where they take it themselves."),
        person(TAKER, "Who takes it", "Left out: the giver.", optional=True),
        Record("drug", "Drug", "drug", "A drug of the packs."),
        (field for who in (GIVER, TAKER) for field in _body_fields(who)),
        fields(
            "drug",
            name=text("Name", most=80),
            poison=flag("Poison", "It harms the one who takes it."),
            strain=whole("System Strain", "Strain of taking it.", most=20),
            strain_after=whole("System Strain at the end", "Strain when it wears off.", most=20),
            doses=whole("Doses at hand", "Where they are counted."),
            skill_level=whole("Level of Heal", "Level of the skill Heal that giving it takes.", most=4),
            worn_off=flag("Wears off", "What comes at its end, not what comes of taking it."),
            strain_room=room_field(TAKER, "Of the one who takes it."),
            skilled=flag("Given by one who is able", _SUFFICES, derived_from="giver.skills"),
        ),
    )
    targets = saves.save_targets(saves.PHYSICAL, records=(GIVER, TAKER))
    measures = (chance("result", "Chance to fall", "down", among=(MORTALLY_WOUNDED, DEAD)),)

    def numbers(self, it: Attempt) -> None:
        who = TAKER if has_record(it.facts, TAKER) else GIVER
        facts = it.facts = with_room(it.facts, who)
        if f"{who}.strain_room" in facts:
            facts["drug.strain_room"] = facts[f"{who}.strain_room"]
        over = facts.setdefault("drug.worn_off", False)
        skills = [facts[f"{one}.skills"] for one in (TAKER, GIVER) if f"{one}.skills" in facts]
        if "drug.skill_level" in facts and skills:
            best = max(levels.get("heal", UNTRAINED) for levels in skills)
            facts["drug.skilled"] = best >= facts["drug.skill_level"]
        entry = it.request.entry("drug")
        it.plan = who, entry
        if entry is None:
            field = "drug.use" if has_record(it.request.input.facts, "drug") else "drug"
            it.faults.need(field, "a drug of the packs")
        elif entry.slug == RESET:
            it.need(f"{who}.system_strain", "the System Strain")
            it.need(f"{who}.permanent_strain", "the permanent part of the System Strain")
            if over:
                _crash(it, who)

    def first(self, it: Attempt) -> Stage:
        facts, (who, entry) = it.facts, it.plan
        if it.made:
            fill, gained = max(0, strain_room(facts, who) or 0), -int(it.shown["penalty"] or 0)
            return Crash(who, saves.total_of_save(it, who), gained, fill, facts.get(f"{who}.hp"), False)
        over = facts["drug.worn_off"]
        effects = (_worn_off if over else _taken)(facts, who, entry.slug, entry.data)
        return _end(entry.slug, "worn-off" if over else "taken", effects)


def _taken(facts: Mapping[str, Any], who: str, slug: str, data: Mapping[str, Any]) -> Iterator[Effect]:
    hp = facts.get(f"{who}.hp")
    added = sum(change.get("add", 0) for change in data.get("changes", ()) if change["stat"] == "hp")
    if "drug.doses" in facts:
        yield dose_used(GIVER, slug)
    yield from strain_effects(who, facts.get("drug.strain", 0))
    if slug == RESET and (less := facts[f"{who}.system_strain"] - facts[f"{who}.permanent_strain"]):
        yield Effect("spend", who, STRAIN, less)
    if added:
        yield Effect("gain", who, "hp", added)
    if rounds := _rounds(data):
        when = (("when", "turn-end"), ("turns", rounds - 1), ("set_drug.use", slug))
        lasts = next(iter(data.get("conditions", ())), "")
        yield Effect("schedule", who, WEARS_OFF, None, (*when, ("while", lasts)))
    for condition in data.get("conditions", ()):
        detail = (("set_hp_on_avalanche", hp + added),) if added and hp is not None else ()
        yield Effect("add-condition", who, condition, None, detail)


def _rounds(data: Mapping[str, Any]) -> int:
    """After how many rounds something comes of a drug's end; 0 where nothing does, or the GM says when."""
    lasts: Mapping[str, Any] = data.get("lasts", {})
    ends = data.get("strain_after") or data.get("changes") or data.get("save")
    count = lasts.get("count")
    return count * ROUNDS.get(str(lasts.get("unit")), 0) if ends and isinstance(count, int) else 0


def _worn_off(facts: Mapping[str, Any], who: str, slug: str, data: Mapping[str, Any]) -> Iterator[Effect]:
    """The conditions end; hit points that were only lent go as far as no damage has taken them."""
    lent = sum(change.get("add", 0) for change in data.get("changes", ()) if change["stat"] == "hp")
    for condition in data.get("conditions", ()):
        yield Effect("remove-condition", who, condition)
    hp = facts.get(f"{who}.hp")
    if lent and hp is not None:
        lost = max(0, facts.get(f"{who}.hp_on_avalanche", hp) - hp)
        if left := min(max(0, lent - lost), hp):
            yield Effect("spend", who, "hp", left)
    yield from forced_strain(who, facts.get("drug.strain_after", 0), strain_room(facts, who))


def _crash(it: Attempt, who: str) -> None:
    """The end of Reset: Strain is full, and the save is harder by each point gained since it was taken."""
    if strain_most(it.facts, who) is None:
        it.faults.need(f"{who}.constitution", f"Constitution | {who}.strain_maximum")
    gained = max(0, it.facts.get(f"{who}.system_strain", 0) - it.facts.get(f"{who}.permanent_strain", 0))
    it.shown["penalty"] = -gained
    since = [Entry("gained", "System Strain gained since", gained)] if gained else []
    saves.number_of_save(it, who, saves.PHYSICAL, *since)


class Crash(Waiting, kind="cwn.reset-crash"):
    """Waits for the save as Reset wears off.

    Attributes:
        who: the record of the one who took it.
        target: of the save, the penalty in it.
        penalty: points that lower the total.
        fill: points of Strain up to the most.
        hp: hit points now; None when the request did not say.
        again: the second save, upon a total of 1 or less.
    """

    who: str
    target: int
    penalty: int
    fill: int
    hp: int | None
    again: bool
    awaits = rolls(or_again("save"), lambda self: self.who, lambda self: Total(((1, 20),)))

    def advance(self, answer: Any) -> Stage:
        saved = answer >= saves.least_face(self.target)
        if self.again:
            return self._ended(MORTALLY_WOUNDED if saved else DEAD)
        if not saved and answer - self.penalty <= BELOW:
            return self._replace(again=True)
        return self._ended("saved" if saved else MORTALLY_WOUNDED)

    def _ended(self, result: str) -> Stage:
        effects = [Effect("remove-condition", self.who, "on-reset")]
        if self.fill:
            effects.append(Effect("gain", self.who, STRAIN, self.fill))
        kept = 1 if result == "saved" else 0
        if self.hp is not None and self.hp > kept:
            effects.append(Effect("mark", self.who, "hp", self.hp - kept))
        if result == MORTALLY_WOUNDED:
            effects.append(lasting(self.who, result, "round", 6, ("from", "next")))
        elif result == DEAD:
            effects.append(Effect("add-condition", self.who, DEAD))
        return _end(RESET, result, effects)


class Applied(Part, kind="cwn.applied"):
    """An effect as a stage holds it."""

    type: str
    who: str
    what: str
    amount: int | None
    detail: tuple[tuple[str, Fact], ...]


def _end(drug: str, result: str, effects: Iterable[Effect]) -> Stage:
    return DoseEnd(drug, result, tuple(Applied(*effect) for effect in effects))


class DoseEnd(Outcome, kind="cwn.dose-end"):
    """What came of a dose: ``taken``, ``worn-off``, or how Reset's save ended; `found`: its effects."""

    drug: str
    result: str
    found: tuple[Applied, ...]

    def notes(self) -> Facts:
        strained = (one for one in self.found if one.what == STRAIN)
        strain = sum((one.amount or 0) * (1 if one.type == "gain" else -1) for one in strained)
        return {"drug": self.drug, "result": self.result, "system_strain": strain}

    def effects(self) -> tuple[Effect, ...]:
        return tuple(Effect(*one[:5]) for one in self.found)
