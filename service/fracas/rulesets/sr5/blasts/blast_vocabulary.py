"""What a request may say of something that explodes: rulebook section 11.4.

The attack is a ranged one, so that every modifier of its numbers counts here too; whom the blast reaches is said in
records of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, fields, flag, number, person, vocabulary
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.harms.care import resisting_fields
from fracas.rulesets.sr5.several import SEVERAL
from fracas.rulesets.sr5.vocabulary import RANGED_ATTACK

GOES_OFF, AT_PLACE = "goes-off", "place"
SCATTERS = ("standard", "aerodynamic", "launcher", "rocket", "missile")
ON_IMPACT, NEXT_PHASE = "impact", "next-phase"


def _where(who: str) -> Iterator[Field]:
    """How far a combatant is from the blast, or from the spot aimed at."""
    yield from fields(
        who,
        blast_distance=number(
            "Distance from the blast",
            "Metres, measured where it goes off; scatter does not change it any more.",
            most=10_000,
            example=2,
        ),
        spot_distance=number(
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


BLAST_ATTACK = vocabulary(
    *RANGED_ATTACK.records.values(),
    *(
        person(who, f"Target {number}", "Another combatant in reach of the blast.")
        for number, who in enumerate(SEVERAL[1:], start=2)
    ),
    RANGED_ATTACK.fields.values(),
    _where("target"),
    (
        field
        for who in SEVERAL[1:]
        for field in (*combatant_fields(who), *resisting_fields(who), *_where(who))
    ),
    fields(
        "",
        aim=choice(
            "Aimed at",
            "A place, unless said; or nothing: it lies there and goes off.",
            choices=(AT_PLACE, GOES_OFF),
        ),
        scatter=choice(
            "Scatter", "Whose dice scatter it; follows from the weapon if left out.", choices=SCATTERS
        ),
        airburst=flag(
            "Airburst", "By the house rules, with DNI, it takes more off the scatter of a launcher."
        ),
        fuse=choice(
            "Fuse",
            "When it goes off: on impact unless said, or as the thrower's next phase begins; "
            "nobody is in reach yet.",
            choices=(ON_IMPACT, NEXT_PHASE),
        ),
    ),
)
