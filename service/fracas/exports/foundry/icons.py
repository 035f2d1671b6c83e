"""Pictures of documents, out of those that every Foundry has.

Each path is in the list of Foundry's own icons that the system Pathfinder 2 checks its packs against
(``build/core-icons.json`` of foundryvtt/pf2e, for version 13).
"""

from __future__ import annotations

from collections.abc import Mapping

from fracas.exports.foundry.sheets import is_machine
from fracas.packs.entries import Entry

SKILL = "icons/svg/book.svg"
DEVICE = "icons/svg/item-bag.svg"

_MACHINE = "icons/svg/clockwork.svg"
_BEAST = "icons/svg/pawprint.svg"
_BY_KIND = {
    "weapon": "icons/svg/sword.svg",
    "armor": "icons/svg/shield.svg",
    "action": "icons/svg/lightning.svg",
    "combatant": "icons/svg/mystery-man.svg",
}
"""Where nothing more is known."""

_ROCKET = "icons/weapons/thrown/rocket.webp"
_GRENADE = "icons/weapons/thrown/grenade-round.webp"
_GAS = "icons/weapons/thrown/bomb-gas-grey-purple.webp"
_BOW = "icons/weapons/bows/bow-recurve-black.webp"
_CROSSBOW = "icons/weapons/crossbows/crossbow-simple-black.webp"
_CANNON = "icons/weapons/artillery/cannon-simple.webp"
_STUNNER = "icons/weapons/guns/gun-pistol-wood.webp"
_PISTOL = "icons/weapons/guns/gun-pistol-brass.webp"
_LASER = "icons/weapons/guns/gun-purple.webp"
_SHORT_GUN = "icons/weapons/guns/gun-topbarrel.webp"
_SHOTGUN = "icons/weapons/guns/gun-double-barrel.webp"
_RIFLE = "icons/weapons/guns/rifle-brown.webp"
_LONG_RIFLE = "icons/weapons/guns/rifle-fluted.webp"
_HEAVY_GUN = "icons/weapons/guns/gun-worn-steel.webp"
_GUN = "icons/weapons/guns/gun-brown.webp"
_SWORD = "icons/weapons/swords/sword-guard.webp"
_KNIFE = "icons/weapons/daggers/knife-engraved-black.webp"
_BLADES = "icons/weapons/daggers/dagger-curved-black.webp"
_CLUB = "icons/weapons/clubs/club-baton-brown.webp"
_FIST = "icons/weapons/fist/fist-knuckles-brass.webp"
_CLAW = "icons/weapons/fist/claw-gauntlet-gray.webp"
_SPEAR = "icons/weapons/polearms/spear-simple-hooked.webp"
_HALBERD = "icons/weapons/polearms/halberd-crescent-steel.webp"
_TEETH = "icons/weapons/swords/sword-hooked-worn.webp"
_AXE = "icons/weapons/axes/axe-battle-black.webp"
_CHARGE = "icons/weapons/thrown/bomb-detonator.webp"
_THROWN = "icons/weapons/thrown/dagger-ringed-steel.webp"

_BY_CATEGORY = {
    "assault-cannon": _CANNON,
    "assault-rifle": _RIFLE,
    "bow": _BOW,
    "crossbow": _CROSSBOW,
    "grenade-launcher": _ROCKET,
    "heavy-machine-gun": _HEAVY_GUN,
    "heavy-pistol": _PISTOL,
    "holdout": _PISTOL,
    "light-machine-gun": _HEAVY_GUN,
    "light-pistol": _PISTOL,
    "machine-pistol": _SHORT_GUN,
    "medium-machine-gun": _HEAVY_GUN,
    "missile-launcher": _ROCKET,
    "shotgun": _SHOTGUN,
    "sniper-rifle": _LONG_RIFLE,
    "sporting-rifle": _LONG_RIFLE,
    "submachine-gun": _SHORT_GUN,
    "taser": _STUNNER,
    "underbarrel-launcher": _ROCKET,
}
"""By a weapon's category, where that is one of weapons which look alike."""

