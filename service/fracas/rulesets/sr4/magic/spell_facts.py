"""What a request may say of a spell, what follows from it, and the numbers before modifiers.

Rulebook sections 9.1 (touching), 10.1, 10.3, 11.8 and 16.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.fields import choice, fields, flag, metres, person, text, vocabulary, whole
from fracas.kernel.required import facts_of, has_record, require
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup, Field, Record
from fracas.rulesets.sr4 import sheet
from fracas.rulesets.sr4 import vocabulary as common
from fracas.rulesets.sr4.magic import drain
from fracas.rulesets.sr4.magic.workings import ATTRIBUTE, DOES, HEAL
from fracas.rulesets.sr4.ranged.ranged_vocabulary import DISTANCE, VICTIMS

PEOPLE = ("target", *VICTIMS)
"""The records of those that a spell is cast on."""

DIRECT, INDIRECT, WORKS = "direct", "indirect", "works"
"""Ways of spells: two of attacks, and one that is none and that its targets resist."""
_CHANGED = tuple(name for name in common.ATTRIBUTES if name not in ("edge", "magic"))
CHANGED_ATTRIBUTE = choice(
    "Attribute that is changed", "By a spell that raises or lowers one.", choices=_CHANGED
)

_PROTECTS = "Dice of a magician who protects."
_OF_THINGS = (
    "Of a thing: 1 natural, 2 low-tech, 4 high-tech, 6 and more complex; no test, net hits must exceed it."
)


def _subject(who: str) -> Iterator[Field]:
    yield from common.combatant_fields(who)
    yield from fields(
        who,
        pool=common.dice("Resistance or defense pool", "Dice before modifiers, in place of the attribute."),
        counterspelling=whole("Counterspelling", _PROTECTS, most=40, example=4),
        counterspelling_by=text("Protecting magician", "In an area their dice count once.", most=60),
        counterspelling_help=whole("Dice of further magicians", "House rule: teamwork.", most=99),
        unaware=flag("Unaware or surprised", "No defense at all; magic is resisted anyway."),
        full_defense=common.FULL_DEFENSE,
        defenses_made=common.DEFENSES_MADE,
        prone=common.PRONE,
        cover=common.COVER,
        spell_barrier=whole("Barrier of magic", "Armor of a Physical Barrier before it.", most=50),
        mana_barrier=whole("Mana Barrier", "Hits of the spell: dice against what Willpower opposes.", 0, 50),
        spell_resistance=whole("Spell Resistance", "Dice of an adept against spells.", most=20),
        soak_bonus=common.SOAK_BONUS,
        center_distance=metres(
            "Distance from the center", "Of a spell that strikes an area; in reach if left out.", example=2
        ),
    )


SPELL_DRAIN = whole("Drain", "Added to half the Force, rounded down.", least=-20, most=20, example=-1)
SUSTAINED = flag("Sustained", "It lasts while the caster keeps it up, at a cost in dice.")
EFFECT = choice("What it does", choices=tuple(DOES))
CAST_SPELL = vocabulary(
    person("caster", "Caster"),
    person("target", "Target", "Left out: the caster, or nobody in the area."),
    *(person(who, common.named(who), "In the area.") for who in VICTIMS),
    Record("spell", "Spell", "power", "A spell of the packs, or fields of one, or both."),
    common.combatant_fields(
        "caster",
        burn_edge=common.BURN_EDGE,
        pool=common.dice("Spellcasting pool", "Dice before modifiers, in place of Magic and skill."),
        specialized=flag("Specialized", "The specialization covers this spell."),
        **drain.DRAIN_FIELDS,
        touch_pool=common.dice(
            "Pool to touch", "Dice before modifiers, in place of Agility + Unarmed Combat."
        ),
        sorcery=whole("Spellcasting", "Rating of the skill.", derived_from="caster.skills"),
        **drain.foci("spellcasting", "power"),
    ),
    (field for who in PEOPLE for field in _subject(who)),
    fields("target", object_resistance=whole("Object resistance", _OF_THINGS, most=40)),
    fields(
        "spell",
        name=text("Name", most=80),
        type=choice(
            "Type", "A spell, or a power of an adept or of critters.", choices=("spell", "adept", "critter")
        ),
        drain=SPELL_DRAIN,
        drain_basis=choice(
            "Basis of the drain",
            "Half the Force, rounded down; the damage healed; the Power of a toxin.",
            choices=("force", "damage", "power"),
        ),
        attack=choice("Attack", "How it hurts; left out by other spells.", choices=(DIRECT, INDIRECT)),
        resist=choice("Attribute against it", choices=("body", "willpower")),
        against=common.AGAINST,
        half_magic=flag("Strikes by Magic", "Its DV is half the Magic, rounded up, in place of the Force."),
        whole_armor=flag("Whole armor", "An indirect spell against which the whole armor helps."),
        load=whole("Load", "What each point of the threshold lifts.", least=1, unit="kilograms"),
        damage=common.DAMAGE_KIND,
        element=choice("Element", choices=("acid", "electricity", "fire")),
        touch=flag("Touch", "The caster must touch the victim."),
        area=flag("Area", "It strikes everybody within as many metres as its Force."),
        sustained=SUSTAINED,
        does=EFFECT,
        threshold=whole("Threshold", "Hits that a spell takes which is no attack; 1 if left out.", most=20),
        overcast=flag("Overcast", "More Force than Magic: drain is Physical.", derived_from="force"),
        most_force=whole("Greatest Force", "Twice the Magic.", derived_from="caster.magic"),
        least_force=whole(
            "Least Force", "Of a spell that raises an attribute: what this is now.", derived_from="attribute"
        ),
    ),
    fields(
        "",
        attribute=CHANGED_ATTRIBUTE,
        force=whole("Force", "1 to twice the Magic.", least=1, most=50, example=5),
        willing=flag("Willing", "Nobody resists a spell that is no attack."),
        weight=whole("Weight", "Of what the spell lifts.", most=100_000, unit="kilograms"),
        toxin_power=whole("Power of the toxin", "Which the spell is to clear.", most=50),
        touched=flag("Touched already", "No attack to touch is needed: willing, held, or touched before."),
        distance=DISTANCE,
    ),
)


def derive(request: AttemptRequest) -> dict[str, Any]:
    """The facts given, and those that follow from them. What is unknown is absent. `InputError`: the request lacks
    something that the rule cannot do without."""
    given, facts = request.input.facts, dict(request.input.facts)
    if not is_attack(facts) and not is_resisted(facts) and not has_record(facts, "target"):  # on oneself
        facts |= {f"target.{name}": value for name, value in facts_of(facts, drain.CASTER).items()}
    facts.setdefault("spell.area", False)
    facts.setdefault("spell.touch", False)
    require(facts, _needed(facts, given, request.lookup))
    facts["spell.most_force"] = drain.MOST_FORCE * facts["caster.magic"]
    facts["spell.overcast"] = facts["force"] > facts["caster.magic"]
    raised = f"target.{facts.get('attribute', '')}"
    if facts.get("spell.does") == ATTRIBUTE and raised in facts:
        facts["spell.least_force"] = facts[raised]
    if is_resisted(facts) and "willpower" in facts["spell.against"]:
        facts["spell.resist"] = "willpower"
    if "caster.skills" in facts:
        facts["caster.sorcery"] = facts["caster.skills"].get("spellcasting", 0)
    sheet.derive_losses(facts, request.options, drain.CASTER, *people_of(facts))
    return facts


def is_attack(facts: Mapping[str, Any]) -> bool:
    return "spell.attack" in facts


def is_resisted(facts: Mapping[str, Any]) -> bool:
    """A spell that is no attack, and that its targets resist."""
    return not is_attack(facts) and "spell.against" in facts and not facts.get("willing")


def has_to_touch(facts: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Another combatant has to be touched, and is not yet."""
    return bool(facts["spell.touch"]) and not facts.get("touched") and has_record(given, "target")


