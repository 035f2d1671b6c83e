"""What a request may say of a combat spell: rulebook section 11.7."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, entries, fields, flag, person, text, vocabulary, whole
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr5.combatant import COVER, ELEMENTS, combatant_fields
from fracas.rulesets.sr5.harms.care import DAMAGE_ELEMENT, resisting_fields
from fracas.rulesets.sr5.magic.drain import CASTER
from fracas.rulesets.sr5.several import SEVERAL

DIRECT, INDIRECT, AREA = "direct", "indirect", "area"


def _subject(who: str) -> Iterator[Field]:
    yield from combatant_fields(who)
    yield from resisting_fields(who)
    yield from fields(
        who,
        pool=whole("Defense or resistance pool", "Dice before modifiers.", most=60),
        counterspelling=whole(
            "Spell defense", "Dice of a magician who protects, against this spell.", most=40, example=4
        ),
        spell_defense=flag(
            "Defends itself against spells",
            "With the whole skill Counterspelling, where nobody protects it with more.",
        ),
        spell_protected=flag("Protected by a magician", "Against the next spell."),
        unaware=flag("Unaware or surprised", "No defense; magic is resisted anyway."),
        sprinting=flag("Sprinting"),
        full_defense=flag("Full defense", "Declared and still in force."),
        defenses_made=whole("Earlier defenses", "Since one's own last action.", most=50),
        cover=choice("Cover", "Partial: over 25 %. Good: over 50 %.", choices=COVER),
    )


CASTER_FIELDS = (
    *combatant_fields(CASTER),
    *fields(
        "caster",
        pool=whole("Pool", "Dice of the magic before modifiers.", most=60),
        magic=whole("Magic", most=50, example=5),
        drain_attribute=choice(
            "Attribute of the tradition",
            "Resists drain, beside Willpower.",
            choices=("logic", "intuition", "charisma", "willpower"),
        ),
        drain_pool=whole("Drain pool", "In place of the attributes.", most=60),
        powers=entries(
            "Spells and powers",
            "Those that the caster has; in a fight nobody casts another combat spell.",
            entry_kind="power",
            example=["manabolt"],
        ),
    ),
)
"""Of the one who casts, summons or banishes."""

CAST_SPELL = vocabulary(
    person("caster", "Caster"),
    Record("spell", "Spell", "power", "A spell of the packs, or fields of one, or both."),
    Record("damage", "What hurts"),
    person("target", "Target"),
    *(
        person(who, f"Target {number}", "Another target of a spell that strikes an area.")
        for number, who in enumerate(SEVERAL[1:], start=2)
    ),
    CASTER_FIELDS,
    fields("caster", specialized=flag("Specialized", "The specialization covers combat spells.")),
    fields("", force=whole("Force", "Also the limit.", least=1, most=50, example=5)),
    fields(
        "spell",
        name=text("Name", most=80),
        type=choice("Type", choices=("spell", "adept-power")),
        form=choice("Form", choices=(DIRECT, INDIRECT)),
        resisted_by=choice("Resisted by", choices=("willpower", "body")),
        damage=choice("Damage kind", choices=("physical", "stun")),
        range=choice("Range", choices=("sight", "touch", AREA)),
        drain=whole("Drain", "Added to the Force.", least=-20, most=20, example=-3),
        element=choice("Element", choices=ELEMENTS),
    ),
    DAMAGE_ELEMENT._replace(derived_from="spell.element"),
    (field for who in SEVERAL for field in _subject(who)),
)
"""A combat spell, and the drain that it brings."""
