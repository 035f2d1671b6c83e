"""The words of Shadowrun 5 that requests, entries and modifiers use, and the fields of a combatant on any side."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.fields import Declared, choice, entries, fields, flag, number, ratings, text, whole, words
from fracas.kernel.vocabulary import Field

ATTRIBUTES = (
    *("body", "agility", "reaction", "strength"),
    *("willpower", "logic", "intuition", "charisma", "edge"),
)
SKILLS = (
    *("archery", "assensing", "astral-combat", "automatics", "banishing", "blades", "clubs", "compiling"),
    *("computer", "counterspelling", "cybercombat", "decompiling", "electronic-warfare"),
    *("exotic-melee-weapon", "exotic-ranged-weapon", "first-aid", "gunnery", "gymnastics", "hacking"),
    *("handguns", "hardware", "heavy-weapons", "longarms", "perception", "pilot-aircraft"),
    *("pilot-ground-craft", "pilot-walker", "pilot-watercraft", "pistols", "running", "sneaking", "software"),
    *("spellcasting", "summoning", "throwing-weapons", "unarmed-combat"),
)
SPIRITS = ("air", "beasts", "earth", "fire", "guardian", "guidance", "man", "plant", "task", "water")
NATURES = ("person", "spirit", "drone", "ic", "sprite", "agent")
PROGRAMS = ("ic", "sprite", "agent")
"""Natures of those who have no body."""
MELEE_CATEGORIES = ("blade", "club", "exotic-melee", "unarmed")
ELEMENTS = ("electricity", "fire", "cold", "chemical")
ARMOR_MODS = {
    "chemical-protection": "chemical",
    "fire-resistance": "fire",
    "insulation": "cold",
    "nonconductivity": "electricity",
}
"""Armor mods whose rating helps against an element."""

VISION = ("low-light", "thermographic", "ultrasound", "flare-compensation", "magnification")
COVER = ("none", "partial", "good")
SMARTLINKS = ("none", "worn", "implanted")


VIRTUAL = ("cold-sim", "hot-sim")
INTERFACE = choice("Interface", choices=("none", "ar", *VIRTUAL))
TEST_POOL = whole("Pool", "Dice before modifiers, in place of attribute and skill.", most=60)
EDGE_POINTS = whole("Edge points left", "Unspent points of Edge.", most=20, example=3)


FORCE = whole("Force", "Of a spirit.", 1, 50, example=4)
MAGIC = whole("Magic", most=50, example=5)
RESONANCE = whole("Resonance", "Of a technomancer.", most=20, example=5)
PERSONA: Mapping[str, Declared] = {
    "data_processing": whole("Data Processing", most=20, example=5),
    "firewall": whole("Firewall", most=20, example=4),
}
MOST_BOXES = 50
"""The most boxes of a device's monitor that a sheet has."""
DEVICE: Mapping[str, Declared] = {
    "device_rating": whole("Device rating", most=20, example=3),
    "device_damage": whole("Boxes of the device", "Filled ones.", most=MOST_BOXES, unit="boxes"),
}
SLEAZE = whole("Sleaze", "Of a deck: the limit of actions that nobody is to notice.", most=20, example=4)
SCORE = whole("Overwatch Score", most=200, unit="points")
BOXES, OVERWATCH = "device-damage", "overwatch"
"""The tracks of the boxes of a device, and of the Overwatch Score."""
CONVERGING = "converging"
"""The condition of those found by the grid."""
BRICKED = "bricked"
"""The condition of the device of a persona, and the state of a weapon whose electronics do nothing."""
SOFTWARE = (
    *("armor", "biofeedback", "biofeedback-filter", "blackout", "decryption", "defuse", "demolition", "edit"),
    *("encryption", "exploit", "guard", "hammer", "lockdown", "mugger", "shell", "signal-scrub", "sneak"),
    *("stealth", "toolbox", "track", "virtual-machine"),
)
"""Programs that change numbers, by the slugs that sheets list; the table of the packs has what each does."""
RUNNING = words("Programs running", "Those that the device runs.", choices=SOFTWARE)
ESSENCE = number("Essence", "What augmentations have left of 6.", most=20)
POOL = whole("Pool", "Dice before modifiers.", most=60)


