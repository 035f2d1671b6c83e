"""What a request may say of an attack, on one with those who screen the target, or on several at once.

What strikes several reads what an attack reads, so that every modifier of its numbers counts there too; each victim
is a record of its own. Rulebook sections 3.2, 5.6 to 5.8 and 10.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.kernel import fields as kit
from fracas.kernel.fields import choice, entry, fields, flag, metres, person, text, vocabulary, whole, words
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn import vocabulary as common
from fracas.rulesets.cwn.checks.saves import KINDS as SAVES
from fracas.rulesets.cwn.checks.skill_check import check_fields
from fracas.rulesets.cwn.harms.harm import injury_fields
from fracas.rulesets.cwn.vocabulary import ATTRIBUTES, COMBAT_SKILLS, combatant_fields, weapon_fields


def numbered(records: Sequence[str], label: str, doc: str, *, first: int = 1) -> Iterator[Record]:
    """The records of several combatants of one sort, who may be left out; `doc` with their numbers in it."""
    for at, who in enumerate(records, start=first):
        yield person(who, f"{label} {at}", doc.format(at), optional=True)


SCREENERS = ("screener_1", "screener_2", "screener_3")
"""The records of those who screen the target (3.2)."""

HOLDS = ("grapple", "skin-of-grappler", "skin-of-grappled")

_UNTRAINED = "-1 if untrained."
_SWARM = "In a fight, which then knows attack.swarm_others; alone it changes nothing."
_BOTH = "Left out: as the type and the ranges of the second weapon say."
_OTHER_SKILL = "Left out: the best one of weapon_2."
_PIERCES = "The GM's word; left out: heavy weapons and those that wreck machines do."
_EXPLODES = "Aimed at a point: also the shell of a tank's gun."
_AMBUSH = "With a weapon made for it, in melee range of an unsuspecting target."
_TARGETING_LOGIC = (
    "Of a drone that fires by itself: level of Drive or Program, the better, of the one who set it up."
)
_HOLD = "A hit without an attack roll as a round ends: of the grappler's fists, or of an electric skin (8.1)."
_ATTACK = (
    *fields(
        "attack",
        kind=choice("Kind of attack", "Left out: as the weapon is meant.", choices=common.KINDS),
        attribute=choice("Attribute used", "Left out: the better one.", choices=ATTRIBUTES),
        skill=choice("Skill used", "Left out: the best one.", choices=COMBAT_SKILLS),
        lethal=flag("Meant to kill", "With a weapon that leaves the choice."),
        burst=flag("Burst", "Three rounds."),
        snap=flag("Snap Attack"),
        steadied=flag("Snap Attack steadied", "By a Reaction Booster, once in a scene."),
        charge=flag("Charge"),
        charge_distance=metres("Run-up", most=1000),
        swarm_others=whole("Others in the swarm", "Surviving participants but this one.", most=20),
        swarm=flag("Made for a swarm", _SWARM),
        dual_wield=flag("Two weapons in hand", "Left out: so it is with a weapon_2."),
        both_in_range=flag("In range of both weapons", _BOTH),
        other_skill=choice("Skill of the other weapon", _OTHER_SKILL, choices=COMBAT_SKILLS),
        pierces=flag("Hurts what is immune", _PIERCES),
        hold=choice("Of a grapple", _HOLD, choices=HOLDS),
        shock_burst=flag("Shock Burst set off", "The weapon mod."),
        rested=flag("Weapon on a rest", "A stationary rest, for weapons that need one."),
        drone=flag("Made with a drone", "Which the attacker controls."),
        targeting_logic=whole("Improved Targeting Logic", _TARGETING_LOGIC, most=10),
        led=whole("Lead of the leader", f"{common.LED} the attacker follows.", most=10),
        attribute_modifier=whole("Modifier used", "", -5, 10, derived_from="attacker.attribute_modifier"),
        skill_level=whole("Level used", _UNTRAINED, -1, derived_from="attacker.skills"),
        other_skill_level=whole(
            "Level with the other weapon", _UNTRAINED, -1, derived_from="attack.other_skill"
        ),
        ambush=flag("Ambush", _AMBUSH, derived_from="weapon.ambush"),
        sure=flag("Cannot miss", "The focus Assassin, or a grapple.", derived_from="target.unsuspecting"),
        explodes=flag("With what explodes", _EXPLODES, derived_from="weapon.area"),
        gunlinked=flag("Aimed by a Gunlink", "A gun only (R14).", derived_from="attacker.cyberware"),
    ),
    *fields("", distance=metres("Distance", "From attacker to target.", 100_000, example=8)),
    *fields(
        "range",
        band=choice("Range", choices=common.BANDS, derived_from="distance"),
        adjacent=flag("Within melee range", derived_from="distance"),
    ),
)

_OTHER = ("name", "type", "skills", "range_normal", "range_long", "two_handed", "ready")
"""What counts of a weapon in the other hand (5.6)."""


def target_fields(who: str) -> tuple[Field, ...]:
    """A combatant who is attacked, and may suffer a Major Injury."""
    return kit.distinct(combatant_fields(who), common.victim_fields(who), injury_fields(who))


def _screener(who: str) -> Iterator[Field]:
    in_hand = "That of the weapon in hand. Left out: the best combat skill."
    yield from target_fields(who)
    yield from check_fields(who)
    yield from fields(who, screen_skill=choice("Skill of screening", in_hand, choices=COMBAT_SKILLS))


ATTACK = vocabulary(
    person("attacker", "Attacker"),
    person("target", "Target"),
    Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
    Record("weapon_2", "Weapon in the other hand", "weapon", "Of an attacker who fights with two.", True),
    *numbered(SCREENERS, "Screener", "A combatant who screens the target."),
    Record("attack", "How it is done"),
    combatant_fields("attacker"),
    common.fighter_fields("attacker"),
    check_fields("attacker"),
    target_fields("target"),
    (field for who in SCREENERS for field in _screener(who)),
    weapon_fields("weapon"),
    (field for field in weapon_fields("weapon_2") if field.path.removeprefix("weapon_2.") in _OTHER),
    _ATTACK,
)


VICTIMS = tuple(f"victim_{number}" for number in range(1, 9))
"""The records of people in reach, beside the target."""
PEOPLE = ("target", *VICTIMS)

AT_POINT, AT_TARGET, GOES_OFF, SET = "point", "target", "goes-off", "set"
AIMS = (AT_POINT, AT_TARGET, GOES_OFF, SET)
PROTECTIONS = ("eye-and-ear-protection", "ear-protection", "breathing-protection", "heavy-cover")
"""What a combatant wears, has or stands behind."""
STOPPING_FLAGS = {"flashbanged": "flashbanged", "flash-proof": "flash_proof", "dazzle-proof": "dazzle_proof"}
"""Words of a blast's ``stopped_by`` that are states of the victim, with their fields."""
STOPS = (*PROTECTIONS, *STOPPING_FLAGS)
MOUNTS = ("support", "prone", "vehicle-mount", "fixed-mount")
NO_SAVE = "none"
_METRES = 10_000


