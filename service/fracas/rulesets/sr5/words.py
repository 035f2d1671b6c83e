"""The words of Shadowrun 5 that requests, entries and modifiers use."""

from __future__ import annotations

ATTRIBUTES = (
    "body",
    "agility",
    "reaction",
    "strength",
    "willpower",
    "logic",
    "intuition",
    "charisma",
    "edge",
)
SKILLS = (
    "archery",
    "astral-combat",
    "automatics",
    "banishing",
    "blades",
    "clubs",
    "counterspelling",
    "cybercombat",
    "exotic-melee-weapon",
    "exotic-ranged-weapon",
    "first-aid",
    "gunnery",
    "gymnastics",
    "handguns",
    "heavy-weapons",
    "longarms",
    "perception",
    "pistols",
    "running",
    "spellcasting",
    "summoning",
    "throwing-weapons",
    "unarmed-combat",
)
METATYPES = ("human", "elf", "dwarf", "ork", "troll")
NATURES = ("person", "spirit", "drone", "ic", "sprite")
MELEE_CATEGORIES = ("blade", "club", "exotic-melee", "unarmed")
CATEGORIES = (
    "taser",
    "holdout",
    "light-pistol",
    "heavy-pistol",
    "machine-pistol",
    "submachine-gun",
    "carbine",
    "assault-rifle",
    "sporting-rifle",
    "sniper-rifle",
    "shotgun",
    "light-machine-gun",
    "medium-machine-gun",
    "heavy-machine-gun",
    "assault-cannon",
    "grenade-launcher",
    "missile-launcher",
    "bow",
    "crossbow",
    "exotic-ranged",
    "throwing-weapon",
    "grenade",
    *MELEE_CATEGORIES,
)
MODES = ("SS", "SA", "BF", "FA")
FIRE_MODES = (
    "single-shot",
    "semi-automatic",
    "semi-automatic-burst",
    "burst",
    "long-burst",
    "full-automatic",
    "long-full-automatic",
    "suppressive",
)
FEATURES = (
    "smartgun",
    "laser-sight",
    "imaging-scope",
    "silencer",
    "sound-suppressor",
    "stock",
    "folding-stock",
    "shock-pad",
    "gas-vent-1",
    "gas-vent-2",
    "gas-vent-3",
    "bipod",
    "tripod",
    "gyro-mount",
    "electronic-firing",
    "flashlight",
)
FEEDS = ("clip", "magazine", "cylinder", "break", "muzzle-loader", "none")
PAYLOADS = ("grenade", "missile", "chemical", "drug-or-toxin", "special")
LOADS = (
    "regular",
    "apds",
    "assault-cannon",
    "explosive",
    "ex-explosive",
    "flechette",
    "gel",
    "hollow-point",
    "stick-n-shock",
    "tracer",
    "taser-dart",
    "injection-dart",
    "grenade",
    "rocket",
    "missile",
)
ELEMENTS = ("electricity", "fire", "cold", "chemical")
ARMOR_MODS = {
    "chemical-protection": "chemical",
    "fire-resistance": "fire",
    "insulation": "cold",
    "nonconductivity": "electricity",
}
"""Armor mods whose rating helps against an element."""

BANDS = ("short", "medium", "long", "extreme", "beyond", "too-close")
ZONES = ("hand", "close", "near", "far", "extreme")
VISIBILITY = ("clear", "light", "moderate", "heavy")
LIGHT = ("full", "partial", "dim", "dark")
GLARE = ("none", "weak", "moderate", "blinding")
WIND = ("none", "light", "moderate", "strong")
VISION = ("low-light", "thermographic", "ultrasound", "flare-compensation", "magnification")
HELP = ("none", "gear", "own")
COVER = ("none", "partial", "good")
SMARTLINKS = ("none", "worn", "implanted")
ACTIVE_DEFENSES = ("none", "parry", "block", "dodge")
AIMS = ("dice", "accuracy")
