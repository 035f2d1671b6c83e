"""What a request may say of a Shadowrun 4 test or ranged attack."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.sr4.fights.worlds import world_fields
from fracas.rulesets.sr4.ranged.barrier_vocabulary import BARRIER_FIELDS, BARRIER_RECORD

SKILLS = (
    "archery",
    "automatics",
    "blades",
    "clubs",
    "dodge",
    "exotic-melee-weapon",
    "exotic-ranged-weapon",
    "gunnery",
    "gymnastics",
    "heavy-weapons",
    "infiltration",
    "longarms",
    "perception",
    "pistols",
    "running",
    "throwing-weapons",
    "unarmed-combat",
    "astral-combat",
    "spellcasting",
    "counterspelling",
    "first-aid",
    "medicine",
)
SENSES = ("normal", "low-light", "thermographic", "ultrasound")
VISIBILITY = (
    "full-darkness",
    "partial-light",
    "glare",
    "light-fog",
    "heavy-fog",
    "thermal-smoke",
)
MODES = ("SS", "SA", "BF", "FA")
FIRE_MODES = ("single-shot", "semi-automatic", "short-burst", "long-burst", "full-burst")
BANDS = ("short", "medium", "long", "extreme", "beyond", "too-close")
PISTOLS = ("taser", "holdout", "light-pistol", "heavy-pistol", "machine-pistol")
FIREARMS = (
    *PISTOLS,
    "submachine-gun",
    "assault-rifle",
    "sporting-rifle",
    "sniper-rifle",
    "shotgun",
    "light-machine-gun",
    "medium-machine-gun",
    "heavy-machine-gun",
    "assault-cannon",
    "grapple-gun",
    "cyber-gun",
    "special-weapon",
    "grenade-launcher",
    "underbarrel-launcher",
    "missile-launcher",
)
CATEGORIES = (
    "bow",
    "crossbow",
    "throwing-knife",
    "shuriken",
    *FIREARMS,
    "grenade",
    "blade",
    "club",
    "exotic-melee-weapon",
    "unarmed",
    "cyber-melee",
    "cyber-blade",
    "cyber-club",
)
FEATURES = (
    "smartgun",
    "laser-sight",
    "image-magnification",
    "silencer",
    "sound-suppressor",
    "stock",
    "shock-pad",
    "bipod",
    "tripod",
    "gas-vent",
)
FEEDS = ("clip", "magazine", "cylinder", "break", "muzzle-loader", "belt", "none")
METATYPES = ("human", "elf", "dwarf", "ork", "troll")
ELEMENTS = ("electricity", "fire", "cold", "acid", "laser")
RESISTED = ("acid", "cold", "electricity", "fire")
"""Elements against which there is gear."""

_ATTRIBUTES = (
    "body",
    "agility",
    "reaction",
    "strength",
    "charisma",
    "intuition",
    "logic",
    "willpower",
    "edge",
    "magic",
)


def combatant_fields(who: str) -> Iterator[Field]:
    """The fields of a sheet, which both sides have."""
    yield Field(f"{who}.name", "text", "Name", most=80, example="Rook")
    yield Field(f"{who}.metatype", "choice", "Metatype", choices=METATYPES)
    for name in _ATTRIBUTES:
        yield Field(
            f"{who}.{name}",
            "whole",
            name.capitalize(),
            "Attribute after augmentation, without wounds.",
            most=50,
        )
    yield Field(
        f"{who}.edge_points", "whole", "Edge points left", "Unspent points of Edge.", most=20, example=3
    )
    yield Field(
        f"{who}.edge_group",
        "text",
        "Edge group",
        "In a fight, whoever has the same word here shares the points of Edge: a crowd with its professional rating.",
        most=80,
        example="gangers",
    )
    yield Field(
        f"{who}.skills",
        "ratings",
        "Skills",
        "Rating by skill; a missing skill is defaulted.",
        most=20,
        choices=SKILLS,
    )
    yield Field(
        f"{who}.physical", "whole", "Physical boxes", "Filled boxes of the Physical monitor.", most=200
    )
    yield Field(f"{who}.stun", "whole", "Stun boxes", "Filled boxes of the Stun monitor.", most=200)
    yield Field(
        f"{who}.pain_resistance",
        "whole",
        "Boxes ignored",
        "Boxes a track ignores for wound modifiers.",
        most=20,
    )
    yield Field(
        f"{who}.low_pain_tolerance", "flag", "Low pain tolerance", "A wound modifier every 2 boxes, not 3."
    )
    yield Field(f"{who}.extra_boxes", "whole", "Extra Physical boxes", "Such as 1 a cyberlimb.", most=20)
    yield Field(
        f"{who}.extra_overflow", "whole", "Extra overflow boxes", "Such as those of Will to Live.", most=20
    )
    yield Field(
        f"{who}.armor",
        "entries",
        "Armor worn",
        "Every piece worn or held.",
        entry_kind="armor",
        example=["armor-vest"],
    )
    yield Field(
        f"{who}.ballistic_bonus", "whole", "Ballistic bonus", "Of body and implants; no encumbrance.", most=50
    )
    yield Field(
        f"{who}.impact_bonus", "whole", "Impact bonus", "Of body and implants; no encumbrance.", most=50
    )
    yield Field(
        f"{who}.ballistic", "whole", "Ballistic armor", "The whole rating, in place of the pieces.", most=200
    )
    yield Field(
        f"{who}.impact", "whole", "Impact armor", "The whole rating, in place of the pieces.", most=200
    )
    yield Field(
        f"{who}.resistances",
        "ratings",
        "Protection from elements",
        "Ratings of chemical protection, insulation, nonconductivity and fire resistance, by the element.",
        most=20,
        choices=RESISTED,
    )
    yield Field(
        f"{who}.grunt",
        "flag",
        "Grunt",
        "One of a crowd: a single monitor for both kinds of damage, by the house rule npc_single_track.",
    )
    yield Field(
        f"{who}.vehicle",
        "flag",
        "Vehicle",
        "Armor that stops whatever does not exceed it, one monitor, no Stun; Reaction is that of the driver.",
    )
    yield Field(f"{who}.vehicle_armor", "whole", "Armor of the vehicle", "Against everything.", most=200)
    yield Field(f"{who}.burning_dv", "whole", "Burns with", "DV of the fire on it, each turn.", most=200)
    yield Field(f"{who}.acid_dv", "whole", "Acid", "DV of the acid on it, each turn.", most=200)
    yield Field(f"{who}.stabilized", "flag", "Stabilized", "Dying no more, until the next wound.")
    yield Field(f"{who}.treated", "flag", "Wounds treated", "They have had first aid; new ones may again.")
    yield Field(
        f"{who}.spell_armor", "whole", "Armor spell", "Adds to both ratings; no encumbrance.", most=50
    )
    yield Field(
        f"{who}.combat_sense",
        "whole",
        "Combat sense",
        "Dice on defense and Surprise Tests, by magic.",
        most=20,
    )
    yield Field(f"{who}.senses", "words", "Senses", "Ways of seeing, natural and by gear.", choices=SENSES)
    yield Field(
        f"{who}.smartlink", "flag", "Smartlink", "Goggles, contacts or implant that reads a smartgun."
    )
    yield Field(f"{who}.ambidextrous", "flag", "Ambidextrous")
    yield Field(f"{who}.running", "flag", "Running")
    yield Field(f"{who}.in_melee", "flag", "In melee combat")
    yield Field(f"{who}.in_moving_vehicle", "flag", "In a moving vehicle")
    yield Field(
        f"{who}.wound_modifier", "whole", "Wound modifier", least=-200, most=0, derived_from=f"{who}.physical"
    )
    yield Field(
        f"{who}.encumbrance",
        "whole",
        "Armor encumbrance",
        "Dice lost on Agility and Reaction tests.",
        least=-200,
        most=0,
        derived_from=f"{who}.armor",
    )


CALLED_SHOTS = ("none", "vital", "unarmored", "item", "trick")
CALLED_SHOT_FIELDS = (
    Field("called_shot.dv", "whole", "Vital area", "Dice given up, and DV gained.", least=1, most=4),
    Field("called_shot.penalty", "whole", "Difficulty of the trick", "Dice, as the GM says.", most=20),
    Field(
        "called_shot.item",
        "entry",
        "Item",
        "What the target holds and is to lose; things of no pack are for people to keep.",
        entry_kind="weapon",
    ),
)
"""What a called shot has beside its kind."""


def burning_edge(who: str) -> Field:
    """What whoever makes a test may say of it."""
    doc = "A point of the attribute, for ever, for a critical success without a roll."
    return Field(f"{who}.burn_edge", "flag", "Burn Edge", doc)


ATTACK_POOL = (
    burning_edge("attacker"),
    Field(
        "attacker.pool",
        "whole",
        "Attack pool",
        "Dice before modifiers, in place of attribute and skill.",
        most=60,
    ),
    Field("attacker.specialized", "flag", "Specialized", "The specialization covers this use."),
)
"""What gives an attacker dice, whatever the weapon."""

_ATTACKER = (
    *ATTACK_POOL,
    Field(
        "attacker.split_dice",
        "whole",
        "Dice of a split pool",
        "With a firearm in each hand: dice of the pool that this one gets, before modifiers.",
        least=1,
        most=60,
    ),
    Field("attacker.two_firearms", "flag", "Two firearms", derived_from="attacker.split_dice"),
    Field(
        "attacker.other_recoil",
        "whole",
        "Recoil of the other firearm",
        "What is not compensated of the one in the other hand; it counts for both.",
        most=60,
    ),
    Field("attacker.in_cover", "flag", "Firing from cover"),
    Field("attacker.off_hand", "flag", "Off-hand weapon"),
    Field(
        "attacker.take_aim",
        "whole",
        "Take Aim actions",
        "Simple Actions spent on aiming, not lost since.",
        most=20,
    ),
    Field("attacker.magnification", "flag", "Magnification lined up", "A Take Aim was spent to line it up."),
    Field("attacker.flare_compensation", "flag", "Flare compensation"),
    Field("attacker.targets_before", "whole", "Other targets before", "In this Action Phase.", most=20),
    Field("attacker.rounds_before", "whole", "Rounds fired before", "In this Action Phase.", most=60),
    Field(
        "attacker.bursts_before", "whole", "Attacks before", "In this Action Phase; for flat recoil.", most=10
    ),
    Field("attacker.deployed", "flag", "Deployed", "Stock shouldered, bipod or tripod set up."),
    Field("attacker.gyro", "whole", "Gyro stabilization", "Rating of the harness.", most=20),
    Field(
        "attacker.recoil_compensation",
        "whole",
        "More recoil compensation",
        "Beyond the weapon's own.",
        most=50,
    ),
    Field("attacker.skill", "whole", "Skill with the weapon", derived_from="attacker.skills"),
)

_TARGET = (
    Field(
        "target.pool", "whole", "Defense pool", "Dice before modifiers, in place of the attribute.", most=60
    ),
    Field("target.unaware", "flag", "Unaware or surprised", "No defense at all."),
    Field("target.full_defense", "choice", "Full defense", choices=("none", "dodge", "gymnastics")),
    Field("target.defenses_made", "whole", "Defenses made", "Since the target's own last action.", most=50),
    Field("target.prone", "flag", "Prone"),
    Field("target.cover", "choice", "Cover", choices=("none", "partial", "good")),
    Field("target.hidden", "flag", "Hidden", "The target cannot be seen: blind fire."),
    Field(
        "target.soak_bonus",
        "whole",
        "Resistance bonus",
        "Dice of Toughness, bone lacing and the like.",
        most=50,
    ),
)

_WEAPON = (
    Field("weapon.name", "text", "Name", most=80),
    Field("weapon.category", "choice", "Category", choices=CATEGORIES),
    Field("weapon.skill", "choice", "Skill", choices=SKILLS),
    Field("weapon.dv", "whole", "Damage Value", "Boxes before net hits.", most=100, example=5),
    Field("weapon.dv_half_strength", "flag", "Adds half Strength", "The DV adds Strength / 2, rounded up."),
    Field("weapon.damage", "choice", "Damage kind", choices=("physical", "stun")),
    Field("weapon.electric", "flag", "Electric damage"),
    Field(
        "weapon.element",
        "choice",
        "Element",
        "Of the damage; half Impact armor and what protects from the element count.",
        choices=ELEMENTS,
    ),
    Field("weapon.flechette", "flag", "Flechette"),
    Field("weapon.ap", "whole", "Armor penetration", "Added to the armor.", least=-50, most=50, example=-1),
    Field("weapon.ap_half", "flag", "Halves armor"),
    Field("weapon.armor_kind", "choice", "Armor that protects", choices=("ballistic", "impact")),
    Field("weapon.modes", "words", "Firing modes", choices=MODES),
    Field("weapon.rc", "whole", "Recoil compensation", "Always there.", most=50),
    Field(
        "weapon.rc_deployed", "whole", "Recoil compensation deployed", "With stock or bipod in use.", most=50
    ),
    Field(
        "weapon.recoil_factor",
        "whole",
        "Recoil factor",
        "2 doubles uncompensated recoil; 1 unless said.",
        least=1,
        most=3,
    ),
    Field("weapon.rounds", "whole", "Rounds loaded", most=1000),
    Field("weapon.magazine", "whole", "Capacity", most=1000),
    Field("weapon.feed", "choice", "Feed", choices=FEEDS),
    Field("weapon.range", "entry", "Range table", entry_kind="range", example="heavy-pistol"),
    Field("weapon.features", "words", "Features", choices=FEATURES),
    Field("weapon.minimum_strength", "whole", "Bow rating", most=50),
    Field("weapon.ammunition", "entry", "Ammunition", entry_kind="ammunition", example="apds"),
)

_FIRE = (
    Field("fire.mode", "choice", "Firing mode", choices=FIRE_MODES, example="semi-automatic"),
    Field(
        "fire.spread",
        "choice",
        "Burst",
        "Narrow raises damage, wide hampers defense.",
        choices=("narrow", "wide"),
    ),
    Field(
        "fire.choke", "choice", "Choke", "A shotgun that fires shot.", choices=("narrow", "medium", "wide")
    ),
    Field("fire.area", "flag", "Area weapon", "A blast aimed at somebody who moves."),
    Field("fire.rounds", "whole", "Rounds of this attack", derived_from="fire.mode"),
    Field(
        "fire.burst_bonus",
        "whole",
        "Burst bonus",
        "DV or defense dice, after missing rounds.",
        derived_from="fire.mode",
    ),
    Field(
        "fire.length",
        "choice",
        "Length of the burst",
        "By the rounds that were there.",
        choices=("shot", "short", "long", "full"),
        derived_from="fire.mode",
    ),
    Field("recoil.factor", "whole", "Recoil factor", least=1, most=3, derived_from="weapon.recoil_factor"),
    Field("called_shot.kind", "choice", "Called shot", choices=CALLED_SHOTS),
    *CALLED_SHOT_FIELDS,
    Field(
        "armor.raisable",
        "flag",
        "Armor that can be raised",
        "There is some, and the shot does not avoid it.",
        derived_from="target.armor",
    ),
    Field("called_shot.armor", "whole", "Armor avoided", derived_from="target.armor"),
    Field("distance", "number", "Distance", "Metres.", most=10_000, example=12),
    Field("visibility", "words", "Visibility", "Every condition between the two.", choices=VISIBILITY),
    Field("contact", "flag", "Works by contact", "The attack has an effect on a grazing hit."),
    Field("tracer", "flag", "Tracer rounds", derived_from="weapon.ammunition"),
    Field("range.band", "choice", "Range", choices=BANDS, derived_from="distance"),
    Field(
        "visibility_modifier", "whole", "Visibility modifier", least=-50, most=0, derived_from="visibility"
    ),
    Field("recoil.own", "whole", "Recoil of this attack", derived_from="fire.mode"),
    Field("recoil.phase", "whole", "Recoil of the phase", derived_from="attacker.rounds_before"),
    Field("recoil.compensation", "whole", "Recoil compensation", derived_from="weapon.rc"),
    Field("recoil.gyro_left", "whole", "Gyro rating left for movement", derived_from="attacker.gyro"),
)

RANGED_ATTACK = Vocabulary(
    (
        Record("attacker", "Attacker", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("target", "Target", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
        Record("fire", "How it is fired"),
        Record("called_shot", "Called shot"),
        BARRIER_RECORD,
    ),
    (
        *combatant_fields("attacker"),
        *_ATTACKER,
        *combatant_fields("target"),
        *_TARGET,
        *_WEAPON,
        *_FIRE,
        *BARRIER_FIELDS,
    ),
)

TEST_RECORDS = (
    Record("tester", "Tester", "combatant"),
    Record("teamwork", "What helpers' own tests brought"),
)
TEST_FIELDS = (
    *combatant_fields("tester"),
    Field("tester.pool", "whole", "Pool", "Dice before modifiers, in place of attribute and skill.", most=60),
    Field("tester.specialized", "flag", "Specialized"),
    burning_edge("tester"),
    Field("attribute", "choice", "Attribute", choices=_ATTRIBUTES),
    Field(
        "second_attribute",
        "choice",
        "Second attribute",
        "Of a test of two attributes, in place of a skill.",
        choices=_ATTRIBUTES,
    ),
    Field("skill", "choice", "Skill", choices=SKILLS),
    Field("threshold", "whole", "Threshold", "Hits needed.", most=50, example=2),
    Field(
        "teamwork.hits", "whole", "Hits of helpers", "A die each, up to the skill of the tester.", most=200
    ),
    Field("teamwork.critical_glitch", "flag", "A helper's critical glitch", "No helper's hits count."),
)
"""What a Success Test and an Extended Test have in common."""

SUCCESS_TEST = Vocabulary(
    TEST_RECORDS,
    (
        *TEST_FIELDS,
        Field(
            "wounded_only", "flag", "For the wounded only", "Who has no box filled succeeds without a roll."
        ),
    ),
)

INITIATIVE_TEST = Vocabulary(
    (Record("tester", "Tester", "combatant"),),
    (
        *combatant_fields("tester"),
        Field(
            "tester.initiative",
            "whole",
            "Initiative attribute",
            "Without wounds, in place of Reaction + Intuition; such as that of another world.",
            most=100,
        ),
        burning_edge("tester"),
        Field("tester.passes", "whole", "Initiative Passes", "In each Combat Turn.", least=1, most=10),
        *world_fields("tester"),
    ),
)
