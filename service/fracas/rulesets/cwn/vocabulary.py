"""What a request may say of a Cities Without Number attack.

Distances are metres. A field that is left out is unknown; the doc says so where leaving it out has a meaning
of its own (a weapon without a Trauma Die has no ``trauma_die``). Section numbers are those of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel import fields as kit
from fracas.kernel.fields import Declared, choice, entries, fields, flag, metres, ratings, text, whole, words
from fracas.kernel.vocabulary import Field

Known = Mapping[str, Any]
"""What is known of a situation, by path."""
Names = Sequence[str]
SKILLS = (
    *("administer", "connect", "drive", "exert", "fix", "heal", "know", "lead", "notice", "perform"),
    *("program", "punch", "shoot", "sneak", "stab", "survive", "talk", "trade", "work"),
)
COMBAT_SKILLS = ("shoot", "stab", "punch", "exert")
ATTRIBUTES = ("strength", "dexterity", "wisdom")
KINDS = ("ranged", "melee", "thrown")
WEAPON_TYPES = ("gun", "bow", "launcher", "melee", "unarmed", "grenade")
FOCI = (
    *("alert", "all-natural", "armsmaster", "assassin", "authority", "close-combatant", "deadeye"),
    *("drone-pilot", "healer", "shocking-assault", "snipers-eye", "unarmed-combatant", "whirlwind-assault"),
)
CYBERWARE = ("cranial-jack", "gunlink", "eye-zoom")
DRUGS = ("boneshaker", "olympus", "psycho")
MODS = (
    *("autotargeting", "concealed", "customized", "extended-magazine", "heavy-sabot", "integral-toxins"),
    *("limbgun", "monoblade", "onboard-gunlink", "predictive-guidance", "reel-wires", "savage-impact"),
    *("shock-burst", "stun-rounds", "targeting-processor", "thermal-charge"),
)
TRAUMA_SOURCES = (
    *("hard-to-kill", "dermal-armor-1", "dermal-armor-2", "dermal-armor-3", "trauma-shielding"),
    *("active-response", "full-body-conversion", "skin-of-steel-1", "skin-of-steel-5"),
)
VEHICLE_FITTINGS = (
    *("armor-plating", "augmented-armor", "crash-pod", "ecm-emitter", "extra-durability"),
    *("reactive-defenses", "targeting-board"),
)
BANDS = ("normal", "long", "beyond")
# Fields of several procedures.

NAME = text("Name", most=80, example="Wren")
NAMED = flag("Has a name", "A PC or a named NPC; a nameless one dies at 0 HP (9.1).")
LEVEL = whole("Level", "Character level.", 1, 20)
HP_LEFT = whole("Hit points left", example=5)
FRAIL = flag("Frail", "Dies at 0 HP; left out: is not.")
DRUGS_AT_WORK = words("Drugs at work", choices=DRUGS)
POISON_IMMUNE = flag("Immune to poison", "Toxins have no effect.")
LED = "Level of the skill Lead of a leader with Authority 2 that"
_SCORE = "Score, 3 to 18 for most people."
_BEARS = "Score. It is also the most System Strain that one bears."
SIX = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SCORES: Mapping[str, Declared] = {
    name: whole(name.capitalize(), _BEARS if name == "constitution" else _SCORE, 1, 30) for name in SIX
}
_WORN = "Suit, accessories and shield; heavy pieces hamper Sneak and Exert; an empty list for none."
ARMOR_WORN = entries("Armor worn", _WORN, entry_kind="armor", example=["street-leathers"])
LEVELS = ratings("Skills", "Level by skill.", most=10, choices=SKILLS)
FOCUS_LEVELS = ratings("Foci", "Level by focus.", most=2, choices=FOCI)
FOCI_HAD = ratings("Foci", "Level by focus; a focus that is not listed is not had.", most=2, choices=FOCI)


def attribute_modifier(score: int) -> int:
    """The modifier of an attribute's score (section 1.1)."""
    for least, modifier in ((18, 2), (14, 1), (8, 0), (4, -1)):
        if score >= least:
            return modifier
    return -2


def skill_levels(**example: int) -> Declared:
    """The levels of skills, all of which are listed."""
    doc = "Level by skill; a skill that is not listed is untrained."
    return ratings("Skills", doc, most=10, choices=SKILLS, example=example)


def trauma_sources(doc: str = "") -> Declared:
    return words("What raises the Trauma Target", doc, choices=TRAUMA_SOURCES)


def implants(*example: str) -> Declared:
    doc = "An empty list for none."
    return entries("Implants", doc, entry_kind="augmentation", example=[*example] or None)


ATTACKER_FOCI = ("armsmaster", "assassin", "close-combatant", "deadeye", "drone-pilot", "shocking-assault")
"""Foci whose levels modifiers of an attack read."""


