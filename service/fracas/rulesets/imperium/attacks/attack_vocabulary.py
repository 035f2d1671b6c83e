"""What a request may say of a shot, a throw or an attack in close combat.

Rulebook sections 3.2, 5, 6, 10 and 12. A field that is left out is unknown; the doc says so where leaving it out has a
meaning of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, entries, entry, fields, flag, number, text, whole, words
from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.imperium.harms.body import body_fields
from fracas.rulesets.imperium.vocabulary import (
    ACTIONS,
    AMMUNITION,
    BANDS,
    FEATURES,
    GRANTS,
    LOCATIONS,
    MATERIALS,
    MODES,
    PACES,
    PIECES,
    SILENCERS,
    TYPES,
    VISIBILITY,
    combatant_fields,
)

OTHERS = tuple(f"other_{number}" for number in range(1, 9))
"""The records of further people: other targets of full automatic fire, or the combatants that a blast may reach."""
PEOPLE = ("target", *OTHERS)


def _target_fields(who: str) -> Iterator[Field]:
    """A combatant who is attacked."""
    have = tuple(combatant_fields(who))
    yield from have
    yield from body_fields(who, have)
    yield from fields(
        who,
        object=flag(
            "Object",
            "A wall, a parked vehicle and the like: it stands still, is no character, and has no injuries.",
        ),
        aware=flag("Aware of the attacker"),
        pace=choice("Last movement", "The fastest of its last round.", choices=PACES),
        cover=whole("Cover", "Points off the damage to locations behind it. Left out: none.", most=200),
        behind_cover=words("Behind cover", "Locations that the cover hides.", choices=LOCATIONS),
    )


def _weapon(path: str) -> Iterator[Field]:
    """The fields that matter of any weapon in hand, of either side."""
    yield from fields(
        path,
        name=text("Name", most=80),
        type=choice("Type", choices=TYPES),
        features=words("Features", "An empty list for none.", choices=FEATURES),
        parry_penalty=whole(
            "Parry Penalty", "Added to an opponent's chance to hit.", least=-100, most=0, example=-15
        ),
        may_parry=flag("Can parry"),
        encumbrance=whole("Encumbrance", "Without what is fixed to it.", most=500),
        mods=entries(
            "Fixed to it",
            "Silencers and combat accessories; an empty list for none.",
            entry_kind="mod",
            example=["removable-silencer"],
        ),
        fixed=entry(
            "One more thing fixed to it",
            "Beside the others; a fight remembers it of the weapon.",
            entry_kind="mod",
            example="bayonet",
        ),
        mundane_weapon=entry(
            "Ordinary counterpart",
            "The weapon that this one is for users without psychic powers.",
            entry_kind="weapon",
            example="sword",
        ),
    )


_WEAPON = (
    *_weapon("weapon"),
    *fields(
        "weapon",
        damage=text("Damage", "Dice, and what is added.", most=20, example="2d10+4"),
        ws_modifier=whole("WS modifier", "In close combat.", least=-100, most=100, example=10),
        requires=words(
            "Needs", "What the user's abilities must allow; an empty list for nothing.", choices=GRANTS
        ),
        stationary_damage=text(
            "More damage to what stands still",
            "Dice against walls, parked vehicles and the like. Left out: none.",
            most=20,
            example="3d6",
        ),
        short=number("Short range", "Yards, upper limit.", most=10_000),
        medium=number("Medium range", "Yards, upper limit.", most=10_000),
        long=number("Long range", "Yards, upper limit; extreme range is twice it.", most=10_000),
        throw_short=whole("Short throw", "Yards are Strength divided by it.", least=1, most=100),
        throw_medium=whole("Medium throw", "Yards are Strength divided by it.", least=1, most=100),
        throw_long=whole("Long throw", "Yards are Strength divided by it.", least=1, most=100),
        blast=number("Blast", "Yards around the point hit. Left out: none.", most=1000),
        modes=words("Firing modes", choices=MODES),
        semi_least=whole("Fewest shots, semi-automatic", least=1, most=100, example=2),
        semi_most=whole("Most shots, semi-automatic", least=1, most=100, example=4),
        capacity=whole("Capacity", "Shots it holds."),
        rounds=whole("Shots loaded"),
        loaded_directly=flag("Loaded directly", "Without a magazine."),
        reload=whole("Reload", "Actions from empty to full.", least=1, most=100),
        one_shot=flag("One shot", "Cannot be reloaded."),
        ammunition=words(
            "Ammunition",
            "Kinds with a name that it takes; an empty list for none of these.",
            choices=AMMUNITION,
        ),
        silencer=choice("Silencer", choices=("none", *SILENCERS), derived_from="weapon.mods"),
        excess=whole(
            "Encumbrance beyond the Strength",
            "Points, of the weapon with all that is fixed to it; one arm has half the Strength.",
            derived_from="weapon.encumbrance",
        ),
    ),
)

_ARMOR = (
    *fields(
        "armor",
        name=text("Name", most=80),
        piece=choice("Piece", choices=PIECES),
        material=choice("Material", choices=MATERIALS),
        value=whole("Value", "Points off the damage to its locations.", most=200, example=4),
        locations=words("Protects", "Locations; an empty list for none.", choices=LOCATIONS),
        limited=flag("Protects in part"),
        field_dice=text(
            "Dice of a force field",
            "Points off each hit, before armor. Left out: no force field.",
            most=20,
            example="1d10",
        ),
    ),
)

_ACTION = (
    *fields(
        "action",
        merged=flag("Merged", "Two actions share one; the chance is halved last (3.2)."),
        merged_with=choice("Merged with", "The other action of the pair.", choices=ACTIONS),
        arm=choice("Arm used", "Left out: both.", choices=("right", "left", "both")),
        arm_injury=whole(
            "Injury of the arm used",
            "Level; of two arms the worse.",
            most=5,
            derived_from="attacker.injuries",
        ),
    ),
)

_COMMON = (
    *combatant_fields("attacker"),
    *fields(
        "attacker",
        hands_off=flag(
            "Both hands off the reins",
            "Of a rider, who must not fall. Left out: a hand holds them, unless it is said that both arms are used.",
        ),
    ),
    *_target_fields("target"),
    *_WEAPON,
    *_ARMOR,
    *_ACTION,
)

_RECORDS = (
    Record("attacker", "Attacker", "combatant", "A combatant of the packs, or fields of one, or both."),
    Record("target", "Target", "combatant", "A combatant of the packs, or fields of one, or both."),
    Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
    Record("armor", "Armor hit", "armor", "One piece, in place of all that the target wears."),
    Record("action", "The action"),
)

_OTHER_RECORDS = tuple(
    Record(
        who,
        f"Further person {number}",
        "combatant",
        "A further target of full automatic fire; or anyone in reach of a blast, friend or foe.",
        optional=True,
    )
    for number, who in enumerate(OTHERS, start=1)
)


def _other_fields(who: str) -> Iterator[Field]:
    yield from _target_fields(who)
    yield from fields(
        who,
        distance=number("Distance", "Yards from the attacker.", most=100_000),
        from_target=number(
            "Distance from the blast",
            "Yards from where the grenade lands. Left out: in reach.",
            most=100_000,
            example=2,
        ),
    )


SHOOTING = Vocabulary(
    (*_RECORDS, Record("fire", "How it is fired"), *_OTHER_RECORDS),
    (
        *_COMMON,
        *(field for who in OTHERS for field in _other_fields(who)),
        *fields(
            "attacker",
            aim=whole("Aim actions", "Consecutive ones, not lost since; a third adds nothing.", most=20),
        ),
        *fields(
            "fire",
            mode=choice("Firing mode", choices=MODES, example="single"),
            shots=whole(
                "Shots",
                "Of this action; full automatic fire splits them evenly over the targets, the first "
                "ones getting what is "
                "left over.",
                least=1,
                most=100,
                example=1,
            ),
            aims_at=choice(
                "Aims at",
                "Of a mounted target; only an attacker who has aimed may choose.",
                choices=("rider", "mount"),
            ),
        ),
        *fields(
            "",
            distance=number("Distance", "Yards.", most=100_000, example=15),
            visibility=words(
                "Bad sight", "Everything between the two; an empty list for nothing.", choices=VISIBILITY
            ),
        ),
        *fields("range", band=choice("Range", choices=BANDS, derived_from="distance")),
    ),
)

CLOSE_COMBAT = Vocabulary(
    (
        *_RECORDS,
        Record("attack", "How it is done"),
        Record("parry", "The target's weapon", "weapon", "What the target holds to parry with."),
        Record(
            "accessory", "Accessory used", "mod", "The blade on a gun that strikes in place of the weapon."
        ),
    ),
    (
        *_COMMON,
        *fields(
            "attack",
            charge=flag("Free attack of a charge", "Not where the two simply run into each other."),
            shot=flag(
                "Pistol shot", "A pistol fired in close combat, with Weapon Skill. Left out: it is not fired."
            ),
            direction=choice("Comes from", "As the target faces.", choices=("front", "side", "rear")),
            evades_height=flag(
                "Evades the rider's height", "On foot against a rider: has chosen to avoid that penalty."
            ),
        ),
        *_weapon("parry"),
        *fields(
            "parry",
            one_handed=flag("Held in one hand", "One arm has half the Strength."),
            excess=whole(
                "Encumbrance beyond the target's Strength", "Points.", derived_from="parry.encumbrance"
            ),
        ),
        *fields(
            "accessory",
            name=text("Name", most=80),
            damage=text("Damage", "Dice, and what is added.", most=20, example="1d6"),
            ws_modifier=whole("WS modifier", least=-100, most=100),
            parry_penalty=whole("Parry Penalty", "Added to an opponent's chance to hit.", least=-100, most=0),
            encumbrance=whole("Encumbrance", "Added to the gun's.", most=500),
            requires=words(
                "Needs", "What the user's abilities must allow; an empty list for nothing.", choices=GRANTS
            ),
            fits=words("Fits", "Types of gun that it can be fixed to.", choices=TYPES),
        ),
    ),
)