def people_of(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Those that the spell concerns, as far as anything is given of them: without an area, the target alone."""
    return tuple(who for who in (PEOPLE if facts["spell.area"] else PEOPLE[:1]) if has_record(facts, who))


def _needed(facts: Mapping[str, Any], given: Mapping[str, Any], lookup: EntryLookup) -> sheet.Needed:
    """(field, what the rule needs) of everything that a spell takes."""
    yield "force", "the Force that the caster chooses"
    yield "spell.drain", "what the spell adds to the drain"
    yield from drain.needed_of_caster(facts, lookup)
    if has_to_touch(facts, given) and "caster.touch_pool" not in facts:
        yield "caster.agility", "Agility of the caster, who has to touch | caster.touch_pool"
    if is_attack(facts):
        yield from _needed_to_attack(facts)
    if is_resisted(facts):
        yield from _needed_against(facts)
    if facts.get("spell.drain_basis") == "power":
        yield "toxin_power", "the Power of the toxin"
    heals = not is_attack(facts) and facts.get("spell.does") == HEAL
    if heals or facts.get("spell.drain_basis") == "damage":
        yield "target.physical", "the Physical boxes of the target"


def _needed_against(facts: Mapping[str, Any]) -> sheet.Needed:
    if not facts["spell.area"] and not people_of(facts):
        yield "target", "the target of the spell"
    for who in people_of(facts):
        if f"{who}.pool" not in facts and not (who == "target" and "target.object_resistance" in facts):
            for name in facts["spell.against"]:
                yield f"{who}.{name}", f"{name.capitalize()} of the target, or {who}.pool in its place"


def _needed_to_attack(facts: Mapping[str, Any]) -> sheet.Needed:
    direct, shocks = facts["spell.attack"] == DIRECT, facts.get("spell.element") == "electricity"
    resist = facts.get("spell.resist", "body")
    if direct:
        yield "spell.resist", "the attribute that opposes a direct spell"
    if not shocks:
        yield "spell.damage", "physical or stun"
    if not facts["spell.area"] and not people_of(facts):
        yield "target", "the target of the spell"
    for who in people_of(facts):
        if direct and who == "target" and "target.object_resistance" in facts:
            if resist != "body":
                message = "a spell against Willpower harms no thing"
                raise InputError.one("situation.target.object_resistance", "no-object", message)
        elif direct and f"{who}.pool" not in facts:
            yield f"{who}.{resist}", f"{resist.capitalize()} of the target, or {who}.pool in its place"
        elif not direct:
            yield f"{who}.body", "Body of the target"
            if not facts.get(f"{who}.unaware") and f"{who}.pool" not in facts:
                yield f"{who}.reaction", f"Reaction of the target, or {who}.pool in its place"
            if shocks and not facts.get(f"{who}.vehicle"):
                yield f"{who}.willpower", "Willpower of the target, for the after-effect of electricity"


TOUCH, AVOID, CASTING, DRAIN = "touch.pool", "touch-defense.pool", "spell.pool", "drain.value"
OPPOSITION, DEFENSE = "spell-opposition.pool", "spell-defense.pool"
SPELL_ARMOR, SOAK = "spell-armor.rating", "spell-soak.pool"
_OF_SUBJECTS = {
    OPPOSITION: "Resistance to the spell",
    DEFENSE: "Defense pool",
    SPELL_ARMOR: "Armor after penetration",
    SOAK: "Damage resistance pool",
}


def number_of(to: str, who: str) -> str:
    """The name of a number of a combatant in the area."""
    return to if who == "target" else f"{who}.{to}"


TARGETS = {
    TOUCH: "Pool to touch",
    AVOID: "Defense against being touched",
    CASTING: "Spellcasting pool",
    DRAIN: "Drain before net hits",
    drain.AGAINST_DRAIN: "Drain resistance pool",
    **{
        number_of(to, who): label if who == "target" else f"{common.named(who)}: {label.lower()}"
        for to, label in _OF_SUBJECTS.items()
        for who in PEOPLE
    },
}

OWNERS = dict.fromkeys((AVOID, *_OF_SUBJECTS), "target")
"""Whose numbers those are that are not the caster's."""


def may_avoid(who: str, numbers: Collection[str]) -> bool:
    """Whether one can avoid the spell of these numbers, or the touch for it: nobody dodges a direct spell."""
    return number_of(DEFENSE, who) in numbers or (who == "target" and AVOID in numbers)


def touch_base(facts: Mapping[str, Any]) -> list[Entry]:
    base = sheet.pool_given(facts, "caster.touch_pool") or [
        Entry("agility", "Agility", facts["caster.agility"]),
        *sheet.skill_entries(facts.get("caster.skills", {}), "unarmed-combat"),
    ]
    return [*base, *sheet.by_rule("touching", "Only touching", 2)]


def avoid_base(facts: Mapping[str, Any]) -> list[Entry]:
    """Dodge or block, whichever has more dice; on full defense Dodge or Gymnastics besides."""
    what = "Reaction of the target, who may avoid being touched; or touched: true"
    require(facts, [("target.reaction", what)])
    skills = facts.get("target.skills", {})
    best = max(("dodge", "unarmed-combat"), key=lambda skill: int(skills.get(skill, 0)))
    reaction = Entry("reaction", "Reaction", facts["target.reaction"])
    return [reaction, *sheet.skill_entries(skills, best), *sheet.full_defense_entries(facts, "target")]


def drain_value(facts: Mapping[str, Any]) -> list[Entry]:
    """Half the Force, or the boxes that are there to heal, and what the spell adds."""
    if facts.get("spell.drain_basis") == "damage":
        basis = Entry("damage", "Boxes to heal", facts["target.physical"])
    elif facts.get("spell.drain_basis") == "power":
        basis = Entry("power", "Power of the toxin", facts["toxin_power"])
    else:
        basis = Entry("force", "Half the Force, rounded down", facts["force"] // 2)
    return [basis, Entry("spell", facts.get("spell.name", "Spell"), facts["spell.drain"])]
