"""What a request may say of people in Shadowrun 4, and words that many procedures use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.fields import Declared, choice, entries, entry, fields, flag, ratings, text, whole, words
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4 import controls


def listed(line: str) -> tuple[str, ...]:
    """The words of a line."""
    return tuple(line.split())


SKILLS = listed(
    "archery automatics blades clubs dodge exotic-melee-weapon exotic-ranged-weapon gunnery gymnastics "
    "heavy-weapons infiltration longarms perception pistols running throwing-weapons unarmed-combat "
    "astral-combat assensing spellcasting counterspelling summoning banishing first-aid medicine flight "
    "pilot-ground-craft pilot-aircraft pilot-watercraft pilot-anthroform "
    "computer cybercombat electronic-warfare hacking"
)
SENSES = ("normal", "low-light", "thermographic", "ultrasound")
VISIBILITY = ("full-darkness", "partial-light", "glare", "light-fog", "heavy-fog", "thermal-smoke")
PISTOLS = ("taser", "holdout", "light-pistol", "heavy-pistol", "machine-pistol")
FIREARMS = PISTOLS + listed(
    "submachine-gun assault-rifle sporting-rifle sniper-rifle shotgun light-machine-gun medium-machine-gun "
    "heavy-machine-gun assault-cannon grapple-gun cyber-gun special-weapon grenade-launcher "
    "underbarrel-launcher missile-launcher"
)
_NOT_FIRED = (
    "grenade blade club exotic-melee-weapon unarmed cyber-melee cyber-blade cyber-club natural natural-ranged"
)
CATEGORIES = ("bow", "crossbow", "throwing-knife", "shuriken", *FIREARMS, *listed(_NOT_FIRED))
FEATURES = listed(
    "smartgun laser-sight image-magnification silencer sound-suppressor stock shock-pad bipod tripod gas-vent"
)
FEEDS = ("clip", "magazine", "cylinder", "break", "muzzle-loader", "belt", "none")
METATYPES = ("human", "elf", "dwarf", "ork", "troll")
ELEMENTS = ("electricity", "fire", "cold", "acid", "laser")
RESISTED = ("acid", "cold", "electricity", "fire")
"""Elements against which there is gear."""

ENGULFS = ("air", "earth", "fire", "water")
"""As what beings engulf others."""

ATTRIBUTES = listed("body agility reaction strength charisma intuition logic willpower edge magic")


def by_force(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes and skills of a spirit that its sheet lacks: the Force and what is added, 1 at least (30.1)."""
    force = sheet.get("force")
    if force is None:
        return {}
    grown = {name: max(1, force + more) for name, more in sheet["by_force"].items()}
    skills = {skill: rating for skill, rating in grown.items() if skill in SKILLS}
    found = {name: its for name, its in grown.items() if name not in skills and name not in sheet}
    return {**found, "skills": {**skills, **sheet.get("skills", {})}}


_COUNTED = (*ATTRIBUTES, "passes")
"""What the sheet of an adept has with its powers."""


