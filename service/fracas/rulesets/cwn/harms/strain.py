"""System Strain: how much of it somebody bears, and what a use costs (rulebook section 1.6).

The most is the Constitution score. What somebody chooses and cannot bear does not work; what is forced beyond the most
knocks out for an hour at least.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import fields, whole
from fracas.kernel.stage import Effect
from fracas.kernel.vocabulary import Field
from fracas.rulesets.cwn.harms.harm import lasting

STRAIN = "system-strain"
UNCONSCIOUS = "unconscious"
OVERLOAD_HOURS = 1


def strain_fields(who: str) -> tuple[Field, ...]:
    """What tells how much Strain somebody bears."""
    return fields(
        who,
        system_strain=whole("System Strain", "Points, rounded up, that of implants among them.", most=100),
        permanent_strain=whole(
            "Permanent System Strain",
            "Of implants, rounded up; it never falls below. Left out: none.",
            most=100,
        ),
        constitution=whole("Constitution", "Score. It is also the most System Strain that one bears.", 1, 30),
        strain_maximum=whole(
            "Most System Strain", "In place of the Constitution, as Full Body Conversion has it.", 1, 100
        ),
        recovery_points=whole(
            "Recovery Support left", "Points of the implant that pay for the Strain of healing.", most=20
        ),
        strain_room=whole(
            "Room for System Strain",
            "What is left up to the most.",
            -100,
            100,
            derived_from=f"{who}.system_strain",
        ),
    )


def strain_most(facts: Mapping[str, Any], who: str) -> int | None:
    """The most Strain that somebody bears; None where it is not told."""
    most: int | None = facts.get(f"{who}.strain_maximum", facts.get(f"{who}.constitution"))
    return most


def strain_room(facts: Mapping[str, Any], who: str) -> int | None:
    """Points that somebody can still bear; None where the request does not tell."""
    most, had = strain_most(facts, who), facts.get(f"{who}.system_strain")
    return None if most is None or had is None else most - had


def with_room(facts: Mapping[str, Any], who: str, *, healing: bool = False) -> dict[str, Any]:
    """The facts with the room for Strain, if it is told; of healing, points of the implant that pays for it count."""
    room = strain_room(facts, who)
    if room is None:
        return dict(facts)
    return {**facts, f"{who}.strain_room": room + (facts.get(f"{who}.recovery_points", 0) if healing else 0)}


def strain_effects(who: str, points: int, recovery: int = 0) -> Iterator[Effect]:
    """What Strain that somebody chose costs: first the implant's points, if they may pay."""
    paid = min(points, recovery)
    if paid:
        yield Effect("spend", who, "recovery-points", paid)
    if points > paid:
        yield Effect("gain", who, STRAIN, points - paid)


def forced_strain(who: str, points: int, room: int | None) -> Iterator[Effect]:
    """Strain that comes whether somebody wants it or not; beyond the most he loses consciousness.

    Args:
        room: points that he can bear; None where it is not told.
    """
    borne = points if room is None else min(points, max(0, room))
    if borne:
        yield Effect("gain", who, STRAIN, borne)
    if room is not None and points > room:
        yield lasting(who, UNCONSCIOUS, "hour", OVERLOAD_HOURS)
