"""What a request may say of a Shadowrun 4 attack with a blast: rulebook section 8.11.

The attack is a ranged attack, so that every modifier of its numbers counts here too; whom the blast reaches is said
in records of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, fields, flag, number, person, vocabulary, whole
from fracas.kernel.turns import NEXT_PART, TURN_BEGIN, TURN_END
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK
from fracas.rulesets.sr4.vocabulary import combatant_fields

VICTIMS = tuple(f"victim_{number}" for number in range(1, 7))
"""The records of people in reach of the blast, beside the target."""

AT_PLACE, AT_TARGET, GOES_OFF = "place", "target", "goes-off"
ON_IMPACT = "impact"
FUSES = (ON_IMPACT, NEXT_PART, TURN_BEGIN, TURN_END)
AIMS = (AT_PLACE, AT_TARGET, GOES_OFF)
SCATTERS = ("standard", "aerodynamic", "launcher", "missile", "rocket")


def _where(who: str) -> Iterator[Field]:
    """How far somebody is from the blast, measured."""
    yield from fields(
        who,
        blast_distance=number(
            "Distance from the blast",
            "Metres, measured where it goes off; scatter does not change it any more.",
            most=10_000,
            example=2,
        ),
        rebound=number(
            "Way of the rebound",
            "Metres from the blast to a wall and back to here; what is left of it adds up.",
            most=10_000,
        ),
    )


def _victim(who: str) -> Iterator[Field]:
    yield from combatant_fields(who)
    yield from fields(
        who,
        soak_bonus=whole("Resistance bonus", "Dice of Toughness, bone lacing and the like.", most=50),
        distance=number(
            "Distance from the spot aimed at",
            "Metres; with scatter the distance from the blast follows.",
            most=10_000,
            example=3,
        ),
        bearing=number(
            "Bearing from the spot aimed at",
            "Degrees: 0 is beyond it as the attacker sees it, 90 to the right, 180 on this side of it.",
            most=360,
            example=90,
        ),
    )
    yield from _where(who)


BLAST_ATTACK = vocabulary(
    *(record for record in RANGED_ATTACK.records.values() if record.path != "barrier"),
    *(
        person(who, f"Victim {number}", "Somebody in reach of the blast, beside the target.")
        for number, who in enumerate(VICTIMS, start=1)
    ),
    (field for field in RANGED_ATTACK.fields.values() if not field.path.startswith("barrier.")),
    _where("target"),
    (field for who in VICTIMS for field in _victim(who)),
    fields(
        "",
        aim=choice(
            "Aimed at",
            "A place, a target who defends, or nothing: it lies there and goes off. "
            "If left out: the target where one is given, a place otherwise.",
            choices=AIMS,
        ),
        scatter=choice(
            "Scatter", "Whose dice scatter it; follows from the weapon if left out.", choices=SCATTERS
        ),
        fuse=choice(
            "Fuse",
            "When it goes off: on impact (or by airburst), at one's Initiative Score in the next "
            "pass, or as a Combat "
            "Turn begins or ends. With a fuse nobody is in reach yet.",
            choices=FUSES,
        ),
        fuse_turns=whole("Turns of the fuse", "So many Combat Turns later.", most=1000),
        airburst=flag("Airburst link", "Each hit takes 2 m off the scatter instead of 1."),
        sensor=whole("Sensor rating", "Of a missile: metres less of scatter.", most=50),
    ),
    fields(
        "weapon",
        blast_falloff=whole(
            "Fall-off",
            "Boxes less for each started metre; of what explodes, where no ammunition says it.",
            most=100,
        ),
        blast_radius=number(
            "Radius",
            "Metres that the blast reaches; as far as anything is left of the damage if left out.",
            most=1000,
        ),
    ),
)
