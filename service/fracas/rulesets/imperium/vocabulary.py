"""What a request may say of a shot, a throw or an attack in close combat in the Inquisitor universe.

Characteristics are percentages, distances yards. A field that is left out is unknown; the doc says so where
leaving it out has a meaning of its own. Section numbers are those of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.vocabulary import Field, Record, Vocabulary

CHARACTERISTICS = (
    "weapon_skill",
    "ballistic_skill",
    "strength",
    "toughness",
    "initiative",
    "willpower",
    "sagacity",
    "nerve",
    "leadership",
)
LOCATIONS = ("right-leg", "left-leg", "body", "right-arm", "left-arm", "head")
LEVELS = ("none", "light", "heavy", "serious", "acute", "crippled")
"""What the levels of injury 0 to 5 are called."""
TYPES = ("close", "pistol", "basic", "heavy", "thrown")
FEATURES = (
    "chain",
    "power",
    "force",
    "shock",
    "daemon",
    "loud",
    "unarmed",
    "improvised",
)
GRANTS = (
    "quick-draw",
    "chain-weapons",
    "power-weapons",
    "swimming",
    "acrobatics",
    "medicine",
    "surgery",
    "psychic-powers",
    "regeneration",
)
"""What abilities allow. Packs name the abilities; these words say what the rules make of them."""
MODES = ("single", "semi-auto", "full-auto")
AMMUNITION = ("limax", "longus")
SILENCERS = ("removable", "integral")
PIECES = (
    "cuirass",
    "vambraces",
    "gauntlets",
    "greaves",
    "boots",
    "vest",
    "jacket",
    "sleeves",
    "trousers",
    "bodysuit",
    "balaclava",
    "coif",
    "helmet",
    "force-field",
)
MATERIALS = ("leather", "flak", "mesh", "carapace", "power")
BANDS = ("short", "medium", "long", "extreme", "beyond")
PACES = ("stationary", "moved", "ran", "sprinted")
VISIBILITY = ("darkness", "smoke")
ACTIONS = (
    "crawl",
    "sneak",
    "wade",
    "swim",
    "walk",
    "run",
    "sprint",
    "leap",
    "drive",
    "tread-water",
    "draw-weapon",
    "fire-weapon",
    "throw-grenade",
    "attack",
    "charge",
    "do-nothing",
    "reload",
    "aim",
    "concentrate",
    "use-psychic-power",
    "staunch-bleeding",
    "heal-injury",
    "converse",
    "other",
)


def _combatant(who: str) -> Iterator[Field]:
    """The fields that both sides have."""
    yield Field(f"{who}.name", "text", "Name", most=80, example="Corvane Hale")
    for name in CHARACTERISTICS:
        yield Field(
            f"{who}.{name}",
            "whole",
            name.replace("_", " ").capitalize(),
            "Percentage; 50 for most people.",
            most=200,
            example=50,
        )
    yield Field(
        f"{who}.armor",
        "entries",
        "Armor worn",
        "Every piece worn and any force field; an empty list for none.",
        entry_kind="armor",
        example=["flak-vest"],
    )
    yield Field(
        f"{who}.traits",
        "entries",
        "Abilities",
        "An empty list for none.",
        entry_kind="trait",
        example=["specialist-weapon-chain"],
    )
    yield Field(f"{who}.injury_total", "whole", "Injury Total", "Points of damage and bleeding so far.")
    yield Field(
        f"{who}.injuries",
        "ratings",
        "Injuries",
        "Level by location, from 1 (Light) to 5 (Crippled); a location that is not listed is unhurt.",
        most=5,
        choices=LOCATIONS,
        example={"left-leg": 2},
    )
    yield Field(
        f"{who}.bleeding",
        "ratings",
        "Bleeding injuries",
        "How many by location; a location that is not listed does not bleed.",
        most=50,
        choices=LOCATIONS,
    )
    yield Field(f"{who}.small", "flag", "Small", "As a rider hit less often than the mount.")
    yield Field(f"{who}.mounted", "flag", "Mounted", "On a beast or vehicle that carries its rider openly.")
    yield Field(f"{who}.prone", "flag", "Prone")
    yield Field(f"{who}.stunned", "flag", "Stunned", "Has actions yet to lose.")
    yield Field(
        f"{who}.grants",
        "words",
        "What the abilities allow",
        choices=GRANTS,
        derived_from=f"{who}.traits",
    )


_TARGET = (
    Field("target.conscious", "flag", "Conscious"),
    Field("target.aware", "flag", "Aware of the attacker"),
    Field("target.pace", "choice", "Last movement", "The fastest of its last round.", choices=PACES),
    Field("target.cover", "whole", "Cover", "Points off the damage to locations behind it.", most=200),
    Field(
        "target.behind_cover", "words", "Behind cover", "Locations that the cover hides.", choices=LOCATIONS
    ),
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
    Field(
        "weapon.mundane_weapon",
        "entry",
        "Ordinary counterpart",
        "The weapon that this one is for somebody without psychic powers.",
        entry_kind="weapon",
        example="sword",
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
    Field(
        "weapon.mods",
        "entries",
        "Fixed to it",
        "Silencers and combat accessories; an empty list for none.",
        entry_kind="mod",
        example=["removable-silencer"],
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
    Field("action.arm", "choice", "Arm used", choices=("right", "left", "both")),
    Field(
        "action.arm_injury",
        "whole",
        "Injury of the arm used",
        "Level; of two arms the worse.",
        most=5,
        derived_from="attacker.injuries",
    ),
)

_COMMON = (*_combatant("attacker"), *_combatant("target"), *_TARGET, *_WEAPON, *_ARMOR, *_ACTION)

_RECORDS = (
    Record("attacker", "Attacker", "combatant", "A combatant of the packs, or fields of one, or both."),
    Record("target", "Target", "combatant", "A combatant of the packs, or fields of one, or both."),
    Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
    Record("armor", "Armor hit", "armor", "One piece, in place of all that the target wears."),
    Record("action", "The action"),
)

SHOOTING = Vocabulary(
    (*_RECORDS, Record("fire", "How it is fired")),
    (
        *_COMMON,
        Field(
            "attacker.aim",
            "whole",
            "Aim actions",
            "Consecutive ones, not lost since; a third adds nothing.",
            most=20,
        ),
        Field("fire.mode", "choice", "Firing mode", choices=MODES, example="single"),
        Field("fire.shots", "whole", "Shots", "Of this action.", least=1, most=100, example=1),
        Field(
            "fire.aims_at",
            "choice",
            "Aims at",
            "Of a mounted target; only somebody who has aimed may choose.",
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
        Field("attack.shot", "flag", "Pistol shot", "A pistol fired in close combat, with Weapon Skill."),
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
