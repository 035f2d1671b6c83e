"""What follows from a sheet, whichever side it is on: rulebook sections 8.1, 8.2, 8.5, 8.6 and 11.6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.required import require
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.harms.armor import encumbrance
from fracas.rulesets.sr5.harms.monitors import physical_limit, wound_modifier
from fracas.rulesets.sr5.words import ARMOR_MODS

Facts = Mapping[str, Any]


def derive_side(facts: dict[str, Any], who: str) -> None:
    """Add wounds, encumbrance and the Physical limit of one side. What is unknown is absent."""
    for name, value in (
        ("wound_modifier", wound_modifier(facts, who)),
        ("encumbrance", encumbrance(facts, who)),
        ("physical_limit", physical_limit(facts, who)),
    ):
        if value is not None:
            facts[f"{who}.{name}"] = value


def derive_protection(facts: dict[str, Any], who: str) -> None:
    """Add the rating of each armor mod, where anything is said of them."""
    mods = facts.get(f"{who}.armor_mods")
    if mods is not None:
        for name in ARMOR_MODS:
            facts[f"{who}.{name.replace('-', '_')}"] = mods.get(name, 0)


def attribute_entries(facts: Facts, who: str, names: Sequence[str], instead: str = "") -> list[Entry]:
    """The attributes that make up a pool; `instead` names the field that may take their place.

    Raises:
        InputError: one is not said.
    """
    other = f", or {instead} in place of {' + '.join(names)}" if instead else ""
    require(facts, ((f"{who}.{name}", f"{name.capitalize()}{other}") for name in names))
    return [Entry(name, name.capitalize(), facts[f"{who}.{name}"]) for name in names]


def pool_entries(
    facts: Facts, who: str, attributes: Sequence[str], skill: str = "", *, defaults: bool = True
) -> list[Entry]:
    """The dice of a test before modifiers: a pool given, or attributes and a skill.

    Args:
        skill: "" for none.
        defaults: a die is lost without the skill, by a line of its own; otherwise a modifier of the packs says it.

    Raises:
        InputError: the request says neither.
    """
    if f"{who}.pool" in facts:
        return [Entry("pool", "Pool given", facts[f"{who}.pool"])]
    instead = f"{who}.pool"
    entries = attribute_entries(facts, who, attributes, instead)
    if not skill:
        return entries
    label = skill.replace("-", " ").capitalize()
    require(facts, [(f"{who}.skills", f"the skill ratings, or {instead} in their place")])
    rating = facts[f"{who}.skills"].get(skill, 0)
    if rating:
        return [*entries, Entry("skill", label, rating)]
    return [*entries, Entry("default", f"Defaulting on {label}", -1)] if defaults else entries
