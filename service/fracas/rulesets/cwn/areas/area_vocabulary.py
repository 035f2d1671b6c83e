"""What a request may say of whatever strikes several people: explosions, suppressive fire, a whirl of blows.

All of them read what an attack reads, so that every modifier of its numbers counts here too; each victim is a record of
its own. Rulebook sections 5.6 to 5.8 and 10.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import (
    choice,
    entries,
    entry,
    fields,
    flag,
    number,
    person,
    text,
    vocabulary,
    whole,
    words,
)
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK, SCREENERS, target_fields
from fracas.rulesets.cwn.checks.saves import KINDS as SAVES

VICTIMS = tuple(f"victim_{number}" for number in range(1, 9))
"""The records of people in reach, beside the target."""
PEOPLE = ("target", *VICTIMS)

AT_POINT, AT_TARGET, GOES_OFF, SET = "point", "target", "goes-off", "set"
AIMS = (AT_POINT, AT_TARGET, GOES_OFF, SET)
PROTECTIONS = (
    "eye-and-ear-protection",
    "ear-protection",
    "breathing-protection",
    "heavy-cover",
)
"""What somebody wears, has or stands behind."""
STOPPING_FLAGS = {"flashbanged": "flashbanged", "flash-proof": "flash_proof", "dazzle-proof": "dazzle_proof"}
"""Words of a blast's ``stopped_by`` that are states of the victim, with their fields."""
STOPS = (*PROTECTIONS, *STOPPING_FLAGS)
MOUNTS = ("support", "prone", "vehicle-mount", "fixed-mount")
NO_SAVE = "none"
_METRES = 10_000


def _where(who: str) -> Iterator[Field]:
    yield from fields(
        who,
        blast_distance=number(
            "Distance from the blast",
            "Metres, measured where it goes off; scatter does not change it any more.",
            most=_METRES,
            example=2,
        ),
        distance=number(
            "Distance from the point aimed at",
            "Metres; with scatter the distance from the blast follows. Left out: at the point, or in "
            "reach where none is "
            "aimed at.",
            most=_METRES,
            example=3,
        ),
        bearing=number(
            "Bearing from the point aimed at",
            "Degrees: 0 is beyond it as the attacker sees it, 90 to the right, 180 on this side of it.",
            most=360,
            example=90,
        ),
    )


def _exposed(who: str) -> Iterator[Field]:
    yield from fields(
        who,
        protections=words(
            "Protections",
            "Against flashes, noise, gas and blasts; an empty list for none.",
            choices=PROTECTIONS,
            example=["breathing-protection"],
        ),
        flash_proof=flag("Has withstood a flash", "In this round."),
        dazzle_proof=flag("Has been dazzled at before", "In this scene, by the same eyes."),
        main_gone=flag(
            "Has spent its Main Action",
            "In a turn that still goes on: what costs the next one costs that of the next round.",
        ),
        in_grapple=flag("In a grapple with the attacker", "Suffers the most that some blasts do."),
    )


def _of_attacks() -> Iterator[Field]:
    """What an attack reads, but for those who screen somebody."""
    for path, field in ATTACK.fields.items():
        if path.partition(".")[0] not in SCREENERS:
            yield field


def _people() -> Iterator[Field]:
    for who in PEOPLE:
        if who != "target":
            yield from target_fields(who)
        yield from _exposed(who)


_OPTIONAL = {"target": "Whoever is hit directly, or is in the middle of it; may be left out."}
_RECORDS = tuple(
    record._replace(doc=_OPTIONAL.get(record.path, record.doc), optional=record.path in _OPTIONAL)
    for record in ATTACK.records.values()
    if record.path not in SCREENERS
)
_VICTIM_RECORDS = tuple(
    person(who, f"Victim {number}", "Somebody in reach, friend or foe, beside the target.")
    for number, who in enumerate(VICTIMS, start=1)
)
_COMMON = (*_of_attacks(), *_people())
_BLAST = (
    *fields(
        "",
        aim=choice(
            "Aimed at",
            "point: an attack roll against the AC of a place. target: against a combatant that the "
            "weapon hits directly. "
            "goes-off: it lies there, or is worn, and goes off. set: it is laid, and goes off later. "
            "Left out: goes-off "
            "for what has no range, the target where one is given and the weapon strikes somebody, else a point.",
            choices=AIMS,
        ),
        fuse_rounds=whole(
            "Fuse", "Rounds until what is set goes off. Left out: no fuse.", least=1, most=1000
        ),
        spotted_rounds=whole("Rounds with a spotter", "Further ones at the same target: a mortar.", most=20),
    ),
    *fields("attacker", pod_aimed=whole("Rounds of aiming", "Of a Headshot Pod.", most=100)),
    *fields(
        "weapon",
        minimum_range=number("Least distance", "Metres, of what flies in an arc.", most=1000),
        loaded_grenade=entry(
            "Grenade loaded",
            "Of a launcher; said when it is loaded, a fight remembers it.",
            entry_kind="weapon",
            example="grenade-frag",
        ),
    ),
    *fields(
        "blast",
        like=entry(
            "Blast like that of",
            "A weapon; of a launcher the grenade that is loaded.",
            entry_kind="weapon",
            example="grenade-frag",
        ),
        aim_ac=whole("Armor Class of the point", "Left out: that of the weapon.", most=60),
        scatter=text("Scatter", "Dice of metres by which a miss goes astray.", most=20, example="1d10"),
        reach=number("Reach", "Metres: the radius, or the length of a cone or line.", most=1000),
        damage=text("Damage of the blast", "Where it is not the weapon's own.", most=20, example="2d6"),
        save=choice("Saving throw", choices=(*SAVES, NO_SAVE)),
        on_save=choice("On a save", "What a save leaves of it.", choices=("half", "nothing")),
        armor_over=whole("Armor counts above", "Each point of melee AC above it takes one off.", most=60),
        ignores_armor=flag("Ignores armor", "Neither AC nor Soak lessens it."),
        stopped_by=words("Stopped by", "Any one of them does.", choices=STOPS),
        cover_halves=flag("Cover halves", "Heavy cover halves what is left of it."),
        conditions=entries(
            "Conditions",
            "Of those who fail the save, or of all in reach where there is none.",
            entry_kind="condition",
        ),
        saved=entries("Conditions after a save", "Of those who make it.", entry_kind="condition"),
        inside=entries("Conditions inside", "Of all in reach in any case.", entry_kind="condition"),
        lasts=whole("Lasts", "Rounds for which it stays; over at once if left out.", most=1000),
    ),
)

AREA = vocabulary(
    *_RECORDS,
    *_VICTIM_RECORDS,
    _COMMON,
)
"""What strikes everybody near without being aimed at a point."""

BLAST = vocabulary(
    *_RECORDS,
    Record("blast", "What the blast does", "", "In place of what the weapon says."),
    *_VICTIM_RECORDS,
    _COMMON,
    (field for who in PEOPLE for field in _where(who)),
    _BLAST,
)

SUPPRESSION = vocabulary(
    *_RECORDS,
    Record("fire", "How it is done"),
    *_VICTIM_RECORDS,
    _COMMON,
    fields(
        "fire",
        mounts=words(
            "What steadies the weapon",
            "A support it is braced on, the ground under a prone gunner, or a mount.",
            choices=MOUNTS,
        ),
        steady=flag(
            "Steady enough",
            "What the weapon needs for suppressive fire is there.",
            derived_from="fire.mounts",
        ),
    ),
    (
        Field(f"{who}.distance", "number", "Distance", "Metres from the shooter.", most=100_000, example=40)
        for who in PEOPLE
    ),
)
