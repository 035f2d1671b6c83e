"""What a request may say of a Shadowrun 5 attack.

Distances are metres. A field that is left out is unknown, never zero. Section numbers are those of the rulebook
(``sr5-bonus-actions``). Fields that only some house rule reads say so in their doc.
"""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel import fields as kit
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5 import combatant
from fracas.rulesets.sr5.combatant import combatant_fields

PISTOLS = ("taser", "holdout", "light-pistol", "heavy-pistol", "machine-pistol")
CATEGORIES = (
    *(*PISTOLS, "submachine-gun", "carbine", "assault-rifle", "sporting-rifle", "sniper-rifle", "shotgun"),
    *("light-machine-gun", "medium-machine-gun", "heavy-machine-gun", "assault-cannon"),
    *("grenade-launcher", "missile-launcher"),
    *("bow", "crossbow", "exotic-ranged", "throwing-weapon", "grenade"),
    *combatant.MELEE_CATEGORIES,
)
FIRE_MODES = (
    *("single-shot", "semi-automatic", "semi-automatic-burst", "burst", "long-burst", "full-automatic"),
    *("long-full-automatic", "suppressive"),
)
FEATURES = (
    *("smartgun", "laser-sight", "imaging-scope", "silencer", "sound-suppressor", "stock"),
    *("folding-stock", "shock-pad", "gas-vent-1", "gas-vent-2", "gas-vent-3", "bipod", "tripod"),
    *("gyro-mount", "electronic-firing", "flashlight"),
)
PAYLOADS = ("grenade", "missile", "chemical", "drug-or-toxin", "special")
LOADS = (
    *("regular", "apds", "assault-cannon", "explosive", "ex-explosive", "flechette", "gel"),
    *("hollow-point", "stick-n-shock", "tracer", "taser-dart", "injection-dart", "grenade", "rocket"),
    "missile",
)
BANDS = ("short", "medium", "long", "extreme", "beyond", "too-close")
ZONES = ("hand", "close", "near", "far", "extreme")
VISIBILITY = ("clear", "light", "moderate", "heavy")
HELP = ("none", "gear", "own")

_OF_HELP = "Under the house rule modifiers: paydata: by gear, or of one's own by nature, ware or magic."
_SPLIT_DICE = "Of Multiple attacks: dice of the pool that this attack gets, before modifiers."
_ATTACKER: Mapping[str, kit.Declared] = {
    "pool": kit.whole("Attack pool", "Dice before modifiers, in place of attribute and skill.", most=60),
    "specialized": kit.flag("Specialized", "The specialization covers this attack."),
    "split_dice": kit.whole("Dice of a split pool", _SPLIT_DICE, 1, 60),
    "off_hand": kit.flag("Off-hand weapon"),
    "called_shot": kit.flag("Called shot"),
    "called_initiative": kit.whole(
        "Initiative that a called shot takes",
        "Points that the target loses on a hit: at once, or from the next roll where scores stay as rolled (14).",
        most=20,
        example=5,
    ),
    "visibility_help": kit.choice("Help against poor visibility", _OF_HELP, choices=HELP),
    "light_help": kit.choice("Help against darkness or glare", _OF_HELP, choices=HELP),
    "wind_help": kit.choice("Help against wind", _OF_HELP, choices=HELP),
    "control": combatant.CONTROL,
    "control_rig": combatant.CONTROL_RIG,
    "sensor": combatant.SENSOR,
    "sensor_attack": kit.flag("Sensor attack", "Aimed by the sensors of the machine."),
    "lock_dice": kit.whole("Sensor lock", "Dice of a lock on this target.", most=30, unit="dice"),
    "skill": kit.whole("Skill with the weapon", "0 if defaulted.", derived_from="attacker.skills"),
}

_TARGET: Mapping[str, kit.Declared] = dict(
    pool=kit.whole("Defense pool", "Dice before modifiers, in place of the attributes.", most=60),
    unaware=kit.flag("Unaware or surprised", "No defense at all."),
    sprinting=kit.flag("Sprinting"),
    full_defense=kit.flag("Full defense", "Declared and still in force."),
    defenses_made=kit.whole("Earlier defenses", "Since the target's own last action.", most=50),
    **combatant.RESISTING,
    evasion=combatant.EVASION,
    evasive=combatant.EVASIVE,
    signature=kit.choice("Signature", "How sensors see the target.", choices=combatant.SIGNATURES),
    strapped_in=kit.flag("Strapped in", "Cannot move freely; under the house rule modifiers: paydata."),
    **combatant.protection("target"),
)

