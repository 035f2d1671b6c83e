"""What a request may say of somebody who is the barrier: rulebook section 11.8."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import fields, person, vocabulary, whole
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK
from fracas.rulesets.sr4.vocabulary import combatant_fields

SHIELD = "shield"
SHIELD_RECORD = person(
    SHIELD,
    "Whoever is in the way",
    "A person as a barrier: Body and armor are those of this one, who is hit as well.",
    optional=True,
)
"""The record of a person who is the barrier, or who stands behind one of magic that is attacked."""

NUMBERS = {
    "shield.armor.rating": "In the way: armor after penetration",
    "shield.resist.pool": "In the way: damage resistance pool",
}
"""The numbers of whoever is in the way."""
OWNERS = dict.fromkeys(NUMBERS, SHIELD)
"""Whose number each is, as a record."""


def shield_fields() -> Iterator[Field]:
    yield from combatant_fields(SHIELD)
    yield from fields(
        SHIELD, soak_bonus=whole("Resistance bonus", "Dice of Toughness, bone lacing and the like.", most=50)
    )


def magic_fields() -> Iterator[Field]:
    """Of whoever stands behind a barrier of magic that is attacked."""
    yield from fields(
        SHIELD,
        spell_barrier=whole(
            "Barrier of magic",
            "Armor and structure of a Physical Barrier, which is attacked in place of the one behind it.",
            most=50,
        ),
        barrier_damage=whole("Damage to the magic", "In this Combat Turn.", most=1000),
    )


SINGLE_SHOT = vocabulary(
    *RANGED_ATTACK.records.values(),
    SHIELD_RECORD,
    RANGED_ATTACK.fields.values(),
    shield_fields(),
)
"""A ranged attack at one target, perhaps through somebody."""
