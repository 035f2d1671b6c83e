"""Barriers: what lies between a shot and its target, or is itself shot at (rulebook section 11.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.errors import InputError, suggestion
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr4.harms.armor import half, penetrated
from fracas.rulesets.sr4.ranged.barrier_vocabulary import RATING
from fracas.rulesets.sr4.ranged.ranged_facts import Damage

MATERIALS = "barriers"
"""The table of the packs whose rows are the materials."""


def find_barrier(facts: dict[str, Any], catalog: Catalog) -> None:
    """Put the numbers of the material where none are given.

    Raises:
        InputError: the packs have no such material.
    """
    material = facts.get("barrier.material")
    if material is None:
        return
    table = catalog.entry("table", MATERIALS)
    rows: Mapping[str, Mapping[str, Any]] = table.data["rows"] if table is not None else {}
    row = rows.get(material)
    if row is None:
        message = f"no barrier is made of {material!r}"
        raise InputError.one(
            "situation.barrier.material", "unknown-entry", message, suggestion(material, rows)
        )
    for name in ("armor", "structure"):
        facts.setdefault(f"barrier.{name}", row[name])


def barrier_base(facts: Mapping[str, Any], damage: Damage, options: Mapping[str, Any]) -> list[Entry]:
    """The armor of the barrier, and what the attack takes off it."""
    label = str(facts.get("barrier.material", "barrier")).replace("-", " ").capitalize()
    return penetrated([Entry("barrier", label, facts["barrier.armor"])], damage, options, avoided=False)


def sheltered(
    entries: Sequence[Entry], facts: Mapping[str, Any], damage: Damage, options: Mapping[str, Any]
) -> list[Entry]:
    """The armor of a target behind a barrier: that of the barrier is added.

    Armor penetration counts once: where it found nothing of the target's own to work on, the barrier counts as it is
    after penetration.
    """
    if RATING not in facts:
        return list(entries)
    counted = any(entry.id.startswith("ap-") and entry.verdict == "applied" for entry in entries)
    whole = facts["barrier.armor"]
    share = half(whole, options) if damage.halves else whole
    value = share if counted else facts[RATING]
    return [*entries, Entry("barrier", "Armor of the barrier", value, origin="rule")]
