"""What a request may say of damage without an attack, and of care for the wounded: rulebook sections 8.4 to 8.6."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.words import ARMOR_MODS, ELEMENTS

BLEEDING = "bleeding"


def resisting_fields(who: str) -> Iterator[Field]:
    """What helps a combatant to resist damage, beside what every combatant has."""
    yield from fields(
        who,
        soak_bonus=whole(
            "Resistance bonus", "Dice of bone lacing and the like on damage resistance.", most=50
        ),
        hardened_armor=flag("Hardened armor", "Stops what is weaker, and half its rating are hits (8.4)."),
    )
    for name, element in ARMOR_MODS.items():
        yield Field(
            f"{who}.{name.replace('-', '_')}",
            "whole",
            name.capitalize().replace("-", " "),
            f"Rating against {element}.",
            derived_from=f"{who}.armor_mods",
        )


DAMAGE_ELEMENT = Field("damage.element", "choice", "Element", choices=ELEMENTS, example="fire")

DAMAGE_RESISTANCE = vocabulary(
    person("target", "Who is hurt"),
    Record("damage", "What hurts"),
    combatant_fields("target"),
    resisting_fields("target"),
    fields(
        "target",
        firewall=whole("Firewall", "Of one's device, where it resists with Willpower.", most=20),
        interface=choice("Interface", choices=("none", "ar", "cold-sim", "hot-sim")),
    ),
    fields(
        "damage",
        value=whole("Damage Value", "Boxes before resistance.", most=200, example=6),
        kind=choice("Damage kind", "Physical unless said.", choices=("physical", "stun")),
        ap=whole("Armor penetration", "Added to the armor.", least=-50, most=50),
    ),
    DAMAGE_ELEMENT,
    fields(
        "damage",
        dumpshock=flag("Dumpshock", "Thrown out of the Matrix: the interface decides the Damage Value."),
        resisted_by=choice(
            "Resisted by",
            "Body and armor unless said; Body; Willpower and Firewall against biofeedback and dumpshock; nothing.",
            choices=("body-and-armor", "body", "willpower-and-firewall", "nothing"),
        ),
        again=choice(
            "What hurts again", "The wounds of the dying: a box that nothing resists.", choices=(BLEEDING,)
        ),
    ),
)

FIRST_AID = vocabulary(
    Record("tester", "Who helps", "combatant"),
    Record("patient", "Patient", "combatant"),
    combatant_fields("tester"),
    fields(
        "tester",
        pool=whole("Pool", "Dice before modifiers, in place of attribute and skill.", most=60),
        specialized=flag("Specialized"),
        medkit=flag("Medkit", "First aid needs one."),
    ),
    combatant_fields("patient"),
    fields(
        "",
        track=choice("Which wounds first", "Physical ones unless said.", choices=("physical", "stun")),
        stabilize=flag("Stabilize", "To keep a dying patient alive, in place of healing boxes."),
        minutes=whole("Minutes since the wounds", "Within an hour.", most=100_000, example=5),
    ),
)
