"""What a request may say of a Cities Without Number attack.

Distances are metres. A field that is left out is unknown; the doc says so where leaving it out has a meaning
of its own (a weapon without a Trauma Die has no ``trauma_die``). Section numbers are those of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.vocabulary import Field, Record, Vocabulary

SKILLS = (
    "administer",
    "connect",
    "drive",
    "exert",
    "fix",
    "heal",
    "know",
    "lead",
    "notice",
    "perform",
    "program",
    "punch",
    "shoot",
    "sneak",
    "stab",
    "survive",
    "talk",
    "trade",
    "work",
)
COMBAT_SKILLS = ("shoot", "stab", "punch", "exert")
ATTRIBUTES = ("strength", "dexterity", "wisdom")
KINDS = ("ranged", "melee", "thrown")
WEAPON_TYPES = ("gun", "bow", "launcher", "melee", "unarmed", "grenade")
FOCI = (
    "alert",
    "all-natural",
    "armsmaster",
    "assassin",
    "authority",
    "close-combatant",
    "deadeye",
    "drone-pilot",
    "healer",
    "shocking-assault",
    "snipers-eye",
    "unarmed-combatant",
    "whirlwind-assault",
)
CYBERWARE = ("cranial-jack", "gunlink", "eye-zoom")
DRUGS = ("boneshaker", "olympus")
MODS = (
    "autotargeting",
    "concealed",
    "customized",
    "extended-magazine",
    "heavy-sabot",
    "integral-toxins",
    "limbgun",
    "monoblade",
    "onboard-gunlink",
    "predictive-guidance",
    "reel-wires",
    "savage-impact",
    "shock-burst",
    "stun-rounds",
    "targeting-processor",
    "thermal-charge",
)
TRAUMA_SOURCES = (
    "hard-to-kill",
    "dermal-armor-1",
    "dermal-armor-2",
    "dermal-armor-3",
    "trauma-shielding",
    "active-response",
    "full-body-conversion",
    "skin-of-steel-1",
    "skin-of-steel-5",
)
BANDS = ("normal", "long", "beyond")
ANY_AC = 99
"""The Shock AC of a weapon whose Shock works against any AC."""


def _combatant(who: str) -> Iterator[Field]:
    """The fields that both sides have. Effects of a state differ by side and are told by the modifiers."""
    yield Field(f"{who}.name", "text", "Name", most=80, example="Wren")
    yield Field(
        f"{who}.named", "flag", "Has a name", "A PC or a named NPC; a nameless one dies at 0 HP (9.1)."
    )
    yield Field(f"{who}.dexterity", "whole", "Dexterity", "Score, 3 to 18 for most people.", least=1, most=30)
    yield Field(
        f"{who}.foci",
        "ratings",
        "Foci",
        "Level by focus; a focus that is not listed is not had.",
        most=2,
        choices=FOCI,
    )
    yield Field(f"{who}.drugs", "words", "Drugs at work", choices=DRUGS)
    yield Field(f"{who}.veterans_luck", "flag", "Veteran's Luck", "Had, and not used in this scene.")
    yield Field(f"{who}.prone", "flag", "Prone")
    yield Field(f"{who}.flashbanged", "flag", "Flashbanged", "Failed the save; wears off after 1d6 rounds.")
    yield Field(f"{who}.dazzled", "flag", "Dazzled", "Failed the save against an eye dazzler.")
    yield Field(f"{who}.blinded", "flag", "Blinded", "Cybereyes shut off by a hacker.")


_ATTACKER = (
    Field("attacker.level", "whole", "Level", "Character level.", least=1, most=20),
    Field(
        "attacker.base_attack_bonus",
        "whole",
        "Base attack bonus",
        "Of a PC, by level (1.4).",
        least=-5,
        most=30,
    ),
    Field("attacker.strength", "whole", "Strength", "Score, 3 to 18 for most people.", least=1, most=30),
    Field("attacker.wisdom", "whole", "Wisdom", "Score, 3 to 18 for most people.", least=1, most=30),
    Field(
        "attacker.attribute_modifier",
        "whole",
        "Attribute modifier",
        "Of the attribute this attack uses, in place of the scores.",
        least=-5,
        most=10,
        example=1,
    ),
    Field(
        "attacker.skills",
        "ratings",
        "Skills",
        "Level by skill; a skill that is not listed is untrained.",
        most=10,
        choices=SKILLS,
        example={"shoot": 1},
    ),
    Field(
        "attacker.skill_level", "whole", "Skill level", "Of the skill used, in place of the skills.", most=10
    ),
    Field(
        "attacker.attack_bonus_ranged",
        "whole",
        "Printed attack bonus, ranged",
        "A stat block's, complete: no attribute, skill or printed talent is added to it.",
        least=-5,
        most=50,
    ),
    Field(
        "attacker.attack_bonus_melee",
        "whole",
        "Printed attack bonus, melee",
        "A stat block's, complete: no attribute, skill or printed talent is added to it.",
        least=-5,
        most=50,
    ),
    Field("attacker.killing_blow", "flag", "Killing Blow", "The edge; grows with the level."),
    Field("attacker.cyberware", "words", "Cyberware that aims", choices=CYBERWARE),
    Field(
        "attacker.gunlink_rerolls", "whole", "Gunlink rerolls left", "In this scene; 1 at its start.", most=10
    ),
    Field(
        "attacker.skillplugs", "whole", "Skillplugs in use", "The skill used comes from one of them.", most=10
    ),
    Field("attacker.engaged", "flag", "In melee", "An armed foe is within melee range (4.6)."),
    Field("attacker.main_spent", "flag", "Main Action spent"),
    Field("attacker.move", "number", "Move", "Metres a Move action covers.", most=200, example=10),
    Field("attacker.in_moving_vehicle", "flag", "Shoots out of a moving vehicle", "With a personal weapon."),
    Field("attacker.control_board", "flag", "Flies a drone by board", "Without a cranial jack."),
    Field("attacker.stat_block", "flag", "Stat block", derived_from="attacker.base_attack_bonus"),
    Field(
        "attacker.charge_reach", "number", "Longest charge", "Metres.", most=400, derived_from="attacker.move"
    ),
    Field(
        "attacker.long_guns_in_melee",
        "flag",
        "Uses long guns in melee",
        "Known to have Deadeye 1.",
        derived_from="attacker.foci",
    ),
    *(
        Field(f"attacker.foci.{name}", "whole", f"Level of {name}", most=2, derived_from="attacker.foci")
        for name in ("armsmaster", "close-combatant", "deadeye", "drone-pilot", "shocking-assault")
    ),
    *(
        Field(
            f"attacker.skills.{name}",
            "whole",
            f"Level of {name}",
            "0 if untrained.",
            derived_from="attacker.skills",
        )
        for name in COMBAT_SKILLS
    ),
)

_TARGET = (
    Field("target.ranged_ac", "whole", "Ranged AC", "Complete, in place of the armor.", most=60, example=13),
    Field("target.melee_ac", "whole", "Melee AC", "Complete, in place of the armor.", most=60, example=12),
    Field(
        "target.armor",
        "entries",
        "Armor worn",
        "Suit, accessories and shield; an empty list for none.",
        entry_kind="armor",
        example=["street-leathers"],
    ),
    Field("target.cyber_ac", "whole", "AC of the body", "Base AC of Dermal Armor and the like.", most=60),
    Field(
        "target.dexterity_modifier",
        "whole",
        "Dexterity modifier",
        "In place of the score.",
        least=-5,
        most=10,
    ),
    Field(
        "target.trauma_target",
        "whole",
        "Trauma Target",
        "Complete, in place of 6 and the armor.",
        least=1,
        most=60,
    ),
    Field(
        "target.trauma_sources",
        "words",
        "What raises the Trauma Target",
        "Beside the armor; not counted when the Trauma Target is given complete.",
        choices=TRAUMA_SOURCES,
    ),
    Field(
        "target.soak", "whole", "Soak left", "Points; that of the armor when left out.", most=500, example=3
    ),
    Field(
        "target.soak_lost",
        "whole",
        "Soak used up",
        "Points, off that of the armor. Left out: none.",
        most=500,
    ),
    Field("target.hp", "whole", "Hit points left", most=1000, example=5),
    Field("target.frail", "flag", "Frail", "Dies at 0 HP; left out: is not."),
    Field("target.total_defense", "flag", "Total Defense", "Declared before this attack and still in force."),
    Field(
        "target.shock_proof",
        "flag",
        "No Shock in this round",
        "Declared Total Defense in this round; a swarm's Shock does not harm either.",
    ),
    Field("target.can_total_defense", "flag", "May take Total Defense", "The Main Action is unspent."),
    Field("target.charged", "flag", "Has charged", "In this round."),
    Field("target.shock_immune", "flag", "Immune to Shock", "A swarm's Shock still harms."),
    Field(
        "target.shock_shield",
        "flag",
        "First Shock stopped",
        "A riot shield or Dermal Armor II or III that has stopped no Shock in this round.",
    ),
    Field("target.poison_immune", "flag", "Immune to poison"),
    Field(
        "target.cover", "choice", "Cover", "Of the target.", choices=("none", "half", "near-total", "total")
    ),
    Field(
        "target.visibility",
        "choice",
        "Visibility",
        "For the attacker, with all senses counted (4.5).",
        choices=("seen", "unseen-known", "unseen-unknown"),
    ),
    Field("target.human_sized", "flag", "Human-sized"),
    Field(
        "target.machine",
        "flag",
        "Drone, vehicle or object",
        "Few weapons harm it traumatically. Left out: a being.",
    ),
    Field("target.vehicle_armor", "whole", "Vehicle Armor", "Points off each hit, before Soak.", most=100),
    Field("target.vehicle_state", "choice", "Vehicle", choices=("stationary", "moving")),
    Field("target.driver_skill", "whole", "Driver's Drive level", most=10),
    Field(
        "target.foci.close-combatant", "whole", "Level of close-combatant", most=2, derived_from="target.foci"
    ),
    Field(
        "target.printed_trauma_target",
        "flag",
        "Trauma Target given complete",
        derived_from="target.trauma_target",
    ),
    Field(
        "target.armor_trauma",
        "whole",
        "Trauma Target of the armor",
        least=-20,
        most=20,
        derived_from="target.armor",
    ),
)

_WEAPON = (
    Field("weapon.name", "text", "Name", most=80),
    Field("weapon.type", "choice", "Type", choices=WEAPON_TYPES),
    Field("weapon.skills", "words", "Skills", "Any one of them serves.", choices=COMBAT_SKILLS),
    Field("weapon.attributes", "words", "Attributes", "Any one of them serves.", choices=ATTRIBUTES),
    Field("weapon.damage", "text", "Damage", "Dice; with a stat block, complete.", most=20, example="1d10+2"),
    Field("weapon.shock", "whole", "Shock", "Points on a miss. Left out: none.", most=100, example=2),
    Field(
        "weapon.shock_ac",
        "whole",
        "Shock AC",
        "Highest AC that Shock harms; 99 for any.",
        most=99,
        example=13,
    ),
    Field("weapon.trauma_die", "text", "Trauma Die", "Left out: none.", most=20, example="1d8"),
    Field("weapon.trauma_rating", "whole", "Trauma Rating", "Factor of a Traumatic Hit.", least=1, most=10),
    Field("weapon.range_normal", "number", "Normal range", "Metres, also when thrown.", most=20_000),
    Field("weapon.range_long", "number", "Long range", "Metres, also when thrown.", most=20_000),
    Field("weapon.magazine", "whole", "Magazine", "Rounds it holds.", most=1000),
    Field("weapon.rounds", "whole", "Rounds loaded", most=1000),
    Field("weapon.two_handed", "flag", "Two-handed"),
    Field("weapon.pistol_sized", "flag", "Pistol-sized"),
    Field("weapon.can_burst", "flag", "Fires bursts"),
    Field("weapon.can_suppress", "flag", "Can suppress"),
    Field("weapon.thrown", "flag", "Can be thrown"),
    Field(
        "weapon.non_lethal",
        "choice",
        "Non-lethal",
        "default: unless the user wants otherwise. Left out: never.",
        choices=("never", "default", "always"),
    ),
    Field("weapon.adds_punch", "flag", "Adds Punch to damage", "Bare hands."),
    Field(
        "weapon.adds_level", "flag", "Adds a third of the level", "To hit, damage and Shock: Hand of Doom."
    ),
    Field(
        "weapon.miss_damage", "text", "Damage on a miss", "Dice beside any Shock. Left out: none.", most=20
    ),
    Field("weapon.improvised", "flag", "Improvised"),
    Field("weapon.area", "flag", "Strikes an area", "Aimed at a point, not at somebody."),
    Field("weapon.rocket", "flag", "Rocket launcher"),
    Field("weapon.wrecks_machines", "flag", "Wrecks machines", "Its Trauma Die counts against them."),
    Field("weapon.slug", "flag", "Loaded with slugs", "A shotgun: both ranges doubled."),
    Field("weapon.ready", "flag", "Readied"),
    Field("weapon.mods", "words", "Mods", "Of the weapon, or of the implant it is.", choices=MODS),
    Field("weapon.thermal_charge_active", "flag", "Thermal Charge active"),
    Field(
        "weapon.unrested",
        "entry",
        "Without a rest it performs as",
        "A weapon that needs a stationary rest; attack.rested says whether it has one.",
        entry_kind="weapon",
    ),
)

_ATTACK = (
    Field("attack.kind", "choice", "Kind of attack", "Left out: as the weapon is meant.", choices=KINDS),
    Field("attack.attribute", "choice", "Attribute used", "Left out: the better one.", choices=ATTRIBUTES),
    Field("attack.skill", "choice", "Skill used", "Left out: the best one.", choices=COMBAT_SKILLS),
    Field("attack.lethal", "flag", "Meant to kill", "With a weapon that leaves the choice."),
    Field("attack.burst", "flag", "Burst", "Three rounds."),
    Field("attack.snap", "flag", "Snap Attack"),
    Field("attack.steadied", "flag", "Snap Attack steadied", "By a Reaction Booster, once in a scene."),
    Field("attack.charge", "flag", "Charge"),
    Field("attack.charge_distance", "number", "Run-up", "Metres.", most=1000),
    Field(
        "attack.swarm_others", "whole", "Others in the swarm", "Surviving participants but this one.", most=20
    ),
    Field(
        "attack.swarm",
        "flag",
        "Made for a swarm",
        "In a fight, which then knows attack.swarm_others; alone it changes nothing.",
    ),
    Field("attack.dual_wield", "flag", "Two weapons in hand"),
    Field("attack.both_in_range", "flag", "In range of both weapons"),
    Field("attack.shock_burst", "flag", "Shock Burst set off", "The weapon mod."),
    Field("attack.rested", "flag", "Weapon on a rest", "A stationary rest, for weapons that need one."),
    Field("attack.drone", "flag", "Made with a drone", "Which the attacker controls."),
    Field(
        "attack.led",
        "whole",
        "Lead of the leader",
        "Level of the skill Lead of somebody with Authority 2 whom the attacker follows.",
        most=10,
    ),
    Field(
        "attack.attribute_modifier",
        "whole",
        "Modifier used",
        least=-5,
        most=10,
        derived_from="attacker.attribute_modifier",
    ),
    Field(
        "attack.skill_level",
        "whole",
        "Level used",
        "-1 if untrained.",
        least=-1,
        derived_from="attacker.skills",
    ),
    Field(
        "attack.gunlinked",
        "flag",
        "Aimed by a Gunlink",
        "A gun only (R14).",
        derived_from="attacker.cyberware",
    ),
    Field("distance", "number", "Distance", "Metres from attacker to target.", most=100_000, example=8),
    Field("range.band", "choice", "Range", choices=BANDS, derived_from="distance"),
    Field("range.adjacent", "flag", "Within melee range", derived_from="distance"),
)

ATTACK = Vocabulary(
    (
        Record("attacker", "Attacker", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("target", "Target", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
        Record("attack", "How it is done"),
    ),
    (*_combatant("attacker"), *_ATTACKER, *_combatant("target"), *_TARGET, *_WEAPON, *_ATTACK),
)
