"""What a request may say of an attack of one against one, with those who screen the target."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, distinct, fields, flag, number, person, vocabulary, whole
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.checks.skill_check import check_fields
from fracas.rulesets.cwn.harms.major_injury import injury_fields
from fracas.rulesets.cwn.vocabulary import (
    ATTRIBUTES,
    BANDS,
    COMBAT_SKILLS,
    KINDS,
    combatant_fields,
    fighter_fields,
    victim_fields,
    weapon_fields,
)

SCREENERS = ("screener_1", "screener_2", "screener_3")
"""The records of those who screen the target (3.2)."""

HOLDS = ("grapple", "skin-of-grappler", "skin-of-grappled")

_ATTACK = (
    *fields(
        "attack",
        kind=choice("Kind of attack", "Left out: as the weapon is meant.", choices=KINDS),
        attribute=choice("Attribute used", "Left out: the better one.", choices=ATTRIBUTES),
        skill=choice("Skill used", "Left out: the best one.", choices=COMBAT_SKILLS),
        lethal=flag("Meant to kill", "With a weapon that leaves the choice."),
        burst=flag("Burst", "Three rounds."),
        snap=flag("Snap Attack"),
        steadied=flag("Snap Attack steadied", "By a Reaction Booster, once in a scene."),
        charge=flag("Charge"),
        charge_distance=number("Run-up", "Metres.", most=1000),
        swarm_others=whole("Others in the swarm", "Surviving participants but this one.", most=20),
        swarm=flag(
            "Made for a swarm", "In a fight, which then knows attack.swarm_others; alone it changes nothing."
        ),
        dual_wield=flag("Two weapons in hand", "Left out: so it is with a weapon_2."),
        both_in_range=flag(
            "In range of both weapons", "Left out: as the type and the ranges of the second weapon say."
        ),
        other_skill=choice(
            "Skill of the other weapon", "Left out: the best one of weapon_2.", choices=COMBAT_SKILLS
        ),
        pierces=flag(
            "Hurts what is immune", "The GM's word; left out: heavy weapons and those that wreck machines do."
        ),
        hold=choice(
            "Of a grapple",
            "A hit without an attack roll as a round ends: of the grappler's fists, or of an electric skin (8.1).",
            choices=HOLDS,
        ),
        shock_burst=flag("Shock Burst set off", "The weapon mod."),
        rested=flag("Weapon on a rest", "A stationary rest, for weapons that need one."),
        drone=flag("Made with a drone", "Which the attacker controls."),
        targeting_logic=whole(
            "Improved Targeting Logic",
            "Of a drone that fires by itself: level of Drive or Program, the better, of the one who set it up.",
            most=10,
        ),
        led=whole(
            "Lead of the leader",
            "Level of the skill Lead of a leader with Authority 2 that the attacker follows.",
            most=10,
        ),
        attribute_modifier=whole(
            "Modifier used", least=-5, most=10, derived_from="attacker.attribute_modifier"
        ),
        skill_level=whole("Level used", "-1 if untrained.", least=-1, derived_from="attacker.skills"),
        other_skill_level=whole(
            "Level with the other weapon", "-1 if untrained.", least=-1, derived_from="attack.other_skill"
        ),
        ambush=flag(
            "Ambush",
            "With a weapon made for it, in melee range of an unsuspecting target.",
            derived_from="weapon.ambush",
        ),
        sure=flag("Cannot miss", "The focus Assassin, or a grapple.", derived_from="target.unsuspecting"),
        explodes=flag(
            "With what explodes",
            "Aimed at a point: also the shell of a tank's gun.",
            derived_from="weapon.area",
        ),
        gunlinked=flag("Aimed by a Gunlink", "A gun only (R14).", derived_from="attacker.cyberware"),
    ),
    *fields("", distance=number("Distance", "Metres from attacker to target.", most=100_000, example=8)),
    *fields(
        "range",
        band=choice("Range", choices=BANDS, derived_from="distance"),
        adjacent=flag("Within melee range", derived_from="distance"),
    ),
)

_OTHER = ("name", "type", "skills", "range_normal", "range_long", "two_handed", "ready")


def _other_weapon() -> Iterator[Field]:
    """What counts of a weapon in the other hand (5.6)."""
    for field in weapon_fields("weapon_2"):
        if field.path.removeprefix("weapon_2.") in _OTHER:
            yield field


def attacker_fields() -> tuple[Field, ...]:
    """Somebody who attacks, and makes checks against others."""
    return distinct(combatant_fields("attacker"), fighter_fields("attacker"), check_fields("attacker"))


def target_fields(who: str) -> tuple[Field, ...]:
    """Somebody who is attacked, and may suffer a Major Injury."""
    return distinct(combatant_fields(who), victim_fields(who), injury_fields(who))


def _screener(who: str) -> Iterator[Field]:
    yield from target_fields(who)
    yield from check_fields(who)
    yield from fields(
        who,
        screen_skill=choice(
            "Skill of screening",
            "That of the weapon in hand. Left out: the best combat skill.",
            choices=COMBAT_SKILLS,
        ),
    )


ATTACK = vocabulary(
    person("attacker", "Attacker"),
    person("target", "Target"),
    Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
    Record("weapon_2", "Weapon in the other hand", "weapon", "Of an attacker who fights with two.", True),
    *(
        person(who, f"Screener {number}", "Somebody who screens the target.", optional=True)
        for number, who in enumerate(SCREENERS, start=1)
    ),
    Record("attack", "How it is done"),
    attacker_fields(),
    target_fields("target"),
    (field for who in SCREENERS for field in _screener(who)),
    weapon_fields("weapon"),
    _other_weapon(),
    _ATTACK,
)
