"""The armor that is left of what the target wears: rulebook sections 8.10, 11.1 and 11.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.required import lacks
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.ranged.ranged_facts import Damage
from fracas.rulesets.sr4.sheet import armor_entries


def worn_armor(facts: Mapping[str, Any], kind: str) -> list[Entry]:
    """The parts of the target's armor of one kind.

    Raises:
        InputError: nothing is said of the target's armor.
    """
    if facts.get("target.vehicle"):
        return _of_vehicle(facts)
    entries = armor_entries(facts, "target", kind)
    if entries is None:
        raise lacks("target.armor", f"the target's armor: a list of pieces (empty for none) or {kind}")
    return entries


def _of_vehicle(facts: Mapping[str, Any]) -> list[Entry]:
    """A vehicle has one armor rating, whatever strikes it."""
    if "target.vehicle_armor" not in facts:
        raise lacks("target.vehicle_armor", "the armor of the vehicle, 0 for none")
    return [Entry("vehicle-armor", "Armor of the vehicle", facts["target.vehicle_armor"])]


def protection(facts: Mapping[str, Any], who: str, element: str) -> list[Entry]:
    """What somebody has on against an element: it counts in full, beside half the armor (sections 11.6 and 13)."""
    rating = facts.get(f"{who}.resistances", {}).get(element)
    return [Entry(f"against-{element}", f"Protection from {element}", rating)] if rating else []


def rating_of(entries: Sequence[Entry]) -> int:
    return sum(entry.value or 0 for entry in entries)


def penetrated(
    worn: Sequence[Entry],
    damage: Damage,
    options: Mapping[str, Any],
    *,
    avoided: bool,
    against: Sequence[Entry] = (),
) -> list[Entry]:
    """The armor with what the attack does to it: avoided altogether, or halved where it does so, and penetrated.

    `against`: what protects from the element of the damage, see `protection`.
    """
    entries, rating = list(worn), rating_of(worn)
    if avoided:
        return [*entries, Entry("called-shot", "Called shot at an unarmored spot", -rating, origin="rule")]
    if damage.halves:
        lost = rating - half(rating, options)
        entries.append(Entry("half", "Armor halved", -lost, origin="rule"))
    entries += against
    penetration = sum(points for _, _, points, _ in damage.ap_parts)
    for id, label, points, source in damage.ap_parts:
        if not points:
            continue
        entry = Entry(f"ap-{id}", f"AP of {label}", points, origin="rule", source=source)
        if penetration > 0 and rating == 0 and options["ap_positive_needs_armor"]:
            entry = entry._replace(verdict="failed", reason="there is no armor to raise")
        entries.append(entry)
    return entries


def half(rating: int, options: Mapping[str, Any]) -> int:
    """Half of an armor rating, rounded as the house rule says."""
    return -(-rating // 2) if options["half_armor_round"] == "up" else rating // 2
