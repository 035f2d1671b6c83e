"""Items and actors of the system ``shadowrun5e``: facts about its data, and our words in its words.

A number that modifiers may change has its own value as ``base``; damage kinds and elements need ``value`` as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from fracas.exports.foundry.sheets import Gear, Sheet, Trait, carried
from fracas.exports.foundry.systems import System
from fracas.exports.readable import source
from fracas.packs.entries import Entry
from fracas.packs.library import RulesetPacks

_SKILLS = {
    "archery": "archery",
    "automatics": "automatics",
    "blades": "blades",
    "clubs": "clubs",
    "exotic-melee-weapon": "exotic_melee_weapon",
    "exotic-ranged-weapon": "exotic_ranged_weapon",
    "gunnery": "gunnery",
    "handguns": "pistols",
    "heavy-weapons": "heavy_weapons",
    "longarms": "longarms",
    "pistols": "pistols",
    "throwing-weapons": "throwing_weapons",
    "unarmed-combat": "unarmed_combat",
}
_MELEE = frozenset({"blades", "clubs", "exotic-melee-weapon", "unarmed-combat"})
_THROWN = frozenset({"throwing-weapons"})
_ELEMENTS = {"chemical": "acid", "cold": "cold", "electricity": "electricity", "fire": "fire"}
_MODES = {"SS": "single_shot", "SA": "semi_auto", "BF": "burst_fire", "FA": "full_auto"}
_FEEDS = {
    "break": "break_action",
    "clip": "removable_clip",
    "cylinder": "cylinder",
    "magazine": "internal_magazin",  # the system's own spelling
    "muzzle-loader": "muzzle_loader",
}
_RANGES = {
    "assault-cannons": "assaultCannon",
    "assault-rifles": "assaultRifle",
    "bows": "bow",
    "grenade-launchers": "grenadeLauncher",
    "heavy-crossbows": "heavyCrossbow",
    "heavy-pistols": "heavyPistol",
    "holdouts": "holdOutPistol",
    "light-crossbows": "lightCrossbow",
    "light-machine-guns": "lightMachinegun",
    "light-pistols": "lightPistol",
    "machine-pistols": "machinePistol",
    "medium-crossbows": "mediumCrossbow",
    "medium-heavy-machine-guns": "mediumHeavyMachinegun",
    "missile-launchers": "missileLauncher",
    "net": "net",
    "shotguns": "shotgunSlug",
    "shotguns-flechette": "shotgunFlechette",
    "shotguns-slug": "shotgunSlug",
    "shuriken": "shuriken",
    "sniper-rifles": "sniperRifle",
    "sporting-rifles": "sportingRifle",
    "standard-grenade": "standardThrownGrenade",
    "aerodynamic-grenade": "aerodynamicThrownGrenade",
    "submachine-guns": "smg",
    "tasers": "taser",
    "thrown-knife": "thrownKnife",
}
_MANUAL = "manual"
"""Ranges of a weapon's own."""

_BANDS = ("short", "medium", "long", "extreme")


