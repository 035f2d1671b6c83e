"""What a request may say of suppressive fire: rulebook section 8.7.

The test of the shooter is that of a ranged attack, so that every modifier of its numbers counts here too.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4.ranged.blast_vocabulary import VICTIMS
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK
from fracas.rulesets.sr4.vocabulary import combatant_fields

OPENS, ENTERED = "opens", "entered"
ZONES = (OPENS, ENTERED)


def _victim(who: str) -> Iterator[Field]:
    yield from combatant_fields(who)
    yield from fields(
        who,
        pool=whole("Pool to get away", "Dice before modifiers, in place of the attributes.", most=60),
        unaware=flag("Unaware or surprised", "Cannot try to get away."),
        prone=flag("Prone", "Whoever lies in the zone is safe from it."),
        full_defense=choice("Full defense", choices=("none", "dodge", "gymnastics")),
        soak_bonus=whole("Resistance bonus", "Dice of Toughness, bone lacing and the like.", most=50),
    )


SUPPRESSIVE_FIRE = vocabulary(
    *(record for record in RANGED_ATTACK.records.values() if record.path != "barrier"),
    *(
        person(who, f"Victim {number}", "Somebody exposed in the zone, beside the target.")
        for number, who in enumerate(VICTIMS, start=1)
    ),
    (field for field in RANGED_ATTACK.fields.values() if not field.path.startswith("barrier.")),
    (field for who in VICTIMS for field in _victim(who)),
    fields(
        "",
        zone=choice(
            "Zone",
            "The shooter opens fire, unless a combatant enters the zone afterwards, moves in it, or leaves cover.",
            choices=ZONES,
        ),
    ),
    fields(
        "attacker",
        suppression=whole(
            "Threshold of the zone",
            "Hits of the shooter, against which those who enter later roll.",
            most=60,
            example=3,
        ),
    ),
)
