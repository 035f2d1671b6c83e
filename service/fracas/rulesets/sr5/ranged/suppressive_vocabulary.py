"""What a request may say of suppressive fire: rulebook section 10.

The shooter's test is that of a ranged attack, so that every modifier of its numbers counts here too.
"""

from __future__ import annotations

from fracas.kernel.fields import fields, person, vocabulary, whole
from fracas.rulesets.sr5.several import SEVERAL
from fracas.rulesets.sr5.vocabulary import RANGED_ATTACK

_INSIDE = (
    "In the zone as the fire begins; the hits are a penalty, but not for those who are prone or in cover."
)

SUPPRESSIVE_FIRE = vocabulary(
    *(
        record._replace(optional=True, doc=_INSIDE) if path == "target" else record
        for path, record in RANGED_ATTACK.records.items()
    ),
    *(
        person(who, f"Target {number}", _INSIDE, optional=True)
        for number, who in enumerate(SEVERAL[1:], start=2)
    ),
    RANGED_ATTACK.fields.values(),
    (
        RANGED_ATTACK.fields[f"target.{name}"]._replace(path=f"{who}.{name}")
        for who in SEVERAL[1:]
        for name in ("name", "prone")
    ),
)

ESCAPE_SUPPRESSION = vocabulary(
    RANGED_ATTACK.records["target"],
    *(record for path, record in RANGED_ATTACK.records.items() if path != "target"),
    RANGED_ATTACK.fields.values(),
    fields(
        "attacker",
        suppression=whole(
            "Hits of the suppressive fire",
            "Those who enter, leave or move in the zone roll against them.",
            most=60,
            example=3,
        ),
    ),
)
"""The target is who acts: it moves."""