def weapon(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    """A "weapon"; a thrown or fired charge lends it its damage."""
    data = entry.data
    skill = data.get("skill", "")
    category = "melee" if skill in _MELEE else "thrown" if skill in _THROWN else "range"
    loaded = packs.entry("ammunition", data["ammunition"]) if "ammunition" in data else None
    charge: Mapping[str, Any] = loaded.data if loaded else {}
    ranges = _ranges(data.get("range"), packs)
    return "weapon", {
        **_gear(entry, description),
        "category": category,
        "subcategory": data.get("category", "").replace("-", " "),
        "action": _attack(data, data if "dv" in data else charge),
        "ammo": {
            "current": {"value": data.get("rounds", 0), "max": data.get("magazine", 0)},
            "clip_type": "bow" if data.get("category") == "bow" else _FEEDS.get(data.get("feed", ""), ""),
        },
        "range": {
            "rc": {"base": data.get("rc", 0)},
            "modes": {word: mode in data.get("modes", ()) for mode, word in _MODES.items()},
            "ranges": ranges,
        },
        "melee": {"reach": data.get("reach", 0)},
        "thrown": {
            "ranges": ranges,
            "blast": {"radius": charge.get("radius", 0), "dropoff": -charge.get("blast_loss", 0)},
        },
    }


def _attack(data: Mapping[str, Any], harm: Mapping[str, Any]) -> dict[str, Any]:
    kind = harm.get("damage", "physical")
    element = _ELEMENTS.get(harm.get("element", ""), "")
    damage: dict[str, Any] = {
        "base": harm.get("dv", 0),
        "type": {"base": kind, "value": kind},
        "element": {"base": element, "value": element},
        "ap": {"base": harm.get("ap", 0)},
        "normal_weapon": True,
    }
    if data.get("dv_strength"):
        damage |= {"attribute": "strength", "base_formula_operator": "add"}
    limit = {"base": data.get("accuracy", 0)}
    return {
        "type": "varies",
        "attribute": "agility",
        "skill": _SKILLS.get(data.get("skill", ""), ""),
        "limit": {**limit, "attribute": "physical"} if data.get("accuracy_physical") else limit,
        "damage": damage,
    }


def _ranges(name: str | None, packs: RulesetPacks) -> dict[str, Any]:
    """The upper limits of the bands in whole metres."""
    entry = packs.entry("range", name) if name else None
    found: Mapping[str, Any] = entry.data if entry else {}
    bands = {band: math.ceil(found.get(band, 0)) for band in _BANDS}
    attribute = "strength" if found.get("per_strength") else ""
    return {**bands, "category": _RANGES.get(name or "", _MANUAL), "attribute": attribute}


def armor(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    """An "armor"; what is worn over other armor is an accessory."""
    rating, added = entry.data.get("rating", 0), bool(entry.data.get("stacks"))
    value = {"base": rating, "value": rating, "accessory": added}
    return "armor", {**_gear(entry, description), "armor": value}


def _gear(entry: Entry, description: str) -> dict[str, Any]:
    return {
        "description": {"value": description, "source": source(entry)},
        "technology": {
            "rating": entry.data["rating"] if entry.kind == "weapon" and "rating" in entry.data else 1,
            "availability": str(entry.data.get("availability", "")),
            "cost": entry.data.get("cost", 0),
            "quantity": 1,
        },
    }


BUILDERS = {"weapon": weapon, "armor": armor}


# --- Actors -------------------------------------------------------------------------------------------------

_DEVICE_PLACES = {"att1": "attack", "att2": "sleaze", "att3": "data_processing", "att4": "firewall"}
_MATRIX = (*_DEVICE_PLACES.values(),)
_MENTAL = ("willpower", "logic", "intuition", "charisma")
_CREWED, _HUMANOID, _DRONE = 12, 8, 6
"""Boxes beside half the Body that monitors of vehicles, humanoid drones and other drones have."""
_OF_VEHICLES = ("pilot", "handling", "speed", "sensor")
_IC_TYPES = {
    "acid-ic": "acid",
    "binder-ic": "binder",
    "black-ic": "black_ic",
    "black-damage-ic": "black_ic",
    "blaster-ic": "blaster",
    "crash-ic": "crash",
    "degrader-ic": "acid",
    "gray-damage-ic": "killer",
    "jammer-ic": "jammer",
    "killer-ic": "killer",
    "marker-ic": "marker",
    "patrol-ic": "patrol",
    "probe-ic": "probe",
    "scramble-ic": "scramble",
    "sparky-ic": "sparky",
    "tar-baby-ic": "tar_baby",
    "track-and-trace-ic": "track",
    "track-ic": "track",
}
"""The system's words, of which alone it takes one."""

_ATTRIBUTES = ("body", "agility", "reaction", "strength", "willpower", "logic", "intuition", "charisma")
_METATYPES: Mapping[str, Mapping[str, int]] = {
    "dwarf": {"body": 2, "reaction": -1, "strength": 2, "willpower": 1, "edge": -1},
    "elf": {"agility": 1, "charisma": 2, "edge": -1},
    "ork": {"body": 3, "strength": 2, "logic": -1, "charisma": -1, "edge": -1},
    "troll": {
        "body": 4,
        "agility": -1,
        "strength": 4,
        "logic": -1,
        "intuition": -1,
        "charisma": -2,
        "edge": -1,
    },
}
"""What the system adds to the attributes of an NPC; the packs' attributes count it already."""

_SKILL_ITEMS = {
    "archery": ("Archery", "agility", True, "mundane"),
    "astral-combat": ("Astral Combat", "willpower", False, "magic"),
    "automatics": ("Automatics", "agility", True, "mundane"),
    "banishing": ("Banishing", "magic", False, "magic"),
    "binding": ("Binding", "magic", False, "magic"),
    "blades": ("Blades", "agility", True, "mundane"),
    "clubs": ("Clubs", "agility", True, "mundane"),
    "counterspelling": ("Counterspelling", "magic", False, "magic"),
    "cybercombat": ("Cybercombat", "logic", True, "mundane"),
    "exotic-melee-weapon": ("Exotic Melee Weapon", "agility", False, "mundane"),
    "exotic-ranged-weapon": ("Exotic Ranged Weapon", "agility", False, "mundane"),
    "first-aid": ("First Aid", "logic", True, "mundane"),
    "gunnery": ("Gunnery", "agility", True, "mundane"),
    "gymnastics": ("Gymnastics", "agility", True, "mundane"),
    "heavy-weapons": ("Heavy Weapons", "agility", True, "mundane"),
    "longarms": ("Longarms", "agility", True, "mundane"),
    "perception": ("Perception", "intuition", True, "mundane"),
    "pistols": ("Pistols", "agility", True, "mundane"),
    "running": ("Running", "strength", True, "mundane"),
    "spellcasting": ("Spellcasting", "magic", False, "magic"),
    "summoning": ("Summoning", "magic", False, "magic"),
    "throwing-weapons": ("Throwing Weapons", "agility", True, "mundane"),
    "unarmed-combat": ("Unarmed Combat", "agility", True, "mundane"),
}
"""Skills as the system's compendium has them: name, attribute, whether they may be defaulted on, and who has them."""

_PROJECTORS = frozenset({"magician", "mystic-adept"})


def combatant(entry: Entry, packs: RulesetPacks, description: str) -> Sheet:
    """An actor of the type that its nature has.

    Skills are items; the system adds those that are missing when a world gets the actor. It has no type for agents:
    they are characters with the device that they run on.
    """
    data = entry.data
    build = _vehicle if data.get("vehicle") else _OF_NATURE.get(data.get("nature", ""), _character)
    return build(entry, packs, {"description": {"value": description, "source": source(entry)}})


def _character(entry: Entry, packs: RulesetPacks, described: Mapping[str, Any]) -> Sheet:
    """A "character" that is an NPC."""
    data = entry.data
    metatype = data.get("metatype", "human")
    added = _METATYPES.get(metatype, {})
    matrix = {name: data[name] for name in (*_MATRIX, "device_rating") if name in data}
    special = "magic" if "awakened" in data or "magic" in data else "mundane"
    system = {
        **described,
        **_body(data, added),
        "metatype": metatype,
        "is_npc": True,
        "npc": {"is_grunt": bool(data.get("grunt"))},
        "special": "resonance" if data.get("technomancer") else special,
        "initiative": {"meatspace": {"dice": {"base": data.get("initiative_dice", 1)}}},
        "magic": {
            "attribute": data.get("drain_attribute", "logic"),
            "initiation": data.get("initiate_grade", 0),
            "projecting": data.get("awakened") in _PROJECTORS,
        },
    }
    traits = (*_skills(data), *([_device(matrix)] if matrix else []))
    return Sheet("character", system, _arms(entry, packs), traits)


def _spirit(entry: Entry, packs: RulesetPacks, described: Mapping[str, Any]) -> Sheet:
    """A "spirit", whose attributes the system counts from its Force; its immunity to normal weapons, too."""
    data = entry.data
    force = data.get("force", 1)
    body = _body({**data, "armor_value": 0}, dict.fromkeys((*_ATTRIBUTES, "magic"), force))
    body["attributes"] |= {"force": {"base": force}, "essence": {"base": data.get("essence", force) - force}}
    return Sheet(
        "spirit",
        {**described, **body, "spiritType": data.get("spirit_type", "")},
        _arms(entry, packs),
        tuple(_skills(data)),
    )


def _vehicle(entry: Entry, packs: RulesetPacks, described: Mapping[str, Any]) -> Sheet:
    """A "vehicle" that its Pilot drives. Its monitor shows whether it is a drone."""
    data = entry.data
    boxes = data.get("monitor_boxes", _DRONE) - math.ceil(data.get("body", 0) / 2)
    drone = boxes < _CREWED
    return Sheet(
        "vehicle",
        {
            **described,
            "isDrone": drone,
            **({"category": "anthro"} if boxes == _HUMANOID else {}),
            "controlMode": "autopilot",
            "attributes": {"body": {"base": data.get("body", 0)}},
            "vehicle_stats": {name: {"base": data[name]} for name in _OF_VEHICLES if name in data},
            "armor": {"rating": {"base": data.get("armor_value", 0)}},
            "track": {"physical": {"value": data.get("physical", 0)}},
        },
        _arms(entry, packs),
        tuple(_skills(data)),
    )


def _ic(entry: Entry, packs: RulesetPacks, described: Mapping[str, Any]) -> Sheet:
    """An "ic", whose attributes and skills the system takes from its host's rating."""
    data = entry.data
    kind = {"icType": _IC_TYPES[entry.slug]} if entry.slug in _IC_TYPES else {}
    ratings = {place: {"value": data.get(name, 0), "att": name} for place, name in _DEVICE_PLACES.items()}
    host = {"rating": data.get("device_rating", 0), "atts": ratings}
    return Sheet("ic", {**described, **kind, "host": host}, ())


def _sprite(entry: Entry, packs: RulesetPacks, described: Mapping[str, Any]) -> Sheet:
    """A "sprite", whose numbers the system counts from its Level."""
    data = entry.data
    level = data.get("force", 1)
    return Sheet(
        "sprite",
        {
            **described,
            "spriteType": entry.slug.removesuffix("-sprite"),
            "attributes": {
                "level": {"base": level},
                **{name: {"base": data.get(name, level)} for name in _MENTAL},
            },
            "matrix": {name: {"base": data.get(name, level) - level} for name in _MATRIX},
        },
        (),
        tuple(_skills(data)),
    )


_OF_NATURE = {"ic": _ic, "spirit": _spirit, "sprite": _sprite}
"""Builders of actors by the nature of combatants; vehicles are known by their flag."""


def _body(data: Mapping[str, Any], added: Mapping[str, int]) -> dict[str, Any]:
    """What bodies have: attributes without what the system adds to them, monitors and bonuses."""
    pain, armor = data.get("pain_resistance", 0), data.get("armor_value", 0)
    usual = 0 if data.get("nature") == "agent" else 1
    return {
        "attributes": {
            **{name: {"base": data.get(name, usual) - added.get(name, 0)} for name in _ATTRIBUTES},
            "edge": {
                "base": data.get("edge", 1) - added.get("edge", 0),
                "uses": data.get("edge_points", data.get("edge", 1)),
            },
            "magic": {"base": data.get("magic", 0) - added.get("magic", 0)},
        },
        "armor": {"hardened" if data.get("hardened_armor") else "rating": {"base": armor}},
        "track": {track: {"value": data.get(track, 0)} for track in ("physical", "stun")},
        "modifiers": {
            "armor": data.get("armor_bonus", 0),
            "soak": data.get("soak_bonus", 0),
            "pain_tolerance_physical": pain,
            "pain_tolerance_stun": pain,
        },
    }


def _arms(entry: Entry, packs: RulesetPacks) -> tuple[Gear, ...]:
    return tuple(
        Gear(piece, {"technology": {"quantity": count, "equipped": True}})
        for kind in ("weapon", "armor")
        for piece, count in carried(entry, packs, kind)
    )


def _skills(data: Mapping[str, Any]) -> Iterator[Trait]:
    for slug, rating in data.get("skills", {}).items():
        yield _skill(slug, rating)


def _skill(slug: str, rating: int) -> Trait:
    plain = (slug.replace("-", " ").title(), "", True, "mundane")
    name, attribute, defaulting, requirement = _SKILL_ITEMS.get(slug, plain)
    skill = {"category": "active", "rating": rating, "attribute": attribute, "defaulting": defaulting}
    return Trait(
        f"skill/{slug}", name, "skill", {"type": "skill", "skill": {**skill, "requirement": requirement}}
    )


def _device(matrix: Mapping[str, int]) -> Trait:
    """What a combatant is in the Matrix with: the packs give its ratings alone. What can attack is a cyberdeck."""
    category = "cyberdeck" if "attack" in matrix else "commlink"
    atts = {name: matrix.get(name, 0) for name in _MATRIX}
    return Trait(
        "device",
        category.capitalize(),
        "device",
        {
            "category": category,
            "technology": {"equipped": True, "rating": matrix.get("device_rating", max(atts.values()))},
            "atts": {
                place: {"value": matrix.get(name, 0), "att": name} for place, name in _DEVICE_PLACES.items()
            },
        },
    )


SYSTEM = System("shadowrun5e", "0.36.2", "Shadowrun 5", "sr5", BUILDERS, combatant)
