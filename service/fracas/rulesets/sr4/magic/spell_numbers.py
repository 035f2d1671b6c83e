"""The numbers of a spell: what they are called, and what they are made of before modifiers.

Rulebook sections 9.1 (touching), 10.1, 10.3 and 16.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr4.magic.spell_facts import drain_attribute
from fracas.rulesets.sr4.magic.spell_vocabulary import CASTER, PEOPLE
from fracas.rulesets.sr4.sheet import FLOOR

TOUCHING = 2
"""Dice for an attack that only has to touch."""

OPPOSITION, DEFENSE = "spell-opposition.pool", "spell-defense.pool"
SPELL_ARMOR, SOAK = "spell-armor.rating", "spell-soak.pool"
_OF_SUBJECTS = {
    OPPOSITION: "Resistance to the spell",
    DEFENSE: "Defense pool",
    SPELL_ARMOR: "Armor after penetration",
    SOAK: "Damage resistance pool",
}


def number_of(to: str, who: str) -> str:
    """The name of a number of somebody in the area."""
    return to if who == "target" else f"{who}.{to}"


TARGETS = {
    "touch.pool": "Pool to touch",
    "touch-defense.pool": "Defense against being touched",
    "spell.pool": "Spellcasting pool",
    "drain.value": "Drain before net hits",
    "drain.pool": "Drain resistance pool",
    **{
        number_of(to, who): label
        if who == "target"
        else f"{who.replace('_', ' ').capitalize()}: {label.lower()}"
        for to, label in _OF_SUBJECTS.items()
        for who in PEOPLE
    },
}

SPELL_OWNERS = {
    "touch.pool": CASTER,
    "touch-defense.pool": "target",
    "spell.pool": CASTER,
    "drain.value": CASTER,
    "drain.pool": CASTER,
    **{number_of(to, who): who for to in _OF_SUBJECTS for who in PEOPLE},
}
"""Whose number each is, as a record."""


class Numbers:
    """Makes the tallies of one attempt, and keeps them in order.

    What the packs say of the numbers of the target counts for those of everybody in the area, each seen as the target.
    """

    def __init__(self, asked: Asked, facts: Mapping[str, Any]) -> None:
        self._asked = asked
        self._facts = facts
        self.made: list[Tally] = []

    def __call__(
        self,
        to: str,
        base: list[Entry],
        who: str = "target",
        facts: Mapping[str, Any] | None = None,
        least: int | None = 0,
    ) -> Tally:
        asked, rules, name = self._asked, self._asked.rules, number_of(to, who)
        if name != to:
            own = (*rules.by_target.get(to, ()), *rules.by_target.get(name, ()))
            rules = rules._replace(by_target={name: own})
        tally = rules.tally(name, TARGETS[name], base, self._facts if facts is None else facts, asked.hand)
        if least is not None:
            tally = tally.at_least(least, FLOOR)
        self.made.append(tally)
        return tally


def may_avoid(who: str, numbers: Collection[str]) -> bool:
    """Whether somebody can avoid the spell whose numbers these are, or being touched for it: nobody dodges a direct
    spell."""
    return number_of(DEFENSE, who) in numbers or (who == "target" and "touch-defense.pool" in numbers)


def _skilled(facts: Mapping[str, Any], who: str, skill: str) -> list[Entry]:
    """The skill, or what defaulting costs."""
    rating, label = facts.get(f"{who}.skills", {}).get(skill, 0), skill.replace("-", " ").capitalize()
    return [Entry("skill", label, rating)] if rating else [Entry("default", f"Defaulting on {label}", -1)]


def touch_base(facts: Mapping[str, Any]) -> list[Entry]:
    bonus = Entry("touching", "Only touching", TOUCHING, origin="rule")
    if "caster.touch_pool" in facts:
        return [Entry("pool", "Pool given", facts["caster.touch_pool"]), bonus]
    agility = Entry("agility", "Agility", facts["caster.agility"])
    return [agility, *_skilled(facts, CASTER, "unarmed-combat"), bonus]


def avoid_base(facts: Mapping[str, Any]) -> list[Entry]:
    """Dodge or block, whichever has more dice; on full defense Dodge or Gymnastics besides."""
    if "target.reaction" not in facts:
        raise lacks(
            "target.reaction", "Reaction of the target, who may avoid being touched; or touched: true"
        )
    skills = facts.get("target.skills", {})
    best = max(("dodge", "unarmed-combat"), key=lambda skill: int(skills.get(skill, 0)))
    entries = [Entry("reaction", "Reaction", facts["target.reaction"]), *_skilled(facts, "target", best)]
    full = facts.get("target.full_defense", "none")
    if full != "none":
        entries.append(Entry("full-defense", f"Full defense: {full.capitalize()}", skills.get(full, 0)))
    return entries


def cast_base(facts: Mapping[str, Any]) -> list[Entry]:
    if "caster.pool" in facts:
        return [Entry("pool", "Pool given", facts["caster.pool"])]
    entries = [
        Entry("magic", "Magic", facts["caster.magic"]),
        Entry("skill", "Spellcasting", facts["caster.sorcery"]),
    ]
    if facts.get("caster.specialized"):
        entries.append(Entry("specialization", "Specialization", 2))
    return entries


def drain_value(facts: Mapping[str, Any]) -> list[Entry]:
    """Half the Force, or the boxes that are there to heal, and what the spell adds."""
    if facts.get("spell.drain_basis") == "damage":
        basis = Entry("damage", "Boxes to heal", facts["target.physical"])
    else:
        basis = Entry("force", "Half the Force, rounded down", facts["force"] // 2)
    return [basis, Entry("spell", facts.get("spell.name", "Spell"), facts["spell.drain"])]


def drain_base(facts: Mapping[str, Any], catalog: Catalog) -> list[Entry]:
    if "caster.drain_pool" in facts:
        return [Entry("pool", "Pool given", facts["caster.drain_pool"])]
    second = drain_attribute(facts, catalog)
    return [
        Entry(name, name.capitalize(), facts[f"caster.{name}"])
        for name in dict.fromkeys(("willpower", second))
    ]