def combatant_fields(who: str) -> Iterator[Field]:
    """The fields that both sides have. Effects of a state differ by side and are reported by the modifiers."""
    yield from fields(
        who,
        name=NAME,
        named=NAMED,
        dexterity=SCORES["dexterity"],
        foci=FOCI_HAD,
        drugs=DRUGS_AT_WORK,
        veterans_luck=flag("Veteran's Luck", "Had, and not used in this scene."),
        prone=flag("Prone"),
        flashbanged=flag("Flashbanged", "Failed the save; wears off after 1d6 rounds."),
        dazzled=flag("Dazzled", "Failed the save against an eye dazzler."),
        blinded=flag("Blinded", "Eyes lost, or cybereyes shut off by a hacker."),
    )


def focus_levels(who: str, *names: str) -> tuple[Field, ...]:
    """Levels of single foci, which modifiers read."""
    levels = {name: whole(f"Level of {name}", most=2, derived_from=f"{who}.foci") for name in names}
    return fields(f"{who}.foci", **levels)


def fighter_fields(who: str) -> tuple[Field, ...]:
    """A combatant who attacks: attributes, skills, bonuses, what it is in the middle of."""
    none = "0 if untrained."
    combat = {name: whole(f"Level of {name}", none, derived_from=f"{who}.skills") for name in COMBAT_SKILLS}
    printed = "A stat block's, complete: no attribute, skill or printed talent is added to it."
    modifier = "Of the attribute this attack uses, in place of the scores."
    deadeye = "Known to have Deadeye 1."
    return (
        *fields(
            who,
            level=LEVEL,
            base_attack_bonus=whole("Base attack bonus", "Of a character, by level.", -5, 30),
            strength=SCORES["strength"],
            wisdom=SCORES["wisdom"],
            attribute_modifier=whole("Attribute modifier", modifier, -5, 10, example=1),
            skills=skill_levels(shoot=1),
            skill_level=whole("Skill level", "Of the skill used, in place of the skills.", most=10),
            attack_bonus_ranged=whole("Printed attack bonus, ranged", printed, -5, 50),
            attack_bonus_melee=whole("Printed attack bonus, melee", printed, -5, 50),
            killing_blow=flag("Killing Blow", "Has the edge of that name."),
            cyberware=words("Cyberware that aims", choices=CYBERWARE),
            gunlink_rerolls=whole("Gunlink rerolls left", "In this scene; 1 at its start.", most=10),
            skillplugs=whole("Skillplugs in use", "Skills that come from plugs.", most=10),
            trajectory_node=flag("Trajectory Optimization Node", "Had, and not used in this scene."),
            shock_fists=flag("Shock Fists charged", "For this scene."),
            engaged=flag("In melee", "An armed foe is within melee range (4.6)."),
            main_spent=flag("Main Action spent"),
            move=metres("Move", "Of a Move action.", 200, example=10),
            in_moving_vehicle=flag("Shoots out of a moving vehicle", "With a personal weapon."),
            control_board=flag("Flies a drone by board", "Without a cranial jack."),
            stat_block=flag("Stat block", derived_from=f"{who}.base_attack_bonus"),
            charge_reach=metres("Longest charge", most=400, derived_from=f"{who}.move"),
            long_guns_in_melee=flag("Uses long guns in melee", deadeye, derived_from=f"{who}.foci"),
        ),
        *focus_levels(who, *ATTACKER_FOCI),
        *fields(f"{who}.skills", **combat),
    )


def victim_fields(who: str) -> tuple[Field, ...]:
    """A combatant that attacks harm: Armor Class, Soak, hit points, Trauma Target, what hides it."""
    light = "light: to all but heavy weapons and those that wreck machines; by-weapon: the GM says for each."
    defended = "Declared Total Defense in this round; a swarm's Shock does not harm either."
    shield = "A shield or implant stops the first Shock of each round."
    operator = "What its operator adds to the check: Intelligence and Program. Left out: nobody runs it."
    senses = "For the attacker, with all senses counted (4.5)."
    unsaid = "Beside armor and implants named here; not counted when the Trauma Target is given complete."
    return (
        *fields(
            who,
            ranged_ac=whole("Ranged AC", "Complete, in place of the armor.", most=60, example=13),
            melee_ac=whole("Melee AC", "Complete, in place of the armor.", most=60, example=12),
            armor=ARMOR_WORN,
            cyber_ac=whole("AC of the body", "Base Armor Class of Dermal Armor and the like.", most=60),
            dexterity_modifier=whole("Dexterity modifier", "In place of the score.", least=-5, most=10),
            trauma_target=whole("Trauma Target", "Complete, in place of 6 and the armor.", least=1, most=60),
            trauma_sources=trauma_sources(unsaid),
            soak=whole("Soak left", "Points; that of the armor when left out.", most=500, example=3),
            soak_lost=whole("Soak used up", "Points, off that of the armor. Left out: none.", most=500),
            hp=HP_LEFT,
            frail=FRAIL,
            total_defense=flag("Total Defense", "Declared before this attack and still in force."),
            shock_proof=flag("No Shock in this round", defended),
            can_total_defense=flag("May take Total Defense", "The Main Action is unspent."),
            charged=flag("Has charged", "In this round."),
            shock_immune=flag("Immune to Shock", "Misses deal no Shock."),
            shock_shield=flag("First Shock stopped", shield),
            iron_hand=flag("Iron Hand Aegis", "Had, and not used in this scene."),
            unsuspecting=flag("Unsuspecting", "Knows nothing of the attacker and expects no danger (8.3)."),
            poison_immune=POISON_IMMUNE,
            cover=choice("Cover", "Of the target.", choices=("none", "half", "near-total", "total")),
            visibility=choice("Visibility", senses, choices=("seen", "unseen-known", "unseen-unknown")),
            human_sized=flag("Human-sized", "About as big as a person."),
            machine=flag("Drone, vehicle or object", "Few weapons harm it traumatically. Left out: a being."),
            vehicle_armor=whole("Vehicle Armor", "Points off each hit, before Soak.", most=100),
            vehicle_fittings=words(
                "Fittings of the vehicle",
                "And its mods: of those that change Armor and AC not what is in the numbers given. Of a vehicle of the "
                "packs that joins a fight they add to the hit points as well.",
                choices=VEHICLE_FITTINGS,
                example=["armor-plating"],
            ),
            ecm=whole("ECM Emitter", operator, least=-5, most=30, example=1),
            immune=choice("Immune to weapons", light, choices=("none", "light", "by-weapon")),
            vehicle_state=choice("Vehicle", choices=("stationary", "moving")),
            driver_skill=whole("Driver's Drive level", most=10),
        ),
        *focus_levels(who, "close-combatant"),
        *fields(
            who,
            printed_trauma_target=flag("Trauma Target given complete", derived_from=f"{who}.trauma_target"),
            armor_trauma=whole("Trauma Target of the armor", least=-20, most=20, derived_from=f"{who}.armor"),
        ),
    )


