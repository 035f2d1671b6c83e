"""How combat spells, magicians and drugs are tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import PackEntry

_CASTER = {"magic": 5, "pool": 10, "drain_pool": 8}
_VICTIM = {"pool": 4, "body": 4, "armor_value": 9}
_NUMBERS = {
    "body": 3,
    "agility": 3,
    "reaction": 3,
    "strength": 3,
    "willpower": 3,
    "pain_resistance": 0,
    "limit_bonus": 0,
}


def spell_cast(spell: PackEntry) -> Trial:
    """One target, or of an area two."""
    more = {"target_2": _VICTIM} if spell.data.get("range") == "area" else {}
    situation = {"caster": _CASTER, "target": _VICTIM, "spell": {"use": spell.id}, "force": 5, **more}
    return Trial("cast-spell", situation)


def drugged(drug: PackEntry) -> Trial:
    """A combatant under its influence takes wounds."""
    numbers: dict[str, int] = dict(_NUMBERS)
    changes: list[Mapping[str, int | str]] = drug.data.get("changes", [])
    for change in changes:
        stat = str(change["stat"])
        if stat in numbers and "while" not in change:
            numbers[stat] = max(numbers[stat] + int(change.get("add", 0)), int(change.get("at_least", -20)))
    target = {**numbers, "physical": 4, "stun": 2, "armor": []}
    return Trial("damage-resistance", {"target": target, "damage": {"value": 6}})


def dose_of(drug: PackEntry) -> Trial:
    """A combatant takes it."""
    return Trial("take-drug", {"taker": _NUMBERS, "drug": {"use": drug.id}})


def magic_of(magician: PackEntry) -> Iterator[Trial]:
    """What the skills of a magician do."""
    skills = magician.data.get("skills", {}) if "drain_attribute" in magician.data else {}
    caster = {"caster": {"use": magician.id}}
    if "spellcasting" in skills:
        spell = {"form": "direct", "resisted_by": "willpower", "damage": "stun", "drain": -3}
        yield Trial("cast-spell", {**caster, "target": _VICTIM, "spell": spell, "force": 3})
    if "summoning" in skills:
        yield Trial("summon-spirit", {**caster, "force": 1})
    if "banishing" in skills:
        yield Trial("banish-spirit", {**caster, "target": {"force": 3, "services": 2}})
    if "counterspelling" in skills:
        yield Trial("spell-defense", {"protector": {"use": magician.id}})
