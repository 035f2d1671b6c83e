"""What a request may say of a shot, a throw or an attack in close combat.

Rulebook sections 3.2, 5, 6, 10 and 12. A field that is left out is unknown; the doc says so where leaving it out has a
meaning of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    yield Field(
        f"{who}.object",
        "flag",
        "Object",
        "A wall, a parked vehicle and the like: it stands still, is no character, and has no injuries.",
    )
    yield Field(f"{who}.aware", "flag", "Aware of the attacker")
    yield Field(f"{who}.pace", "choice", "Last movement", "The fastest of its last round.", choices=PACES)
    yield Field(
        f"{who}.cover",
        "whole",
        "Cover",
        "Points off the damage to locations behind it. Left out: none.",
        most=200,
    )
    yield Field(
        f"{who}.behind_cover", "words", "Behind cover", "Locations that the cover hides.", choices=LOCATIONS
    )


def _weapon(path: str) -> Iterator[Field]:
    """The fields that matter of any weapon in hand, of either side."""
    yield Field(f"{path}.name", "text", "Name", most=80)
    yield Field(f"{path}.type", "choice", "Type", choices=TYPES)
    yield Field(f"{path}.features", "words", "Features", "An empty list for none.", choices=FEATURES)
    yield Field(
        f"{path}.parry_penalty",
        "whole",
        "Parry Penalty",
        "Added to an opponent's chance to hit.",
        least=-100,
        most=0,
        example=-15,
    )
    yield Field(f"{path}.may_parry", "flag", "Can parry")
    yield Field(f"{path}.encumbrance", "whole", "Encumbrance", "Without what is fixed to it.", most=500)
    yield Field(
        f"{path}.mods",
        "entries",
        "Fixed to it",
        "Silencers and combat accessories; an empty list for none.",
        entry_kind="mod",
        example=["removable-silencer"],
    )
    yield Field(
        f"{path}.fixed",
        "entry",
        "One more thing fixed to it",
        "Beside the others; a fight remembers it of the weapon.",
        entry_kind="mod",
        example="bayonet",
    )
    yield Field(
        f"{path}.mundane_weapon",
        "entry",
        "Ordinary counterpart",
        "The weapon that this one is for users without psychic powers.",
        entry_kind="weapon",
        example="sword",
    )


_WEAPON = (
    *_weapon("weapon"),
    Field("weapon.damage", "text", "Damage", "Dice, and what is added.", most=20, example="2d10+4"),
    Field("weapon.ws_modifier", "whole", "WS modifier", "In close combat.", least=-100, most=100, example=10),
    Field(
        "weapon.requires",
        "words",
        "Needs",
        "What the user's abilities must allow; an empty list for nothing.",
        choices=GRANTS,
    ),
    Field(
        "weapon.stationary_damage",
        "text",
        "More damage to what stands still",
        "Dice against walls, parked vehicles and the like. Left out: none.",
        most=20,
        example="3d6",
    ),
    Field("weapon.short", "number", "Short range", "Yards, upper limit.", most=10_000),
    Field("weapon.medium", "number", "Medium range", "Yards, upper limit.", most=10_000),
    Field(
        "weapon.long", "number", "Long range", "Yards, upper limit; extreme range is twice it.", most=10_000
    ),
    Field(
        "weapon.throw_short", "whole", "Short throw", "Yards are Strength divided by it.", least=1, most=100
    ),
    Field(
        "weapon.throw_medium", "whole", "Medium throw", "Yards are Strength divided by it.", least=1, most=100
    ),
    Field("weapon.throw_long", "whole", "Long throw", "Yards are Strength divided by it.", least=1, most=100),
    Field("weapon.blast", "number", "Blast", "Yards around the point hit. Left out: none.", most=1000),
    Field("weapon.modes", "words", "Firing modes", choices=MODES),
    Field("weapon.semi_least", "whole", "Fewest shots, semi-automatic", least=1, most=100, example=2),
    Field("weapon.semi_most", "whole", "Most shots, semi-automatic", least=1, most=100, example=4),
    Field("weapon.capacity", "whole", "Capacity", "Shots it holds."),
    Field("weapon.rounds", "whole", "Shots loaded"),
    Field("weapon.loaded_directly", "flag", "Loaded directly", "Without a magazine."),
    Field("weapon.reload", "whole", "Reload", "Actions from empty to full.", least=1, most=100),
    Field("weapon.one_shot", "flag", "One shot", "Cannot be reloaded."),
    Field(
        "weapon.ammunition",
        "words",
        "Ammunition",
        "Kinds with a name that it takes; an empty list for none of these.",
        choices=AMMUNITION,
    ),
    Field("weapon.silencer", "choice", "Silencer", choices=("none", *SILENCERS), derived_from="weapon.mods"),
    Field(
        "weapon.excess",
        "whole",
        "Encumbrance beyond the Strength",
        "Points, of the weapon with all that is fixed to it; one arm has half the Strength.",
        derived_from="weapon.encumbrance",
    ),
)

_ARMOR = (
    Field("armor.name", "text", "Name", most=80),
    Field("armor.piece", "choice", "Piece", choices=PIECES),
    Field("armor.material", "choice", "Material", choices=MATERIALS),
    Field("armor.value", "whole", "Value", "Points off the damage to its locations.", most=200, example=4),
    Field("armor.locations", "words", "Protects", "Locations; an empty list for none.", choices=LOCATIONS),
    Field("armor.limited", "flag", "Protects in part"),
    Field(
        "armor.field_dice",
        "text",
        "Dice of a force field",
        "Points off each hit, before armor. Left out: no force field.",
        most=20,
        example="1d10",
    ),
)

_ACTION = (
    Field("action.merged", "flag", "Merged", "Two actions share one; the chance is halved last (3.2)."),
    Field("action.merged_with", "choice", "Merged with", "The other action of the pair.", choices=ACTIONS),
    Field("action.arm", "choice", "Arm used", "Left out: both.", choices=("right", "left", "both")),
    Field(
        "action.arm_injury",
        "whole",
        "Injury of the arm used",
        "Level; of two arms the worse.",
        most=5,
        derived_from="attacker.injuries",
    ),
)

_COMMON = (
    *combatant_fields("attacker"),
    Field(
        "attacker.hands_off",
        "flag",
        "Both hands off the reins",
        "Of a rider, who must not fall. Left out: a hand holds them, unless it is said that both arms are used.",
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
    yield Field(f"{who}.distance", "number", "Distance", "Yards from the attacker.", most=100_000)
    yield Field(
        f"{who}.from_target",
        "number",
        "Distance from the blast",
        "Yards from where the grenade lands. Left out: in reach.",
        most=100_000,
        example=2,
    )


SHOOTING = Vocabulary(
    (*_RECORDS, Record("fire", "How it is fired"), *_OTHER_RECORDS),
    (
        *_COMMON,
        *(field for who in OTHERS for field in _other_fields(who)),
        Field(
            "attacker.aim",
            "whole",
            "Aim actions",
            "Consecutive ones, not lost since; a third adds nothing.",
            most=20,
        ),
        Field("fire.mode", "choice", "Firing mode", choices=MODES, example="single"),
        Field(
            "fire.shots",
            "whole",
            "Shots",
            "Of this action; full automatic fire splits them evenly over the targets, the first ones getting what is "
            "left over.",
            least=1,
            most=100,
            example=1,
        ),
        Field(
            "fire.aims_at",
            "choice",
            "Aims at",
            "Of a mounted target; only an attacker who has aimed may choose.",
            choices=("rider", "mount"),
        ),
        Field("distance", "number", "Distance", "Yards.", most=100_000, example=15),
        Field(
            "visibility",
            "words",
            "Bad sight",
            "Everything between the two; an empty list for nothing.",
            choices=VISIBILITY,
        ),
        Field("range.band", "choice", "Range", choices=BANDS, derived_from="distance"),
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
        Field(
            "attack.charge",
            "flag",
            "Free attack of a charge",
            "Not where the two simply run into each other.",
        ),
        Field(
            "attack.shot",
            "flag",
            "Pistol shot",
            "A pistol fired in close combat, with Weapon Skill. Left out: it is not fired.",
        ),
        Field(
            "attack.direction",
            "choice",
            "Comes from",
            "As the target faces.",
            choices=("front", "side", "rear"),
        ),
        Field(
            "attack.evades_height",
            "flag",
            "Evades the rider's height",
            "On foot against a rider: has chosen to avoid that penalty.",
        ),
        *_weapon("parry"),
        Field("parry.one_handed", "flag", "Held in one hand", "One arm has half the Strength."),
        Field(
            "parry.excess",
            "whole",
            "Encumbrance beyond the target's Strength",
            "Points.",
            derived_from="parry.encumbrance",
        ),
        Field("accessory.name", "text", "Name", most=80),
        Field("accessory.damage", "text", "Damage", "Dice, and what is added.", most=20, example="1d6"),
        Field("accessory.ws_modifier", "whole", "WS modifier", least=-100, most=100),
        Field(
            "accessory.parry_penalty",
            "whole",
            "Parry Penalty",
            "Added to an opponent's chance to hit.",
            least=-100,
            most=0,
        ),
        Field("accessory.encumbrance", "whole", "Encumbrance", "Added to the gun's.", most=500),
        Field(
            "accessory.requires",
            "words",
            "Needs",
            "What the user's abilities must allow; an empty list for nothing.",
            choices=GRANTS,
        ),
        Field("accessory.fits", "words", "Fits", "Types of gun that it can be fixed to.", choices=TYPES),
    ),
)