_AMBUSHES = "Against an unsuspecting target in melee range even a miss does full damage, and a hit double."


def weapon_fields(record: str) -> tuple[Field, ...]:
    """A weapon."""
    needs_rest = "A weapon that needs a stationary rest; the attack says whether it has one."
    warhead = "Of the damage to vehicles and obstacles: an anti-armor warhead."
    unless = "default: unless the user wants otherwise. Left out: never."
    return fields(
        record,
        name=text("Name", most=80),
        type=choice("Type", choices=WEAPON_TYPES),
        skills=words("Skills", "Any one of them serves; none for a stat block.", choices=COMBAT_SKILLS),
        attributes=words("Attributes", "Any one of them serves; none for a stat block.", choices=ATTRIBUTES),
        damage=text("Damage", "Dice; with a stat block, complete.", most=20, example="1d10+2"),
        shock=whole("Shock", "Points on a miss. Left out: none.", most=100, example=2),
        shock_ac=whole("Shock AC", "Highest AC that Shock harms; 99 for any.", most=99, example=13),
        trauma_die=text("Trauma Die", "Left out: none.", most=20, example="1d8"),
        trauma_rating=whole("Trauma Rating", "Factor of a Traumatic Hit.", least=1, most=10),
        range_normal=metres("Normal range", "Also when thrown.", 20_000),
        range_long=metres("Long range", "Also for throwing.", 20_000),
        magazine=whole("Magazine", "Rounds it holds. Leave it out if it needs no ammunition."),
        rounds=whole("Rounds loaded"),
        two_handed=flag("Two-handed", "It takes both hands."),
        pistol_sized=flag("Pistol-sized", "It is no bigger than a pistol, and serves within melee range."),
        can_burst=flag("Fires bursts", "It can fire three rounds at once."),
        can_suppress=flag("Can suppress", "It can lay down suppressive fire."),
        thrown=flag("Can be thrown", "It can be thrown at its two ranges."),
        non_lethal=choice("Non-lethal", unless, choices=("never", "default", "always")),
        adds_punch=flag("Adds Punch to damage", "The level of the skill, as with bare hands."),
        adds_level=flag("Adds a third of the level", "To hit, damage and Shock: Hand of Doom."),
        miss_damage=text("Damage on a miss", "Dice beside any Shock. Left out: none.", most=20),
        improvised=flag("Improvised", "A makeshift version: a little worse at everything."),
        area=flag("Strikes an area", "It is aimed at a point and harms all that are near."),
        rocket=flag("Rocket launcher", "It fires rockets."),
        machine_damage=whole("Factor against machines", warhead, least=1, most=10),
        wrecks_machines=flag("Wrecks machines", "It can cause Traumatic Hits on drones and vehicles too."),
        guided=flag("Guided", "It finds its way to the target, which an ECM Emitter disturbs."),
        heavy=flag("Heavy weapon", "It hurts vehicles that are immune to light weapons."),
        ambush=flag("Made for ambushes", _AMBUSHES),
        execution_only=flag("For execution attacks only", "It serves in an execution attack only."),
        slug=flag("Loaded with slugs", "A shotgun: both ranges doubled."),
        ready=flag("Readied"),
        mods=words("Mods", "Modifications that it has; an empty list as bought.", choices=MODS),
        thermal_charge_active=flag("Thermal Charge active"),
        unrested=kit.entry("Without a rest it performs as", needs_rest, entry_kind="weapon"),
    )
