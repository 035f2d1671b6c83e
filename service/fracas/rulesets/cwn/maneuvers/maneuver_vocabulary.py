"""What a request may say of shoves, grapples and execution attacks: rulebook sections 8.1 and 8.3."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import entries, fields, flag, person, vocabulary, whole
from fracas.kernel.vocabulary import Field
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK, SCREENERS
from fracas.rulesets.cwn.checks.skill_numbers import check_fields

ALIKE, LARGER, BARELY = "alike", "larger", "barely-feasible"
SIZES = (ALIKE, LARGER, BARELY)
HOLDERS = ("target", "holder_2", "holder_3", "holder_4")
"""The records of those who hold somebody: the first is whom the action is aimed at."""
_PERSON = "A combatant of the packs, or fields of one, or both."


_OF_BLOWS = ("attack.burst", "attack.swarm_others", "attack.dual_wield", "attack.both_in_range")
"""What makes sense of ordinary attacks alone; modifiers that read it do not apply."""


def _of_attacks(*settled: str) -> Iterator[Field]:
    """The words of an attack, without those who screen; `settled` by the rule, and nothing to say."""
    for path, field in ATTACK.fields.items():
        if not path.startswith((*SCREENERS, "weapon_2.")) and path not in ("attack.hold", "attack.swarm"):
            fixed = path in settled or path in _OF_BLOWS
            yield field._replace(derived_from="weapon.type") if fixed else field


def _bout() -> Iterator[Field]:
    """The words of an attack in melee that ends in a contest."""
    yield from _of_attacks("attack.kind", "attack.lethal", "attack.shock_burst", "attack.rested")
    yield from check_fields("target")
    yield from _implants("attacker")
    yield _size("target")


def _size(who: str) -> Field:
    return Field(
        f"{who}.size",
        "choice",
        "Size for a shove or grapple",
        "larger: clearly, of human shape; barely-feasible: so is a quadruped. Left out: alike.",
        choices=SIZES,
    )


def _implants(who: str) -> Iterator[Field]:
    yield from fields(
        who,
        augmentations=entries(
            "Implants", "An empty list for none.", entry_kind="augmentation", example=["sharkskin-electrodes"]
        ),
    )


_RECORDS = tuple(record for path, record in ATTACK.records.items() if path not in (*SCREENERS, "weapon_2"))

SHOVE = vocabulary(
    *_RECORDS,
    _bout(),
)
GRAPPLE = vocabulary(
    *_RECORDS,
    _bout(),
    fields(
        "attacker",
        hands_free=flag("Both hands free"),
        grappling=flag("Holds a foe already"),
    ),
)
DRAG = vocabulary(
    person("attacker", "Grappler", _PERSON),
    person("target", "Held", _PERSON),
    check_fields("attacker"),
    check_fields("target"),
    _size("target"),
)
ESCAPE = vocabulary(
    person("escaper", "Who is held", _PERSON),
    person("target", "Grappler", _PERSON),
    *(
        person(who, f"Grappler {number}", "Another who holds the same person.", optional=True)
        for number, who in enumerate(HOLDERS[1:], start=2)
    ),
    (field for who in ("escaper", *HOLDERS) for field in check_fields(who)),
)
EXECUTION = vocabulary(
    *_RECORDS,
    _of_attacks("attack.snap", "attack.steadied", "attack.charge", "attack.charge_distance"),
    fields("attack", prepared=flag("A minute of preparation", "Undisturbed: of aiming, or close by.")),
    fields("target.foci", alert=whole("Level of alert", most=2, derived_from="target.foci")),
    Field("attacker.foci.snipers-eye", "whole", "Level of snipers-eye", most=2, derived_from="attacker.foci"),
)