_AMMUNITION = "What it is loaded with as it comes; load says what it is loaded with now."
_WEAPON = kit.fields(
    "weapon",
    name=kit.text("Name", most=80),
    category=kit.choice("Class", "The class of weapon that it belongs to.", choices=CATEGORIES),
    skill=kit.choice("Skill", "The skill that uses it.", choices=combatant.SKILLS),
    accuracy=kit.whole("Accuracy", "Without electronics. Left out: the Physical limit.", most=50, example=5),
    accuracy_physical=kit.flag("Physical limit", "The user's Physical limit stands in place of Accuracy."),
    dv=kit.whole("Damage Value", "Before net hits, without Strength.", most=100, example=8, unit="boxes"),
    dv_strength=kit.flag("Adds Strength", "The Damage Value adds the user's Strength."),
    damage=kit.choice("Damage kind", "Which condition monitor it fills.", choices=("physical", "stun")),
    element=kit.choice("Element", "Left out: none.", choices=combatant.ELEMENTS),
    flechette=kit.flag("Flechette", "Counted in Damage Value and AP already."),
    ap=kit.whole("Armor penetration", "Added to the armor.", -50, 50, example=-1),
    payload=kit.choice("Payload", "What does the damage in the weapon's place.", choices=PAYLOADS),
    reach=kit.whole("Reach", most=20),
    modes=kit.words("Firing modes", choices=("SS", "SA", "BF", "FA")),
    rc=kit.whole("Recoil compensation", "The weapon's own, without its accessories.", most=50),
    rounds=kit.whole("Rounds loaded", "Rounds in it when it is taken from the pack; as a rule its capacity."),
    magazine=kit.whole("Capacity", "Rounds it holds."),
    feed=kit.choice("Feed", choices=("clip", "magazine", "cylinder", "break", "muzzle-loader", "none")),
    range=kit.entry("Range table", entry_kind="range", example="heavy-pistols"),
    features=kit.words("Accessories", "Built in or mounted.", choices=FEATURES),
    rating=kit.whole("Rating of a bow", "The Strength that it is made for.", most=50),
    ammunition=kit.entry("Ammunition", _AMMUNITION, entry_kind="ammunition", example="grenade-fragmentation"),
)


def _dice_of_a_row(label: str, doc: str) -> kit.Declared:
    return kit.whole(label, doc, -10, 0, derived_from="environment.visibility")


_ENVIRONMENT = kit.fields(
    "environment",
    visibility=kit.choice("Visibility", "Rain, fog or smoke.", choices=VISIBILITY),
    light=kit.choice("Light", choices=("full", "partial", "dim", "dark")),
    glare=kit.choice("Glare", choices=("none", "weak", "moderate", "blinding")),
    wind=kit.choice("Wind", "Light breeze or less is none.", choices=("none", "light", "moderate", "strong")),
)

_ELEMENT = "Of the load, or else of the weapon."
_DAMAGE = kit.fields(
    "damage",
    element=kit.choice(
        "Element of the damage", _ELEMENT, choices=combatant.ELEMENTS, derived_from="weapon.element"
    ),
)

_SIDES = (
    kit.person("attacker", "Attacker"),
    kit.person("target", "Target"),
    Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
    Record("environment", "Environment"),
)

