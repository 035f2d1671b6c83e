"""What a request may say of the attack of a drone with all its weapons (rulebook section 13.1)."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import entries, fields, flag, person, text, vocabulary, whole
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK, SCREENERS, target_fields
from fracas.rulesets.cwn.checks.saves import attribute_fields

DRONE = "drone"
TARGETS_OF_VOLLEY = ("target", "target_2", "target_3")
"""The records of those at whom the weapons fire, each at one."""
OF_ALL = ("foci", "control_board")
"""What counts of the operator for every weapon of a drone that he controls."""
OF_OPERATOR = (
    "name",
    "level",
    "base_attack_bonus",
    "attack_bonus_ranged",
    "skills",
    "intelligence",
    "intelligence_change",
    "dexterity",
    "dexterity_change",
    "killing_blow",
    "cyberware",
    "gunlink_rerolls",
    "veterans_luck",
    "main_spent",
    *OF_ALL,
)
"""What counts of him for the weapon that he aims; where and in what state he is does not."""
_SAID = ("attack.lethal", "attack.burst", "attack.pierces", "attack.rested")
_METRES = 100_000


def _of_attacks() -> Iterator[Field]:
    """The words of an attack; of each weapon the packs tell everything."""
    for path, field in ATTACK.fields.items():
        record = path.partition(".")[0]
        if record in SCREENERS or path == "attack.drone":
            continue
        unsaid = record == "attacker" and path.partition(".")[2] not in OF_OPERATOR
        settled = unsaid or record.startswith("weapon") or (record == "attack" and path not in _SAID)
        yield field._replace(derived_from="volley.weapons") if settled and not field.derived_from else field


def _mounts() -> Iterator[Field]:
    for number in range(1, len(TARGETS_OF_VOLLEY) + 1):
        yield Field(
            f"volley.rounds_{number}",
            "whole",
            f"Rounds of weapon {number}",
            "Left out: not counted.",
            most=1000,
        )
        yield Field(
            f"volley.thing_{number}", "text", f"Name of weapon {number}", "Of several of one model.", most=80
        )


VOLLEY = vocabulary(
    person("attacker", "Operator", "Whoever flies the drone; the drone, if it fires by itself."),
    person("target", "Target", "The target of the first weapon."),
    person(DRONE, "Drone", "The one that fires.", optional=True),
    *(
        person(who, f"Target {number}", f"The target of weapon {number}.", optional=True)
        for number, who in enumerate(TARGETS_OF_VOLLEY[1:], start=2)
    ),
    Record("attack", "How it is done"),
    Record("volley", "The drone's weapons"),
    _of_attacks(),
    attribute_fields("attacker"),
    fields("attack", drone=flag("Made with a drone", derived_from="volley.alone")),
    (field for who in TARGETS_OF_VOLLEY[1:] for field in target_fields(who)),
    (
        Field(
            f"{who}.distance",
            "number",
            "Distance",
            "Metres from the drone. Left out: as to the first target.",
            most=_METRES,
            example=20,
        )
        for who in TARGETS_OF_VOLLEY[1:]
    ),
    fields(
        DRONE,
        name=text("Name", most=80),
        targeting_logic=whole(
            "Improved Targeting Logic",
            "Level of Drive or Program, the better, of the one who set it up. Left out: it has none.",
            most=10,
        ),
    ),
    fields(
        "volley",
        weapons=entries(
            "Weapons mounted",
            "In the order of their targets; there are no more of them than targets.",
            entry_kind="weapon",
            example=["drone-cannon"],
        ),
    ),
    _mounts(),
    fields(
        "volley",
        aimed=whole(
            "Weapon that the operator aims",
            "The others fire at the bonus of a drone. Left out: the first.",
            1,
            len(TARGETS_OF_VOLLEY),
        ),
        alone=flag("Fires by itself", "Nobody aims any weapon."),
    ),
)
