"""What a request may say of a spell, what follows from it, and the numbers before modifiers.

Rulebook sections 9.1 (touching), 10.1, 10.3, 11.8 and 16.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.fields import choice, entries, fields, flag, number, person, text, vocabulary, whole
from fracas.kernel.procedures import chance, mean
from fracas.kernel.required import has_record, lacks, require
from fracas.kernel.ruleset import Asked
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Catalog, Field, Record
from fracas.rulesets.sr4.ranged.blast_facts import VICTIMS
from fracas.rulesets.sr4.sheet import (
    SPECIALIZATION,
    by_rule,
    derive_losses,
    pool_given,
    skill_entries,
)
from fracas.rulesets.sr4.vocabulary import ATTRIBUTES, burning_edge, combatant_fields, named

CASTER = "caster"
PEOPLE = ("target", *VICTIMS)
"""The records of those whom a spell is cast on."""

DRAIN_ATTRIBUTES = ("logic", "charisma", "intuition", "willpower", "magic", "body")
DIRECT, INDIRECT = "direct", "indirect"
REFLEXES, ARMOR, SENSE, HEAL = "reflexes", "armor", "combat-sense", "heal"
ATTRIBUTE, BARRIER, MANA_BARRIER = "attribute", "barrier", "mana-barrier"
DOES = (REFLEXES, ARMOR, SENSE, HEAL, ATTRIBUTE, BARRIER, MANA_BARRIER)
"""What spells do that are no attacks, as the packs name it."""

RAISED_ATTRIBUTE = fields(
    "",
    attribute=choice(
        "Attribute that is raised",
        "By a spell that raises one.",
        choices=tuple(name for name in ATTRIBUTES if name not in ("edge", "magic")),
    ),
)
FOCI = ("spellcasting", "counterspelling", "summoning", "banishing", "power")
"""Kinds of foci that add dice; a power focus adds them to all that the others do."""


def focus_fields(who: str, *kinds: str) -> Iterator[Field]:
    """What a sheet says of foci of these kinds."""
    for kind in kinds:
        label = f"{kind.capitalize()} focus"
        yield Field(f"{who}.{kind}_focus", "whole", label, "Its Force, which it adds in dice.", most=20)
    doc = "The foci are active; of several that could add to one test the strongest does."
    yield from fields(who, focus_active=flag("Active foci", doc))


def _subject(who: str) -> Iterator[Field]:
    yield from combatant_fields(who)
    yield from fields(
        who,
        pool=whole(
            "Resistance or defense pool", "Dice before modifiers, in place of the attribute.", most=60
        ),
        counterspelling=whole(
            "Counterspelling",
            "Dice of a magician who protects: on the test against a direct spell, or on resisting "
            "the damage of others.",
            most=40,
            example=4,
        ),
        unaware=flag("Unaware or surprised", "No defense at all; magic is resisted anyway."),
        full_defense=choice("Full defense", choices=("none", "dodge", "gymnastics")),
        defenses_made=whole("Defenses made", "Since the target's own last action.", most=50),
        prone=flag("Prone"),
        spell_barrier=whole("Barrier of magic", "Armor of a Physical Barrier before it.", most=50),
        mana_barrier=whole(
            "Mana Barrier", "Hits of the spell: dice against what Willpower opposes.", most=50
        ),
        soak_bonus=whole("Resistance bonus", "Dice of Toughness, bone lacing and the like.", most=50),
        center_distance=number(
            "Distance from the center",
            "Metres, of a spell that strikes an area; in reach if left out.",
            most=10_000,
            example=2,
        ),
    )


DRAIN_FIELDS = (
    *fields(
        "caster",
        tradition=choice(
            "Tradition",
            "Which attribute resists drain; other traditions say drain_attribute.",
            choices=("hermetic", "shamanic"),
        ),
        drain_attribute=choice(
            "Attribute against drain",
            "Beside Willpower, in place of the tradition's.",
            choices=DRAIN_ATTRIBUTES,
        ),
        drain_pool=whole("Drain pool", "Dice before modifiers, in place of the attributes.", most=60),
    ),
)
"""What gives a caster dice against drain."""

_CASTER_FIELDS = (
    burning_edge("caster"),
    *fields(
        "caster",
        pool=whole("Spellcasting pool", "Dice before modifiers, in place of Magic and skill.", most=60),
        specialized=flag("Specialized", "The specialization covers this spell."),
    ),
    *DRAIN_FIELDS,
    *fields(
        "caster",
        touch_pool=whole(
            "Pool to touch", "Dice before modifiers, in place of Agility + Unarmed Combat.", most=60
        ),
        sorcery=whole("Spellcasting", "Rating of the skill.", derived_from="caster.skills"),
    ),
    *focus_fields("caster", "spellcasting", "power"),
    *fields(
        "caster",
        powers=entries(
            "Spells and powers",
            "Those that the caster has; in a fight nobody casts another.",
            entry_kind="power",
            example=["manabolt"],
        ),
    ),
)

_SPELL_FIELDS = (
    *fields(
        "spell",
        name=text("Name", most=80),
        type=choice("Type", choices=("spell", "adept")),
        drain=whole("Drain", "Added to half the Force, rounded down.", least=-20, most=20, example=-1),
        drain_basis=choice(
            "Basis of the drain",
            "Half the Force, or the boxes that are there to heal.",
            choices=("force", "damage"),
        ),
        attack=choice("Attack", "None for other spells.", choices=(DIRECT, INDIRECT)),
        resist=choice("Attribute against it", choices=("body", "willpower")),
        damage=choice("Damage kind", choices=("physical", "stun")),
        element=choice("Element", choices=("acid", "electricity", "fire")),
        touch=flag("Touch", "The caster must touch the target."),
        area=flag("Area", "Everybody within as many metres as its Force."),
        sustained=flag("Sustained"),
        does=choice("What it does", choices=DOES),
        threshold=whole("Threshold", "Hits that a spell takes which is no attack.", most=20),
        overcast=flag("Overcast", "More Force than Magic: drain is Physical.", derived_from="force"),
        most_force=whole("Greatest Force", "Twice the Magic.", derived_from="caster.magic"),
        least_force=whole(
            "Least Force", "Of a spell that raises an attribute: what this is now.", derived_from="attribute"
        ),
    ),
)

CAST_SPELL = vocabulary(
    person("caster", "Caster"),
    person("target", "Target", "Left out: the caster, or nobody in the area."),
    *(
        person(who, f"Victim {number}", "Somebody else in the area of the spell.")
        for number, who in enumerate(VICTIMS, start=1)
    ),
    Record("spell", "Spell", "power", "A spell of the packs, or fields of one, or both."),
    combatant_fields("caster"),
    _CASTER_FIELDS,
    (field for who in PEOPLE for field in _subject(who)),
    fields(
        "target",
        object_resistance=whole(
            "Object resistance",
            "Of a thing: 1 natural, 2 low-tech, 4 high-tech, 6 and more complex; no test, net hits must exceed it.",
            most=40,
        ),
    ),
    _SPELL_FIELDS,
    RAISED_ATTRIBUTE,
    fields(
        "",
        force=whole("Force", "1 to twice the Magic.", least=1, most=50, example=5),
        touched=flag("Touched already", "No attack to touch is needed: willing, held, or touched before."),
        distance=number("Distance", "Metres.", most=10_000, example=12),
    ),
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
        number_of(to, who): label if who == "target" else f"{named(who)}: {label.lower()}"
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