def _exposed(who: str) -> Iterator[Field]:
    against = "Against flashes, noise, gas and blasts; an empty list for none."
    spent = "In a turn that still goes on: what costs the next one costs that of the next round."
    yield from fields(
        who,
        protections=words("Protections", against, choices=PROTECTIONS, example=["breathing-protection"]),
        flash_proof=flag("Has withstood a flash", "In this round."),
        dazzle_proof=flag("Has been dazzled at before", "In this scene, by the same eyes."),
        main_gone=flag("Has spent its Main Action", spent),
        in_grapple=flag("In a grapple with the attacker", "Suffers the most that some blasts do."),
    )


def _people() -> Iterator[Field]:
    for who in PEOPLE:
        if who != "target":
            yield from target_fields(who)
        yield from _exposed(who)


_OPTIONAL = {"target": "Hit directly, or in the middle of it; may be left out."}
_RECORDS = tuple(
    record._replace(doc=_OPTIONAL.get(record.path, record.doc), optional=record.path in _OPTIONAL)
    for record in ATTACK.records.values()
    if record.path not in SCREENERS
)
_VICTIM_RECORDS = tuple(
    person(who, f"Victim {number}", "A friend or foe in reach, beside the target.")
    for number, who in enumerate(VICTIMS, start=1)
)
_OF_ATTACKS = (field for field in ATTACK.fields.values() if not field.path.startswith(SCREENERS))
_COMMON = (*_OF_ATTACKS, *_people())
_CONDITIONS = "Of those who fail the save, or of all in reach where there is none."
_LIKE = "A weapon; of a launcher the grenade that is loaded."
_LOADED_GRENADE = "Of a launcher; given when it is loaded, a fight remembers it."
_BLAST = (
    *fields(
        "",
        aim=choice(
            "Aimed at",
            "point: an attack roll against the AC of a place. target: against a combatant that the weapon hits "
            "directly. goes-off: it lies there, or is worn, and goes off. set: it is laid, and goes off later. Left "
            "out: goes-off for what has no range, the target where one is given and the weapon strikes one, "
            "else a point.",
            choices=AIMS,
        ),
        fuse_rounds=whole("Fuse", "Rounds until what is set goes off. Left out: no fuse.", 1),
        spotted_rounds=whole("Rounds with a spotter", "Further ones at the same target: a mortar.", most=20),
    ),
    *fields("attacker", pod_aimed=whole("Rounds of aiming", "Of a Headshot Pod.", most=100)),
    *fields(
        "weapon",
        minimum_range=metres("Least distance", "Of what flies in an arc.", 1000),
        loaded_grenade=entry("Grenade loaded", _LOADED_GRENADE, entry_kind="weapon", example="grenade-frag"),
    ),
    *fields(
        "blast",
        like=entry("Blast like that of", _LIKE, entry_kind="weapon", example="grenade-frag"),
        aim_ac=whole("Armor Class of the point", "Left out: that of the weapon.", most=60),
        scatter=text("Scatter", "Dice of metres by which a miss goes astray.", most=20, example="1d10"),
        reach=metres("Reach", "The radius, or the length of a cone or line.", 1000),
        damage=text("Damage of the blast", "Where it is not the weapon's own.", most=20, example="2d6"),
        save=choice("Saving throw", choices=(*SAVES, NO_SAVE)),
        on_save=choice("On a save", "What a save leaves of it.", choices=("half", "nothing")),
        armor_over=whole("Armor counts above", "Each point of melee AC above it takes one off.", most=60),
        ignores_armor=flag("Ignores armor", "Neither AC nor Soak lessens it."),
        stopped_by=words("Stopped by", "Any one of them does.", choices=STOPS),
        cover_halves=flag("Cover halves", "Heavy cover halves what is left of it."),
        conditions=kit.entries("Conditions", _CONDITIONS, entry_kind="condition"),
        saved=kit.entries("Conditions after a save", "Of those who make it.", entry_kind="condition"),
        inside=kit.entries("Conditions inside", "Of all in reach in any case.", entry_kind="condition"),
        lasts=whole("Lasts", "Rounds for which it stays; over at once if left out."),
    ),
)