RANGED_ATTACK = kit.vocabulary(
    *_SIDES,
    Record("load", "Load", "ammunition", "What the weapon is loaded with, or fields of it, or both."),
    Record("fire", "How it is fired"),
    Record("range", "Range"),
    combatant_fields(
        "attacker",
        **_ATTACKER,
        blind_fire=kit.flag("Blind fire", "The target cannot be seen."),
        around_corner=kit.flag("Firing round a corner", "With the smartgun's camera (6.4)."),
        imaging_from_cover=kit.flag("Firing from cover with imaging", "By a camera, without looking out."),
        noise=kit.whole("Noise", "At the smartlink, after noise reduction.", most=60),
        in_cover=kit.flag("In cover", "Suppressive fire does not hamper then."),
        suppressed=kit.whole("Suppressive fire", "Hits of the fire in whose zone one is.", most=60),
        take_aim=kit.whole("Take Aim actions", "Simple actions spent on aiming, not lost since.", most=20),
        aim_for=kit.choice("Aimed for", "What Take Aim adds to.", choices=("dice", "accuracy")),
        aim_turns=kit.whole("Whole turns aimed", "In place of Take Aim, by modifiers: paydata.", most=20),
        deployed=kit.flag("Deployed", "Stock unfolded, bipod or tripod set up."),
        rounds_before=kit.whole("Rounds fired before", "That count as recoil, without a pause before."),
        rounds_phase=kit.whole("Rounds of the phase", "That count as recoil, with this attack."),
        rounds_in_phase=kit.whole("Rounds fired in the phase", "That count as recoil, earlier in it."),
    ),
    combatant_fields(
        "target",
        **_TARGET,
        cover=kit.choice("Cover", "Partial: over 25 %. Good: over 50 %.", choices=combatant.COVER),
    ),
    _WEAPON,
    kit.fields(
        "weapon",
        fired_this_turn=kit.flag("Fired in this turn", "For single-shot weapons of the house rules."),
    ),
    kit.fields(
        "load",
        name=kit.text("Name", most=80),
        type=kit.choice("Type", "What sort of load it is.", choices=LOADS),
        dv=kit.whole("Damage Value", "Added to the weapon's, or in its place.", -50, 100),
        ap=kit.whole("Armor penetration", "Added to the weapon's, or the whole.", -50, 50),
        ap_becomes=kit.whole("AP becomes", "The armor penetration, whatever the weapon's own.", -50, 50),
        ap_vehicle=kit.whole("AP against vehicles", "In place of the other one.", -50, 50),
        damage=kit.choice("Damage kind", "Left out: the weapon's own.", choices=("physical", "stun")),
        element=kit.choice("Element", "Left out: the weapon's own.", choices=combatant.ELEMENTS),
        flechette=kit.flag("Flechette", "Bursts into a spray of slivers."),
        replaces=kit.flag("Replaces the weapon's numbers", "They are not added to it; such as a grenade."),
        blast_loss=kit.whole("Loss of the blast", "Damage Value lost with each metre.", most=50),
        radius=kit.whole("Radius", "Within which it has its full effect.", most=200, unit="metres"),
    ),
    _ENVIRONMENT,
    kit.fields(
        "environment",
        modifier=_dice_of_a_row(
            "Environment and range", "Of the worst row, or one row down if two share it (9.1)."
        ),
    ),
    kit.fields("", distance=kit.number("Distance", most=10_000, example=12, unit="metres")),
    kit.fields(
        "range",
        band=kit.choice("Range", choices=BANDS, derived_from="distance"),
        zone=kit.choice("Range zone", "In place of the distance, by modifiers: paydata.", choices=ZONES),
    ),
    kit.fields(
        "fire",
        mode=kit.choice("Firing mode", choices=FIRE_MODES, example="semi-automatic"),
        rounds=kit.whole("Rounds of this attack", derived_from="fire.mode"),
        rounds_missing=kit.whole("Rounds missing", derived_from="weapon.rounds"),
    ),
    kit.fields(
        "recoil",
        own=kit.whole("Recoil of this attack", "Rounds that count.", derived_from="fire.mode"),
        progressive=kit.whole(
            "Progressive recoil",
            "With all before.",
            derived_from="attacker.rounds_before",
        ),
        phase=kit.whole("Recoil of the phase", "Of all attacks in it.", derived_from="attacker.rounds_phase"),
        compensation=kit.whole("Recoil compensation", derived_from="weapon.rc"),
    ),
    _DAMAGE,
)
"""Shots and throws."""

_OF_WEAPON = "What the target parries with; its Reach counts."
MELEE_ATTACK = kit.vocabulary(
    *_SIDES,
    combatant_fields(
        "attacker",
        **_ATTACKER,
        charging=kit.flag("Charging", "Runs into the melee; the run itself costs no dice then."),
        superior_position=kit.flag("Superior position", "Such as higher ground."),
        touch_only=kit.flag("Touch only", "No damage by net hits."),
        friends_in_melee=kit.flag("Friends in the melee"),
        aura=combatant.AURA,
        **combatant.RESISTING,
    ),
    combatant_fields(
        "target",
        **_TARGET,
        weapon=kit.entry("Weapon in hand", _OF_WEAPON, entry_kind="weapon", example="katana"),
        in_hand=kit.entries(
            "Weapons in hand",
            "Everything that the target holds ready, in place of one weapon: it parries with what it masters best.",
            entry_kind="weapon",
            example=["knife"],
        ),
        aura=combatant.AURA,
        reach=kit.whole("Reach", "Of the weapon it defends with, in place of the one in hand.", most=20),
        awaits_charge=kit.flag("Receives the charge", "With a delayed action against this very charge."),
        active_defense=kit.choice("Active defense", choices=("none", "parry", "block", "dodge")),
        defense_skill=kit.whole("Skill of the active defense", derived_from="target.skills"),
    ),
    _WEAPON,
    _ENVIRONMENT,
    kit.fields(
        "environment",
        sight_modifier=_dice_of_a_row("Light and visibility", "Of these two columns only (9.3)."),
    ),
    _DAMAGE,
)
"""Blows and touches."""
