"""What a request may say of whatever strikes several people: explosions, suppressive fire, a whirl of blows.

All of them read what an attack reads, so that every modifier of its numbers counts here too; each victim is a record of
its own. Rulebook sections 5.6 to 5.8 and 10.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.vocabulary import Field, Record, Vocabulary
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
    yield Field(
        f"{who}.blast_distance",
        "number",
        "Distance from the blast",
        "Metres, measured where it goes off; scatter does not change it any more.",
        most=_METRES,
        example=2,
    )
    yield Field(
        f"{who}.distance",
        "number",
        "Distance from the point aimed at",
        "Metres; with scatter the distance from the blast follows. Left out: at the point, or in reach where none is "
        "aimed at.",
        most=_METRES,
        example=3,
    )
    yield Field(
        f"{who}.bearing",
        "number",
        "Bearing from the point aimed at",
        "Degrees: 0 is beyond it as the attacker sees it, 90 to the right, 180 on this side of it.",
        most=360,
        example=90,
    )


def _exposed(who: str) -> Iterator[Field]:
    yield Field(
        f"{who}.protections",
        "words",
        "Protections",
        "Against flashes, noise, gas and blasts; an empty list for none.",
        choices=PROTECTIONS,
        example=["breathing-protection"],
    )
    yield Field(f"{who}.flash_proof", "flag", "Has withstood a flash", "In this round.")
    yield Field(
        f"{who}.dazzle_proof", "flag", "Has been dazzled at before", "In this scene, by the same eyes."
    )
    yield Field(
        f"{who}.main_gone",
        "flag",
        "Has spent its Main Action",
        "In a turn that still goes on: what costs the next one costs that of the next round.",
    )
    yield Field(
        f"{who}.in_grapple", "flag", "In a grapple with the attacker", "Suffers the most that some blasts do."
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
    Record(who, f"Victim {number}", "combatant", "Somebody in reach, friend or foe, beside the target.")
    for number, who in enumerate(VICTIMS, start=1)
)
_COMMON = (*_of_attacks(), *_people())
_BLAST = (
    Field(
        "aim",
        "choice",
        "Aimed at",
        "point: an attack roll against the AC of a place. target: against a combatant that the weapon hits directly. "
        "goes-off: it lies there, or is worn, and goes off. set: it is laid, and goes off later. Left out: goes-off "
        "for what has no range, the target where one is given and the weapon strikes somebody, else a point.",
        choices=AIMS,
    ),
    Field(
        "fuse_rounds",
        "whole",
        "Fuse",
        "Rounds until what is set goes off. Left out: no fuse.",
        least=1,
        most=1000,
    ),
    Field(
        "spotted_rounds",
        "whole",
        "Rounds with a spotter",
        "Further ones at the same target: a mortar.",
        most=20,
    ),
    Field("attacker.pod_aimed", "whole", "Rounds of aiming", "Of a Headshot Pod.", most=100),
    Field("weapon.minimum_range", "number", "Least distance", "Metres, of what flies in an arc.", most=1000),
    Field(
        "weapon.loaded_grenade",
        "entry",
        "Grenade loaded",
        "Of a launcher; said when it is loaded, a fight remembers it.",
        entry_kind="weapon",
        example="grenade-frag",
    ),
    Field(
        "blast.like",
        "entry",
        "Blast like that of",
        "A weapon; of a launcher the grenade that is loaded.",
        entry_kind="weapon",
        example="grenade-frag",
    ),
    Field("blast.aim_ac", "whole", "Armor Class of the point", "Left out: that of the weapon.", most=60),
    Field(
        "blast.scatter",
        "text",
        "Scatter",
        "Dice of metres by which a miss goes astray.",
        most=20,
        example="1d10",
    ),
    Field(
        "blast.reach", "number", "Reach", "Metres: the radius, or the length of a cone or line.", most=1000
    ),
    Field(
        "blast.damage",
        "text",
        "Damage of the blast",
        "Where it is not the weapon's own.",
        most=20,
        example="2d6",
    ),
    Field("blast.save", "choice", "Saving throw", choices=(*SAVES, NO_SAVE)),
    Field("blast.on_save", "choice", "On a save", "What a save leaves of it.", choices=("half", "nothing")),
    Field(
        "blast.armor_over",
        "whole",
        "Armor counts above",
        "Each point of melee AC above it takes one off.",
        most=60,
    ),
    Field("blast.ignores_armor", "flag", "Ignores armor", "Neither AC nor Soak lessens it."),
    Field("blast.stopped_by", "words", "Stopped by", "Any one of them does.", choices=STOPS),
    Field("blast.cover_halves", "flag", "Cover halves", "Heavy cover halves what is left of it."),
    Field(
        "blast.conditions",
        "entries",
        "Conditions",
        "Of those who fail the save, or of all in reach where there is none.",
        entry_kind="condition",
    ),
    Field(
        "blast.saved", "entries", "Conditions after a save", "Of those who make it.", entry_kind="condition"
    ),
    Field(
        "blast.inside", "entries", "Conditions inside", "Of all in reach in any case.", entry_kind="condition"
    ),
    Field("blast.lasts", "whole", "Lasts", "Rounds for which it stays; over at once if left out.", most=1000),
)

AREA = Vocabulary((*_RECORDS, *_VICTIM_RECORDS), _COMMON)
"""What strikes everybody near without being aimed at a point."""

BLAST = Vocabulary(
    (
        *_RECORDS,
        Record("blast", "What the blast does", "", "In place of what the weapon says."),
        *_VICTIM_RECORDS,
    ),
    (*_COMMON, *(field for who in PEOPLE for field in _where(who)), *_BLAST),
)

SUPPRESSION = Vocabulary(
    (*_RECORDS, Record("fire", "How it is done"), *_VICTIM_RECORDS),
    (
        *_COMMON,
        Field(
            "fire.mounts",
            "words",
            "What steadies the weapon",
            "A support it is braced on, the ground under a prone gunner, or a mount.",
            choices=MOUNTS,
        ),
        Field(
            "fire.steady",
            "flag",
            "Steady enough",
            "What the weapon needs for suppressive fire is there.",
            derived_from="fire.mounts",
        ),
        *(
            Field(
                f"{who}.distance", "number", "Distance", "Metres from the shooter.", most=100_000, example=40
            )
            for who in PEOPLE
        ),
    ),
)