AREA = vocabulary(*_RECORDS, *_VICTIM_RECORDS, _COMMON)
"""What strikes everybody near without being aimed at a point."""

_BEARING = "Degrees: 0 is beyond it as the attacker sees it, 90 to the right, 180 on this side of it."
_BLAST_DISTANCE = "Metres, measured where it goes off; scatter does not change it any more."
_FROM_POINT = (
    "With scatter the distance from the blast follows. Left out: at the point, or in reach where none is "
    "aimed at."
)
BLAST = vocabulary(
    *_RECORDS,
    Record("blast", "What the blast does", "", "In place of what the weapon says."),
    *_VICTIM_RECORDS,
    _COMMON,
    fields(
        *PEOPLE,
        blast_distance=kit.number("Distance from the blast", _BLAST_DISTANCE, most=_METRES, example=2),
        distance=metres("Distance from the point aimed at", _FROM_POINT, example=3),
        bearing=kit.number("Bearing from the point aimed at", _BEARING, most=360, example=90),
    ),
    _BLAST,
)

_STEADY = "What the weapon needs for suppressive fire is there."
_MOUNTS = "A support it is braced on, the ground under a prone gunner, or a mount."
SUPPRESSION = vocabulary(
    *_RECORDS,
    Record("fire", "How it is done"),
    *_VICTIM_RECORDS,
    _COMMON,
    fields(
        "fire",
        mounts=words("What steadies the weapon", _MOUNTS, choices=MOUNTS),
        steady=flag("Steady enough", _STEADY, derived_from="fire.mounts"),
    ),
    fields(*PEOPLE, distance=metres("Distance", "From the shooter.", 100_000, example=40)),
)
