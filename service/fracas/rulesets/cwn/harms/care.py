"""What all care has in common: the patient, the healer, and System Strain (rulebook sections 1.6, 9.2, 9.4).

The most Strain is the Constitution score. What a combatant chooses and cannot bear does not work; what is forced beyond
the most knocks out for an hour at least.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import Declared, fields, flag, whole
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, lasting
from fracas.kernel.vocabulary import Field
from fracas.rulesets.cwn.checks.skill_check import UNTRAINED, check_fields
from fracas.rulesets.cwn.harms.harm import FULL_BODY
from fracas.rulesets.cwn.vocabulary import (
    CONSTITUTION,
    FOCUS_LEVELS,
    FRAIL,
    HP_LEFT,
    NAME,
    implants,
    trauma_sources,
)

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
        constitution=CONSTITUTION,
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
    """The facts with the room for Strain, if it is reported; of healing, points of the implant that pays for it
    count."""
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
    """Strain that comes whether a combatant wants it or not; beyond the most they lose consciousness.

    Args:
        room: points that they can bear; None where it is not known.
    """
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
            hp=HP_LEFT,
            hp_maximum=whole("Hit points when whole", "Left out: healing is not limited.", 1, 1000),
            frail=FRAIL,
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
    """The facts of an attempt with what follows from them, and the record of the patient.

    The level of Heal and of the focus, what the patient is made of, and the room for Strain, as far as it is reported.
    """
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
