"""Those aboard a vehicle: what a request may say of them, and what a wreck or a crash finds (rulebook section 13.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import fields, flag, person
from fracas.kernel.required import has_record
from fracas.kernel.stage import Shared, share
from fracas.kernel.vocabulary import Field
from fracas.rulesets.cwn.areas.area_stages import HALF, Area
from fracas.rulesets.cwn.areas.area_vocabulary import VICTIMS
from fracas.rulesets.cwn.attacks.attack_vocabulary import target_fields

VEHICLE = "vehicle"
OCCUPANTS = VICTIMS
"""The records of those aboard; of more people, the rest come in another step."""
UNDER_WAY = "under-way"
"""The condition of a vehicle that somebody has in motion."""

VEHICLE_RECORD = person(VEHICLE, "Vehicle")
OCCUPANT_RECORDS = tuple(
    person(who, f"Occupant {number}", "Somebody aboard.", optional=True)
    for number, who in enumerate(OCCUPANTS, start=1)
)


def hp_maximum(who: str) -> Field:
    """The field of somebody's hit points when whole."""
    doc = "Left out: the hit points left."
    return Field(f"{who}.hp_maximum", "whole", "Hit points when whole", doc, 1, 1000)


def occupant_fields() -> Iterator[Field]:
    for who in OCCUPANTS:
        yield from target_fields(who)
        yield hp_maximum(who)
        yield from fields(who, drives=flag("At the wheel", "Left out: is not."))


def occupants(facts: Mapping[str, Any]) -> list[str]:
    """The records of everybody aboard of whom something is said."""
    return [who for who in OCCUPANTS if has_record(facts, who)]


def flat_damage(
    points: int, on_save: str = HALF, *, round_up: bool = False, soakable: bool = True
) -> Shared[Area]:
    """What strikes several people with damage that is settled before: nothing is rolled for it."""
    return share(Area(((0, 1),), points, True, False, on_save, round_up, soakable, None))
