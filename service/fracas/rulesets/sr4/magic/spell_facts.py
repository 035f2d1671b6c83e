"""What follows from the situation of a spell before any modifier is judged: rulebook sections 10.1 and 16.

The numbers of a spell: what they are called, and what they are made of before modifiers.

Rulebook sections 9.1 (touching), 10.1, 10.3 and 16.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.procedures import chance, mean
from fracas.kernel.required import has_record, lacks, require
from fracas.kernel.ruleset import Asked
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr4.magic.spell_vocabulary import ATTRIBUTE, CASTER, DIRECT, HEAL, PEOPLE
from fracas.rulesets.sr4.sheet import (
    SPECIALIZATION,
    by_rule,
    derive_losses,
    pool_given,
    skill_entries,
)

MOST_FORCE = 2
"""Times Magic."""


def derive(asked: Asked) -> dict[str, Any]:
    """The facts said, and those that follow from them. What cannot be told is absent.

    Raises:
        InputError: the request lacks something that the rule cannot do without.
    """
    facts = dict(asked.said.facts)
    if not is_attack(facts) and not said_of(facts, ("target",)):  # a spell on oneself
        facts |= {f"target.{name}": value for name, value in of(facts, CASTER)}
    facts.setdefault("spell.area", False)
    facts.setdefault("spell.touch", False)
    _require(facts, asked.said.facts, asked.catalog)
    facts["spell.most_force"] = MOST_FORCE * facts["caster.magic"]
    facts["spell.overcast"] = facts["force"] > facts["caster.magic"]
    raised = f"target.{facts.get('attribute', '')}"
    if facts.get("spell.does") == ATTRIBUTE and raised in facts:
        facts["spell.least_force"] = facts[raised]
    skills = facts.get("caster.skills")
    if skills is not None:
        facts["caster.sorcery"] = skills.get("spellcasting", 0)
    derive_losses(facts, asked.options, CASTER, *people_of(facts))
    return facts


def is_attack(facts: Mapping[str, Any]) -> bool:
    return "spell.attack" in facts


def has_to_touch(facts: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    """Somebody else has to be touched, and is not yet."""
    return bool(facts["spell.touch"]) and not facts.get("touched") and bool(said_of(said, PEOPLE[:1]))


def of(facts: Mapping[str, Any], who: str) -> list[tuple[str, Any]]:
    """The facts of somebody, by name."""
    start = f"{who}."
    return [(path.removeprefix(start), value) for path, value in facts.items() if path.startswith(start)]


def said_of(facts: Mapping[str, Any], people: Iterable[str] = PEOPLE) -> tuple[str, ...]:
    """Those of whom anything is said."""
    return tuple(who for who in people if has_record(facts, who))


def people_of(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Those whom the spell concerns: without an area, the target alone."""
    return said_of(facts, PEOPLE if facts["spell.area"] else PEOPLE[:1])


def seen_by(facts: Mapping[str, Any], who: str) -> dict[str, Any]:
    """The facts as if somebody were the target, so that what counts for the target counts for everybody reached."""
    seen = {path: value for path, value in facts.items() if path.partition(".")[0] not in PEOPLE}
    return seen | {f"target.{name}": value for name, value in of(facts, who)}


def drain_attribute(facts: Mapping[str, Any], catalog: Catalog) -> str:
    """The attribute beside Willpower: the one said, or that of the tradition by the packs; "" where nothing is said."""
    said: str = facts.get("caster.drain_attribute", "")
    tradition = facts.get("caster.tradition")
    if said or tradition is None:
        return said
    return str(row_of(catalog, "traditions", tradition)["attribute"])


Needed = list[tuple[str, str]]


def _require(facts: Mapping[str, Any], said: Mapping[str, Any], catalog: Catalog) -> None:
    """Complain of everything that is missing, at once."""
    needed: Needed = [
        ("force", "the Force that the caster chooses"),
        ("caster.magic", "Magic of the caster"),
        ("spell.drain", "what the spell adds to the drain"),
    ]
    if "caster.pool" not in facts:
        needed.append(("caster.skills", "the skill ratings of the caster | caster.pool"))
    needed += missing_of_drain(facts, catalog)
    if has_to_touch(facts, said) and "caster.touch_pool" not in facts:
        needed.append(("caster.agility", "Agility of the caster, who has to touch | caster.touch_pool"))
    if is_attack(facts):
        needed += _of_attack(facts)
    healing = not is_attack(facts) and facts.get("spell.does") == HEAL
    if healing or facts.get("spell.drain_basis") == "damage":
        needed.append(("target.physical", "the Physical boxes of the target"))
    require(facts, needed)


def _of_attack(facts: Mapping[str, Any]) -> Needed:
    needed: Needed = []
    direct = facts["spell.attack"] == DIRECT
    if direct:
        needed.append(("spell.resist", "the attribute that opposes a direct spell"))
    if facts.get("spell.element") != "electricity":
        needed.append(("spell.damage", "physical or stun"))
    people = people_of(facts)
    if not people and not facts["spell.area"]:
        needed.append(("target", "the target of the spell"))
    for who in people:
        if direct:
            needed += _against_direct(facts, who)
        else:
            needed += _against_indirect(facts, who)
    return needed


