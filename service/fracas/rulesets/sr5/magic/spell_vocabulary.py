"""What a request may say of a combat spell: rulebook section 11.7."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.harms.harm_vocabulary import DAMAGE_ELEMENT, resisting_fields
from fracas.rulesets.sr5.magic.drain import CASTER
from fracas.rulesets.sr5.several import SEVERAL
from fracas.rulesets.sr5.words import COVER, ELEMENTS

DIRECT, INDIRECT, AREA = "direct", "indirect", "area"


def _subject(who: str) -> Iterator[Field]:
    yield from combatant_fields(who)
    yield from resisting_fields(who)
    yield Field(f"{who}.pool", "whole", "Defense or resistance pool", "Dice before modifiers.", most=60)
    yield Field(
        f"{who}.counterspelling",
        "whole",
        "Spell defense",
        "Dice of a magician who protects, against this spell.",
        most=40,
        example=4,
    )
    yield Field(
        f"{who}.spell_defense",
        "flag",
        "Defends itself against spells",
        "With the whole skill Counterspelling, where nobody protects it with more.",
    )
    yield Field(f"{who}.spell_protected", "flag", "Protected by a magician", "Against the next spell.")
    yield Field(f"{who}.unaware", "flag", "Unaware or surprised", "No defense; magic is resisted anyway.")
    yield Field(f"{who}.sprinting", "flag", "Sprinting")
    yield Field(f"{who}.full_defense", "flag", "Full defense", "Declared and still in force.")
    yield Field(f"{who}.defenses_made", "whole", "Earlier defenses", "Since one's own last action.", most=50)
    yield Field(f"{who}.cover", "choice", "Cover", "Partial: over 25 %. Good: over 50 %.", choices=COVER)


CASTER_FIELDS = (
    *combatant_fields(CASTER),
    Field("caster.pool", "whole", "Pool", "Dice of the magic before modifiers.", most=60),
    Field("caster.magic", "whole", "Magic", most=50, example=5),
    Field(
        "caster.drain_attribute",
        "choice",
        "Attribute of the tradition",
        "Resists drain, beside Willpower.",
        choices=("logic", "intuition", "charisma", "willpower"),
    ),
    Field("caster.drain_pool", "whole", "Drain pool", "In place of the attributes.", most=60),
    Field(
        "caster.powers",
        "entries",
        "Spells and powers",
        "Those that the caster has; in a fight nobody casts another combat spell.",
        entry_kind="power",
        example=["manabolt"],
    ),
)
"""Of the one who casts, summons or banishes."""

CAST_SPELL = Vocabulary(
    (
        Record("caster", "Caster", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("spell", "Spell", "power", "A spell of the packs, or fields of one, or both."),
        Record("damage", "What hurts"),
        Record("target", "Target", "combatant", "A combatant of the packs, or fields of one, or both."),
        *(
            Record(who, f"Target {number}", "combatant", "Another target of a spell that strikes an area.")
            for number, who in enumerate(SEVERAL[1:], start=2)
        ),
    ),
    (
        *CASTER_FIELDS,
        Field("caster.specialized", "flag", "Specialized", "The specialization covers combat spells."),
        Field("force", "whole", "Force", "Also the limit.", least=1, most=50, example=5),
        Field("spell.name", "text", "Name", most=80),
        Field("spell.type", "choice", "Type", choices=("spell", "adept-power")),
        Field("spell.form", "choice", "Form", choices=(DIRECT, INDIRECT)),
        Field("spell.resisted_by", "choice", "Resisted by", choices=("willpower", "body")),
        Field("spell.damage", "choice", "Damage kind", choices=("physical", "stun")),
        Field("spell.range", "choice", "Range", choices=("sight", "touch", AREA)),
        Field("spell.drain", "whole", "Drain", "Added to the Force.", least=-20, most=20, example=-3),
        Field("spell.element", "choice", "Element", choices=ELEMENTS),
        DAMAGE_ELEMENT._replace(derived_from="spell.element"),
        *(field for who in SEVERAL for field in _subject(who)),
    ),
)
"""A combat spell, and the drain that it brings."""