_BY_WORD: Mapping[str, Mapping[str, str]] = {
    "weapon": {
        "launcher": _ROCKET,
        "rocket": _ROCKET,
        "mortar": _CANNON,
        "cannon": _CANNON,
        "charge": _CHARGE,
        "mine": "icons/weapons/thrown/bomb-pressure-black.webp",
        "smoke": _GAS,
        "gas": _GAS,
        "grenade": _GRENADE,
        "flash": _GRENADE,
        "shuriken": "icons/weapons/thrown/shuriken-blue.webp",
        "throwing": _THROWN,
        "bow": _BOW,
        "shotgun": _SHOTGUN,
        "taser": _STUNNER,
        "electrodes": _STUNNER,
        "butt": _CLUB,
        "pistol": _PISTOL,
        "sniper": _LONG_RIFLE,
        "materiel": _LONG_RIFLE,
        "rifle": _RIFLE,
        "autogun": _HEAVY_GUN,
        "machine": _HEAVY_GUN,
        "tank": _HEAVY_GUN,
        "submachine": _SHORT_GUN,
        "laspistol": _LASER,
        "lasgun": _LASER,
        "shrieker": _LASER,
        "banshee": _LASER,
        "dazzler": _LASER,
        "boltgun": _RIFLE,
        "autopistol": _PISTOL,
        "stub": _PISTOL,
        "holdout": _PISTOL,
        "chainsword": _TEETH,
        "chainsaw": _TEETH,
        "eviscerator": _TEETH,
        "falchion": _TEETH,
        "katana": "icons/weapons/swords/sword-katana.webp",
        "sword": _SWORD,
        "axe": _AXE,
        "hammer": "icons/weapons/hammers/hammer-double-steel.webp",
        "flail": "icons/weapons/maces/flail-ball-grey.webp",
        "whip": "icons/weapons/misc/whip-red-yellow.webp",
        "staff": "icons/weapons/staves/staff-simple.webp",
        "rod": "icons/weapons/staves/staff-simple.webp",
        "halberd": _HALBERD,
        "pole": _HALBERD,
        "spear": _SPEAR,
        "lance": _SPEAR,
        "pike": _SPEAR,
        "knife": _KNIFE,
        "sting": _KNIFE,
        "blades": _BLADES,
        "blade": _BLADES,
        "spur": _BLADES,
        "razors": _CLAW,
        "claw": _CLAW,
        "claws": _CLAW,
        "bite": _CLAW,
        "club": _CLUB,
        "baton": _CLUB,
        "sap": _CLUB,
        "bludgeon": _CLUB,
        "glove": _FIST,
        "gloves": _FIST,
        "hand": _FIST,
        "chainfist": _FIST,
        "fist": _FIST,
        "knuckledusters": _FIST,
        "unarmed": _FIST,
    },
    "armor": {
        "shield": "icons/svg/shield.svg",
        "field": "icons/svg/mage-shield.svg",
        "helmet": "icons/equipment/head/helm-spangen.webp",
        "balaclava": "icons/equipment/head/helm-spangen.webp",
        "coif": "icons/equipment/head/helm-spangen.webp",
        "gauntlets": "icons/equipment/hand/gauntlet-armored-steel-grey.webp",
        "suit": "icons/equipment/chest/breastplate-collared-steel.webp",
        "plates": "icons/equipment/chest/breastplate-collared-steel.webp",
        "full": "icons/equipment/chest/breastplate-collared-steel.webp",
        "carapace": "icons/equipment/chest/breastplate-collared-steel.webp",
        "power": "icons/equipment/chest/breastplate-collared-steel.webp",
        "leather": "icons/equipment/chest/breastplate-banded-simple-leather-brown.webp",
        "leathers": "icons/equipment/chest/breastplate-banded-simple-leather-brown.webp",
        "synthleather": "icons/equipment/chest/breastplate-banded-simple-leather-brown.webp",
        "vest": "icons/equipment/chest/breastplate-quilted-brown.webp",
        "jacket": "icons/equipment/chest/breastplate-quilted-brown.webp",
        "harness": "icons/equipment/chest/breastplate-quilted-brown.webp",
        "mesh": "icons/equipment/chest/breastplate-quilted-brown.webp",
        "flak": "icons/equipment/chest/breastplate-quilted-brown.webp",
        "clothing": "icons/equipment/chest/shirt-collared-brown.webp",
        "clothes": "icons/equipment/chest/shirt-collared-brown.webp",
        "coat": "icons/equipment/chest/shirt-collared-brown.webp",
        "longcoat": "icons/equipment/chest/shirt-collared-brown.webp",
        "jumpsuit": "icons/equipment/chest/shirt-collared-brown.webp",
    },
}
"""By a word of the slug; the first of them here that the slug has counts, since narrower words come first."""

_BY_TYPE = {
    "blade": _SWORD,
    "close": _SWORD,
    "club": _CLUB,
    "grenade": _GRENADE,
    "gun": _GUN,
    "launcher": _ROCKET,
    "melee": _SWORD,
    "pistol": _PISTOL,
    "thrown": _THROWN,
    "unarmed": _FIST,
    # Skills, for weapons of categories that say nothing
    "exotic-ranged-weapon": _GUN,
    "automatics": _SHORT_GUN,
    "heavy-weapons": _HEAVY_GUN,
    "longarms": _RIFLE,
    "pistols": _PISTOL,
    "unarmed-combat": _FIST,
}


def icon(entry: Entry) -> str:
    """The picture of the document of an entry."""
    data = entry.data
    if entry.kind == "combatant":
        beast = "hit_dice" in data and not data.get("human_sized") and "named" not in data
        return _MACHINE if is_machine(entry) else _BEAST if beast else _BY_KIND["combatant"]
    words = entry.slug.split("-")
    found = [_BY_CATEGORY.get(data.get("category", ""))] if entry.kind == "weapon" else []
    found += [path for word, path in _BY_WORD.get(entry.kind, {}).items() if word in words]
    found += [_BY_TYPE.get(data.get(field, "")) for field in ("category", "type", "skill")]
    return next((path for path in found if path), _BY_KIND[entry.kind])
