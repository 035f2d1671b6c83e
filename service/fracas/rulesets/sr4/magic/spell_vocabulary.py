"""What a request may say of a spell: rulebook sections 10.1, 11.8 and 16."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, entries, fields, flag, number, person, text, vocabulary, whole
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.ranged.blast_facts import VICTIMS
from fracas.rulesets.sr4.vocabulary import ATTRIBUTES, burning_edge, combatant_fields

CASTER = "caster"
PEOPLE = ("target", *VICTIMS)
"""The records of those whom a spell is cast on."""

DRAIN_ATTRIBUTES = ("logic", "charisma", "intuition", "willpower", "magic", "body")
DIRECT, INDIRECT = "direct", "indirect"
REFLEXES, ARMOR, SENSE, HEAL = "reflexes", "armor", "combat-sense", "heal"
ATTRIBUTE, BARRIER, MANA_BARRIER = "attribute", "barrier", "mana-barrier"
DOES = (REFLEXES, ARMOR, SENSE, HEAL, ATTRIBUTE, BARRIER, MANA_BARRIER)
"""What spells do that are no attacks, as the packs name it."""

RAISED_ATTRIBUTE = Field(
    "attribute",
    "choice",
    "Attribute that is raised",
    "By a spell that raises one.",
    choices=tuple(name for name in ATTRIBUTES if name not in ("edge", "magic")),
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