def by_powers(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What the powers of an adept bring at their levels, beside attributes, where the sheet has no number of it (34.4).
    `sheet`: with the entries of its powers."""
    levels, found = sheet.get("power_levels", {}), dict[str, Any]()
    for power in sheet["powers"]:
        if power.data.get("type") != "adept":
            continue
        found |= power.data.get("sets", {})
        for change in power.data.get("changes", ()):
            stat, added = change["stat"], change["add"]
            points = (
                added if isinstance(added, int) else added[min(levels.get(power.slug, 1), len(added)) - 1]
            )
            found[stat] = found.get(stat, 0) + points
    return {name: its for name, its in found.items() if name not in _COUNTED and not sheet.get(name)}


_BY_FORCE = "Added to the Force for what the sheet does not have; 1 at least."
ALLERGIES = ("none", "mild", "moderate", "severe")

UNAWARE = flag("Unaware or surprised", "No defense at all.")
FULL_DEFENSE = choice("Full defense", choices=("none", "dodge", "gymnastics"))
DEFENSES_MADE = whole("Defenses made", "Since the target's own last action.", most=50)
SOAK_BONUS = whole("Resistance bonus", "Dice of Toughness, bone lacing and the like.", most=50)
"""Fields of a target, whatever the attack."""
DAMAGE_KIND = choice("Damage kind", "Which condition monitor it fills.", choices=("physical", "stun"))
_RATING = "Which rating of the target's armor counts."
WEAPON_DAMAGE: Mapping[str, Declared] = {
    "dv_half_strength": flag("Adds half Strength", "The DV adds Strength / 2, rounded up."),
    "dv_magic": flag("Adds Magic", "The DV adds the Magic of the attacker, such as that of a spirit."),
    "magical": flag(
        "Magical", "A power of magic or a weapon focus: Immunity to normal weapons does not help."
    ),
    "damage": DAMAGE_KIND,
    "electric": flag("Electric damage"),
    "ap": whole(
        "Armor penetration", "Added to the target's armor, so negative is better.", -50, 50, example=-1
    ),
    "ap_half": flag("Halves armor", "The target's armor is halved before the armor penetration is added."),
    "armor_kind": choice("Armor that protects", _RATING, choices=("ballistic", "impact")),
}
WEAPON_LOAD: Mapping[str, Declared] = {
    "rounds": whole("Rounds loaded"),
    "magazine": whole("Capacity", "Rounds it holds."),
    "feed": choice("Feed", choices=FEEDS),
    "features": words("Features", "What is built in or mounted as bought.", choices=FEATURES),
}
"""Fields of weapons of both kinds."""
PRONE = flag("Prone")
DARKNESS_DICE = whole("Dice in full darkness", "Of which it takes less.", most=2)
COVER = choice("Cover", choices=("none", "partial", "good"))
OFF_HAND = flag("Off-hand weapon")
FLARE_COMPENSATION = flag("Flare compensation", "Glare does not dazzle.")
USING_SKILL = choice("Skill", "The Active Skill that uses it.", choices=SKILLS)
AGAINST = words("Attributes against it", "What each target rolls.", choices=ATTRIBUTES)
SPIRIT_FORCE = whole("Force", "Of a spirit.", least=1, most=50, example=4)
WEAPON_SKILL = whole("Skill with the weapon", derived_from="attacker.skills")
VISIBILITY_MODIFIER = whole("Visibility modifier", least=-50, most=0, derived_from="visibility")


def named(who: str) -> str:
    """A record in words: "Victim 1"."""
    return who.replace("_", " ").capitalize()


_FRESH = "Marked by those who act at the same time: no wound modifier yet."


_AGAINST_ELEMENTS = "Ratings of the gear against each element; they add to the armor."
_EDGE_GROUP = "Those with the same word share their points of Edge, such as a crowd."
_GRUNT = "By the house rule npc_single_track a single monitor for both kinds of damage."
_VEHICLE = "A vehicle or drone: what does not exceed its armor does nothing, and it takes no Stun."
_ALLERGIC = "How severely to the substance that strikes; Immunity does not help."
_KNOWN = "Those of adepts count by themselves."
_ENCUMBERED = "Dice lost on Agility and Reaction tests."


def _by_force(path: str) -> Field:
    names = (*ATTRIBUTES, "edge_points", *SKILLS)
    made = ratings("By Force", _BY_FORCE, choices=names, least=-20, most=20, example={"agility": 3})(path)
    return made._replace(completes=by_force)


def _powers(path: str) -> Field:
    made = entries("Spells and powers", _KNOWN, entry_kind="power", example=["manabolt"])(path)
    return made._replace(completes=by_powers)


def combatant_fields(who: str, **more: Declared) -> tuple[Field, ...]:
    """The fields of a sheet, which both sides have, and more."""
    doc = "Attribute after augmentation, without wounds."
    return fields(
        who,
        name=text("Name", most=80, example="Rook"),
        metatype=choice("Metatype", "Human, elf, dwarf, ork or troll.", choices=METATYPES),
        **{name: whole(name.capitalize(), doc, most=50) for name in ATTRIBUTES},
        edge_points=whole("Edge points left", "Unspent points of Edge.", most=20, example=3),
        burns_edge=flag(
            "Is asked about burning Edge", "Also with no point left. Left out: with points alone."
        ),
        edge_group=text("Edge group", _EDGE_GROUP, most=80, example="gangers"),
        skills=ratings("Skills", "Rating by skill; a missing skill is defaulted.", most=20, choices=SKILLS),
        physical=whole("Physical boxes", "Filled boxes of the Physical monitor.", most=200),
        stun=whole("Stun boxes", "Filled boxes of the Stun monitor.", most=200),
        physical_fresh=whole("Fresh Physical boxes", _FRESH, most=200),
        stun_fresh=whole("Fresh Stun boxes", _FRESH, most=200),
        powers=_powers,
        power_levels=ratings("Levels of powers", "Of adepts; 1 unless given.", least=1, most=12),
        pain_resistance=whole("Boxes ignored", "Boxes a track ignores for wound modifiers.", most=20),
        low_pain_tolerance=flag("Low pain tolerance", "A wound modifier for every 2 boxes instead of 3."),
        extra_boxes=whole("Extra Physical boxes", "Such as one for each cyberlimb.", most=20),
        extra_overflow=whole("Extra overflow boxes", "Such as those of Will to Live.", most=20),
        armor=entries("Armor worn", "Every piece worn or held.", entry_kind="armor", example=["armor-vest"]),
        ballistic_bonus=whole("Ballistic bonus", "Of body and implants; no encumbrance.", most=50),
        impact_bonus=whole("Impact bonus", "Of body and implants; no encumbrance.", most=50),
        ballistic=whole("Ballistic armor", "The whole rating, in place of the pieces.", most=200),
        impact=whole("Impact armor", "The whole rating, in place of the pieces.", most=200),
        resistances=ratings("Protection from elements", _AGAINST_ELEMENTS, most=20, choices=RESISTED),
        grunt=flag("Grunt", _GRUNT),
        vehicle=flag("Vehicle", _VEHICLE),
        force=SPIRIT_FORCE,
        by_force=_by_force,
        immune_to_weapons=flag("Immune to normal weapons", "Twice the Magic is hardened armor against them."),
        immune_to=words(
            "Immune to", "Elements against which twice the Magic is hardened armor.", choices=ELEMENTS
        ),
        **controls.FIELDS,
        natural=flag("Animal or critter", "No metahuman: it has no metatype."),
        hardened=whole("Hardened armor", "What does not exceed it does nothing.", most=100),
        allergic=choice("Allergic to what strikes", _ALLERGIC, choices=ALLERGIES),
        vulnerable=flag("Vulnerable to what strikes", "Immunity does not help against it."),
        vehicle_armor=whole("Armor of the vehicle", "One rating against everything.", most=200),
        regenerates=flag("Regenerates", "Boxes that last are counted."),
        without_glitches=flag("Without glitches", "By Guard and the house rule guard_stops_glitches."),
        aura=choice("Energy Aura", "The element that burns those who strike it in melee.", choices=ELEMENTS),
        nauseated=flag("Nauseated", "Wound modifiers are doubled."),
        burning_dv=whole("Burns with", "DV of the fire on it, each turn.", most=200),
        acid_dv=whole("Acid", "DV of the acid on it, each turn.", most=200),
        stabilized=flag("Stabilized", "Dying no more, until the next wound."),
        treated=flag("Wounds treated", "They have had first aid; new ones may again."),
        spell_armor=whole("Armor spell", "Adds to both ratings; no encumbrance.", most=50),
        combat_sense=whole("Combat sense", "Dice on defense and Surprise Tests, by magic.", most=20),
        senses=words("Senses", "Ways of seeing, natural and by gear.", choices=SENSES),
        smartlink=flag("Smartlink", "Goggles, contacts or an implant that reads a smartgun."),
        ambidextrous=flag("Ambidextrous", "The off hand is as good as the other."),
        running=flag("Running"),
        in_melee=flag("In melee combat"),
        in_moving_vehicle=flag("In a moving vehicle"),
        by_sensors=flag("Aimed by sensors", derived_from=f"{who}.control"),
        wound_modifier=whole("Wound modifier", least=-200, most=0, derived_from=f"{who}.physical"),
        encumbrance=whole("Armor encumbrance", _ENCUMBERED, -200, 0, derived_from=f"{who}.armor"),
        **more,
    )


CALLED_SHOTS = ("none", "vital", "unarmored", "item", "trick")
_LOST = "What the target holds and is to lose; things of no pack are for people to keep."
CALLED_SHOT_FIELDS = fields(
    "called_shot",
    dv=whole("Vital area", "Dice given up, and DV gained.", least=1, most=4),
    penalty=whole("Difficulty of the trick", "Dice, as the GM says.", most=20),
    item=entry("Item", _LOST, entry_kind="weapon"),
    armor=whole("Armor avoided", derived_from="target.armor"),
)
"""What a called shot has beside its kind."""


BURN_EDGE = flag("Burn Edge", "A point of the attribute, for ever, for a critical success without a roll.")
"""What the one who makes a test may say of it."""


def dice(label: str, doc: str, least: int = 0) -> Declared:
    """A pool that is given in place of what makes it up, or of one that is split a part, of 1 at least."""
    return whole(label, doc, least, 60)


def raisable(attack: str) -> tuple[Field, ...]:
    """Whether there is armor that armor penetration may raise, where this kind of attack strikes."""
    doc = f"There is some, and the {attack} does not avoid it."
    return fields("armor", raisable=flag("Armor that can be raised", doc, derived_from="target.armor"))


OF_ROLL = {"specialized": flag("Specialized", "The specialization covers this use."), "burn_edge": BURN_EDGE}
IN_PLACE_OF_SKILL = "Dice before modifiers, in place of attribute and skill."
SKILL_TEST = {"pool": dice("Pool", IN_PLACE_OF_SKILL), **OF_ROLL}
"""What the one who makes a test of a skill may say of it."""

ATTACK_POOL = fields("attacker", pool=dice("Attack pool", IN_PLACE_OF_SKILL), **OF_ROLL)
"""What gives an attacker dice, whatever the weapon."""