def combatant_fields(who: str, **more: Declared) -> tuple[Field, ...]:
    """The fields that both sides have, and more. Effects of a state differ by side: modifiers report them."""
    attribute = "Attribute after augmentation, without wounds."
    return fields(
        who,
        name=text("Name", most=80, example="Kestrel"),
        **{name: whole(name.capitalize(), attribute, most=50) for name in ATTRIBUTES},
        edge_points=EDGE_POINTS,
        skills=ratings(
            "Skills",
            "Rating by skill. A skill that is not listed is defaulted on.",
            most=20,
            choices=SKILLS,
            example={"automatics": 5},
        ),
        physical=whole("Physical boxes", "Filled boxes of the Physical monitor.", most=200),
        stun=whole("Stun boxes", "Filled boxes of the Stun monitor.", most=200),
        pain_resistance=whole("Boxes ignored", "Boxes that count for no wound modifier.", -20, 20),
        limit_bonus=whole("Physical limit of drugs", "What drugs and the like add to it.", -20, 20),
        stabilized=flag("Stabilized", "With a full Physical monitor, but not dying any more."),
        grunt=flag("Grunt", "Has one condition monitor only and is out of the fight when it is full."),
        armor=entries(
            "Armor worn",
            "Entries of 'armor': every piece worn or held; an empty list for none.",
            entry_kind="armor",
            example=["armor-jacket"],
        ),
        armor_bonus=whole("Armor of the body", "Of skin and implants; it adds to what is worn.", most=50),
        armor_value=whole("Armor", "The whole rating, in place of the pieces.", most=200),
        armor_mods=ratings(
            "Protection of the armor",
            "Rating by armor mod that what is worn has.",
            most=6,
            choices=tuple(ARMOR_MODS),
            example={"nonconductivity": 3},
        ),
        vision=words("Vision enhancements", "Ways of seeing by nature, ware or gear (9.1).", choices=VISION),
        smartlink=choice("Smartlink", "What reads a smartgun: goggles, or an implant.", choices=SMARTLINKS),
        dni=flag("Direct neural interface", "By datajack, trodes, control rig, implant, or internal router."),
        vehicle=flag("Vehicle or drone", "Its armor stops weaker attacks; Stun only from electricity."),
        monitor_boxes=whole("Boxes of the machine", "In place of 8 and half the Body.", 1, 60, unit="boxes"),
        nature=choice("Nature", "What a combatant is who is no metahuman (13).", choices=NATURES),
        force=FORCE,
        spirit_type=choice("Type of spirit", "It has its attributes by its Force.", choices=SPIRITS),
        running=flag("Running", "In this phase."),
        prone=flag("Prone"),
        in_melee=flag("In melee combat"),
        in_moving_vehicle=flag("In a moving vehicle"),
        wound_modifier=whole("Wound modifier", "Of both (8.6).", -200, 0, derived_from=f"{who}.physical"),
        physical_limit=whole("Physical limit", "Rounded up (8.2).", derived_from=f"{who}.strength"),
        encumbrance=whole(
            "Armor encumbrance",
            "Points lost on Agility and Reaction through too much that adds to a suit (8.5).",
            -200,
            0,
            derived_from=f"{who}.armor",
        ),
        **more,
    )


CONTROL = choice("Control of the vehicle", choices=("manual", "ar", "vr", "jumped-in", "pilot"))
CONTROL_RIG = whole("Control rig", "Its rating.", most=6)
PILOT = whole("Pilot", "Of a machine on its own; also its Device Rating.", most=12, example=3)
INITIATIVE_DICE = whole("Initiative dice", "Physical ones with all augmentations, without drugs.", 1, 10)
SENSOR = whole("Sensor", "Of a vehicle or a drone.", most=12)
AURA = choice("Energy Aura", "The element that burns those who strike it.", choices=ELEMENTS)
EVASIVE = flag("Evasive driving", "Declared and still in force.")
EVASION = whole("Evasion", "The autosoft with which a drone defends itself.", most=12)
SIGNATURES = ("large-vehicle", "vehicle", "electric-vehicle", "metahuman", "drone", "micro-drone")

RESISTING = {
    "soak_bonus": whole("Resistance bonus", "Dice of bone lacing and the like.", most=50),
    "immunity": flag("Immunity to normal weapons", "Hardened armor that also stops what equals it (13.1)."),
    "hardened_armor": flag("Hardened armor", "Stops what is weaker, and half its rating are hits (8.4)."),
}


def protection(who: str) -> dict[str, Declared]:
    """The rating of each armor mod, as follows from those given."""
    return {
        name.replace("-", "_"): whole(name.capitalize().replace("-", " "), derived_from=f"{who}.armor_mods")
        for name, element in ARMOR_MODS.items()
    }


def resisting_fields(who: str, **more: Declared) -> tuple[Field, ...]:
    """The fields of a combatant with those that help to resist damage, and more."""
    return combatant_fields(who, **RESISTING, **protection(who), **more)