def _against_direct(facts: Mapping[str, Any], who: str) -> Needed:
    resist = facts.get("spell.resist", "body")
    if "target.object_resistance" in facts and who == "target":
        if resist != "body":
            raise InputError.one(
                "situation.target.object_resistance", "no-object", "a spell against Willpower harms no thing"
            )
        return []
    if f"{who}.pool" in facts:
        return []
    return [(f"{who}.{resist}", f"{resist.capitalize()} of the target, or {who}.pool in its place")]


def _against_indirect(facts: Mapping[str, Any], who: str) -> Needed:
    needed: Needed = [(f"{who}.body", "Body of the target")]
    if not facts.get(f"{who}.unaware") and f"{who}.pool" not in facts:
        needed.append((f"{who}.reaction", f"Reaction of the target, or {who}.pool in its place"))
    if facts.get("spell.element") == "electricity" and not facts.get(f"{who}.vehicle"):
        needed.append((f"{who}.willpower", "Willpower of the target, for the after-effect of electricity"))
    return needed


TOUCHING = 2
"""Dice for an attack that only has to touch."""

TOUCH, AVOID, CASTING = "touch.pool", "touch-defense.pool", "spell.pool"
DRAIN, AGAINST_DRAIN = "drain.value", "drain.pool"
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
    TOUCH: "Pool to touch",
    AVOID: "Defense against being touched",
    CASTING: "Spellcasting pool",
    DRAIN: "Drain before net hits",
    AGAINST_DRAIN: "Drain resistance pool",
    **{
        number_of(to, who): label
        if who == "target"
        else f"{who.replace('_', ' ').capitalize()}: {label.lower()}"
        for to, label in _OF_SUBJECTS.items()
        for who in PEOPLE
    },
}

OWNERS = dict.fromkeys((AVOID, *_OF_SUBJECTS), "target")
"""Whose numbers those are that are not the caster's."""

OF_DRAIN = (
    mean("drain_damage", "Expected boxes of drain", "drain"),
    chance("drain_unconscious", "Chance that drain takes the caster out", "spent"),
)


def may_avoid(who: str, numbers: Collection[str]) -> bool:
    """Whether somebody can avoid the spell whose numbers these are, or being touched for it: nobody dodges a direct
    spell."""
    return number_of(DEFENSE, who) in numbers or (who == "target" and AVOID in numbers)


def touch_base(facts: Mapping[str, Any]) -> list[Entry]:
    base = pool_given(facts, "caster.touch_pool") or [
        Entry("agility", "Agility", facts["caster.agility"]),
        *skill_entries(facts.get("caster.skills", {}), "unarmed-combat"),
    ]
    return [*base, *by_rule("touching", "Only touching", TOUCHING)]


def avoid_base(facts: Mapping[str, Any]) -> list[Entry]:
    """Dodge or block, whichever has more dice; on full defense Dodge or Gymnastics besides."""
    if "target.reaction" not in facts:
        raise lacks(
            "target.reaction", "Reaction of the target, who may avoid being touched; or touched: true"
        )
    skills = facts.get("target.skills", {})
    best = max(("dodge", "unarmed-combat"), key=lambda skill: int(skills.get(skill, 0)))
    entries = [Entry("reaction", "Reaction", facts["target.reaction"]), *skill_entries(skills, best)]
    full = facts.get("target.full_defense", "none")
    if full != "none":
        entries.append(Entry("full-defense", f"Full defense: {full.capitalize()}", skills.get(full, 0)))
    return entries


def cast_base(facts: Mapping[str, Any]) -> list[Entry]:
    return magic_base(facts, "Spellcasting", "caster.sorcery")


def magic_base(facts: Mapping[str, Any], label: str, rating: str) -> list[Entry]:
    """Magic and a skill, which nobody defaults on; `rating`: the fact of its rating."""
    return pool_given(facts, "caster.pool") or [
        Entry("magic", "Magic", facts["caster.magic"]),
        Entry("skill", label, facts[rating]),
        *(SPECIALIZATION if facts.get("caster.specialized") else ()),
    ]


def drain_value(facts: Mapping[str, Any]) -> list[Entry]:
    """Half the Force, or the boxes that are there to heal, and what the spell adds."""
    if facts.get("spell.drain_basis") == "damage":
        basis = Entry("damage", "Boxes to heal", facts["target.physical"])
    else:
        basis = Entry("force", "Half the Force, rounded down", facts["force"] // 2)
    return [basis, Entry("spell", facts.get("spell.name", "Spell"), facts["spell.drain"])]


def drain_base(facts: Mapping[str, Any], catalog: Catalog) -> list[Entry]:
    return pool_given(facts, "caster.drain_pool") or [
        Entry(name, name.capitalize(), facts[f"caster.{name}"])
        for name in dict.fromkeys(("willpower", drain_attribute(facts, catalog)))
    ]


def missing_of_drain(facts: Mapping[str, Any], catalog: Catalog) -> Needed:
    """What the resistance to drain lacks."""
    if "caster.drain_pool" in facts:
        return []
    second = drain_attribute(facts, catalog)
    return [
        ("caster.willpower", "Willpower of the caster | caster.drain_pool"),
        (f"caster.{second}", f"{second.capitalize()} of the caster | caster.drain_pool")
        if second
        else ("caster.tradition", "the tradition of the caster | caster.drain_attribute"),
    ]
