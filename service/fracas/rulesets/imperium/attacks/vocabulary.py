"""What a request may say of a shot, a throw or an attack in close combat.

Rulebook sections 3.2, 5, 6, 10 and 12. A field that is left out is unknown, unless its doc says otherwise.
"""

from __future__ import annotations

from fracas.kernel import fields as kit
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.imperium import vocabulary as known
from fracas.rulesets.imperium.harms.bodies import BODY
from fracas.rulesets.imperium.harms.damage import COVER, SKIN
from fracas.rulesets.imperium.harms.fire import BURNS
from fracas.rulesets.imperium.harms.machines import ATTACKED
from fracas.rulesets.imperium.vocabulary import GRANTS, LOCATIONS, MERGING, combatant_fields

OTHERS = tuple(f"other_{number}" for number in range(1, 9))
"""The records of further people: other targets of full automatic fire, or the combatants that a blast may reach."""
PEOPLE = ("target", *OTHERS)
_IN_CONE = "A combatant in the cone of the flames, friend or foe."
_FURTHER = "A further target of full automatic fire; or anyone in reach of a blast, friend or foe."

_NAME = kit.text("Name", most=80)
PACE = kit.choice("Last movement", "The fastest of its last round.", choices=known.PACES)
_PARRY_PENALTY = kit.whole(
    "Parry Penalty", "Added to an opponent's chance to hit. Left out: no parry.", -100, 0, example=-15
)
_NEEDS = kit.words(
    "Needs", "What the user's abilities must allow; an empty list for nothing.", choices=GRANTS
)


def _target_fields(who: str) -> tuple[Field, ...]:
    """A combatant who is attacked."""
    return combatant_fields(
        who,
        **BODY,
        object=kit.flag(
            "Object", "A wall, a parked vehicle and the like: it stands still, and has no injuries."
        ),
        aware=kit.flag("Aware of the attacker"),
        burning=BURNS,
        undaunted=known.UNDAUNTED,
        eyes_shut=kit.flag("Eyes shut", "Against a flash. Left out: open."),
        pinned=known.PINNED,
        pace=PACE,
        **COVER,
        **ATTACKED,
    )


_MODS = "Silencers and combat accessories; an empty list for none."
_FIXED = "Beside the others; a fight remembers it of the weapon."
_MUNDANE_WEAPON = "The weapon that this one is for users without psychic powers."
_IN_HAND = {
    "name": _NAME,
    "type": kit.choice("Type", choices=known.TYPES),
    "features": kit.words(
        "Features", "What sets it apart; an empty list for nothing.", choices=known.FEATURES
    ),
    "parry_penalty": _PARRY_PENALTY,
    "may_parry": kit.flag("Can parry"),
    "encumbrance": kit.whole("Encumbrance", "Without what is fixed to it.", most=500),
    "mods": kit.entries("Fixed to it", _MODS, entry_kind="mod", example=["removable-silencer"]),
    "fixed": kit.entry("One more thing fixed to it", _FIXED, entry_kind="mod", example="bayonet"),
    "mundane_weapon": kit.entry(
        "Ordinary counterpart", _MUNDANE_WEAPON, entry_kind="weapon", example="sword"
    ),
}
"""The fields that matter of any weapon in hand, of either side."""

_YARDS = "Yards, upper limit."
_THROW = "Yards are Strength divided by it."

_STATIONARY_DAMAGE = "Dice against walls, parked vehicles and the like. Left out: none."
WEAPON = kit.fields(
    "weapon",
    **_IN_HAND,
    damage=kit.text("Damage", "Dice, and what is added to them.", most=20, example="2d10+4"),
    ws_modifier=kit.whole("WS modifier", "In close combat.", -100, 100, example=10),
    requires=_NEEDS,
    stationary_damage=kit.text(
        "More damage to what stands still", _STATIONARY_DAMAGE, most=20, example="3d6"
    ),
    short=kit.number("Short range", _YARDS, most=10_000),
    medium=kit.number("Medium range", _YARDS, most=10_000),
    long=kit.number("Long range", "Upper limit in yards. Extreme range ends at twice as far.", most=10_000),
    throw_short=kit.whole("Short throw", _THROW, 1, 100),
    throw_medium=kit.whole("Medium throw", _THROW, 1, 100),
    throw_long=kit.whole("Long throw", _THROW, 1, 100),
    blast=kit.number("Blast", "Around the point hit. Left out: none.", most=1000, unit="yards"),
    modes=kit.words("Firing modes", choices=known.MODES),
    semi_least=kit.whole("Fewest shots, semi-automatic", "", 1, 100, example=2),
    semi_most=kit.whole("Most shots, semi-automatic", "", 1, 100, example=4),
    capacity=kit.whole("Capacity", "Shots that it holds."),
    rounds=kit.whole("Shots loaded", "As it comes from the pack; as a rule its capacity."),
    loaded_directly=kit.flag("Loaded directly", "It is loaded shot by shot, without a magazine."),
    reload=kit.whole("Reload", "Actions from empty to full. Left out: never.", 1, 100),
    one_shot=kit.flag("One shot", "It serves once and cannot be reloaded."),
    ammunition=kit.words(
        "Ammunition",
        "Kinds of ammunition with a name that it takes; an empty list for none of these.",
        choices=known.AMMUNITION,
    ),
    settings=kit.words("Settings", "Of a plasma weapon.", choices=known.SETTINGS),
    high_damage=kit.text(
        "Damage of the high setting", "Left out: that of the weapon.", most=20, example="3d10+6"
    ),
    recharge=kit.whole("Recharges for", "After a shot. Left out: never.", 1, 20, unit="rounds"),
    high_recharge=kit.whole(
        "Recharges after the high setting for", "Left out: as after any.", 1, 20, unit="rounds"
    ),
    ready_round=kit.whole("Recharged in", "The round of the fight from which it fires. Left out: it does."),
    overheated=kit.flag("Overheated", "It fires no more in this fight. Left out: it does."),
    reach=kit.number("Reach of the flames", "Left out: it throws none.", most=1000, unit="yards"),
    ignites=kit.flag("Sets alight", "Those whom it hurts may catch fire. Left out: not."),
    halves_armor=kit.flag("Halves armor", "Armor and cover count half against it. Left out: whole."),
    plates_less=kit.whole(
        "Pierces plates", "Points of a vehicle's plates that do not count. Left out: none.", most=50
    ),
    without_extreme_range=kit.flag("Without extreme range", "Left out: with it."),
    stuns=kit.text("Stuns", "Dice of actions lost by those near its burst.", most=20, example="1d3"),
    machines_only=kit.flag("Strikes machines alone", "It stuns them for rounds, without a test."),
    poison=kit.entry(
        "Poison", "Of its victims, and of those in its gas.", entry_kind="drug", example="needle-toxin"
    ),
    leaves=kit.entry(
        "Leaves", "Condition of the thrower as long as the place stays so.", entry_kind="condition"
    ),
    silencer=kit.choice("Silencer", choices=("none", *known.SILENCERS), derived_from="weapon.mods"),
    excess=kit.whole(
        "Encumbrance beyond the Strength",
        "With all that is fixed to it; one arm has half the Strength.",
        derived_from="weapon.encumbrance",
    ),
)

_FIELD_DICE = "Points off each hit, before armor. Left out: no force field."
_ARMOR = kit.fields(
    "armor",
    name=_NAME,
    piece=kit.choice("Piece", "What sort of garment or piece it is.", choices=known.PIECES),
    material=kit.choice("Material", choices=known.MATERIALS),
    value=kit.whole("Value", "Points off the damage to its locations.", most=200, example=4),
    locations=kit.words("Protects", "Locations; an empty list for none.", choices=LOCATIONS),
    limited=kit.flag("Protects in part", "It protects its locations only in part."),
    field_dice=kit.text("Dice of a force field", _FIELD_DICE, most=20, example="1d10"),
)

_ARM_INJURY = "Level; of two arms the worse."
_ACTION = kit.fields(
    "action",
    arm=kit.choice("Arm used", "Left out: both.", choices=("right", "left", "both")),
    arm_injury=kit.whole("Injury of the arm used", _ARM_INJURY, most=5, derived_from="attacker.injuries"),
)

_COMMON = (
    *combatant_fields(
        "attacker",
        **BODY,
        **SKIN,
        pinned=known.PINNED,
        hands_off=kit.flag(
            "Both hands off the reins",
            "Of a rider, who must not fall. Left out: a hand holds them, unless both arms are used.",
        ),
    ),
    *_target_fields("target"),
    *WEAPON,
    *_ARMOR,
    *MERGING,
    *_ACTION,
)

_RECORDS = (
    kit.person("attacker", "Attacker"),
    kit.person("target", "Target"),
    Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
    Record("armor", "Armor hit", "armor", "One piece, in place of all that the target wears."),
    Record("action", "The action"),
)

_PLASMA = {
    "setting": kit.choice(
        "Setting", "Of a plasma weapon, announced before the dice.", choices=known.SETTINGS
    ),
    "round": kit.whole("Round", "Of the fight. Left out: not known.", 1, 10_000, example=3),
    "uses": kit.whole("Shots used up", "Of those loaded.", derived_from="weapon.settings"),
}
_BRACED = kit.flag("Braced", "On a tripod, a wall or a mount; those who lie on the ground need none.")
_FROM_TARGET = "Left out: in reach."
SHOOTING = kit.vocabulary(
    *_RECORDS,
    Record("fire", "How it is fired"),
    *(kit.person(who, f"Further person {who[6:]}", _FURTHER, optional=True) for who in OTHERS),
    _COMMON,
    *map(_target_fields, OTHERS),
    kit.fields("target", blast_distance=kit.number("Yards from the blast", _FROM_TARGET, most=100_000)),
    kit.fields(
        *OTHERS,
        distance=kit.number("Distance", "From the attacker.", most=100_000, unit="yards"),
        from_target=kit.number("Yards from the blast", _FROM_TARGET, most=100_000, example=2),
    ),
    kit.fields(
        "attacker",
        aim=kit.whole("Aim actions", "Consecutive ones, not lost since; a third adds nothing.", most=20),
        braced=_BRACED,
        swerving=kit.flag("Swerving", "In a vehicle that is out of hand. Left out: is not."),
    ),
    kit.fields(
        "fire",
        mode=kit.choice("Firing mode", choices=known.MODES, example="single"),
        shots=kit.whole(
            "Shots", "Of this action; full automatic fire splits them evenly.", 1, 100, example=1
        ),
        **_PLASMA,
        from_vehicle=kit.choice(
            "From a vehicle",
            "fast: above half its speed. Left out: from none that moves.",
            choices=("moving", "fast"),
        ),
        aims_at=kit.choice(
            "Aims at",
            "Of a mounted target; only an attacker who has aimed may choose.",
            choices=("rider", "mount"),
        ),
    ),
    kit.fields(
        "",
        distance=kit.number("Distance", most=100_000, example=15, unit="yards"),
        visibility=kit.words(
            "Bad sight", "Everything between the two; an empty list for nothing.", choices=known.VISIBILITY
        ),
    ),
    kit.fields("range", band=kit.choice("Range", choices=known.BANDS, derived_from="distance")),
)

FLAME = kit.vocabulary(
    *_RECORDS,
    *(kit.person(who, f"Further person {who[6:]}", _IN_CONE, optional=True) for who in OTHERS),
    _COMMON,
    *map(_target_fields, OTHERS),
    kit.fields("attacker", braced=_BRACED),
    kit.fields("", distance=kit.number("Distance", "To the target.", most=100_000, example=5, unit="yards")),
)

CLOSE_COMBAT = kit.vocabulary(
    *_RECORDS,
    Record("attack", "How it is done"),
    Record("parry", "The target's weapon", "weapon", "What the target holds to parry with."),
    Record("accessory", "Accessory used", "mod", "The blade on a gun that strikes in place of the weapon."),
    Record("fire", "How a pistol is fired"),
    _COMMON,
    kit.fields("fire", **_PLASMA),
    kit.fields(
        "attack",
        charge=kit.flag("Free attack of a charge", "Not where the two simply run into each other."),
        shot=kit.flag(
            "Pistol shot", "A pistol fired in close combat, with Weapon Skill. Left out: it is not fired."
        ),
        direction=kit.choice("Comes from", "As the target faces.", choices=("front", "side", "rear")),
        evades_height=kit.flag(
            "Evades the rider's height", "On foot against a rider: has chosen to avoid that penalty."
        ),
    ),
    kit.fields(
        "parry",
        **_IN_HAND,
        damage=kit.text("Damage", "For a blow in return. Left out: none is struck.", most=20, example="2d6"),
        ws_modifier=kit.whole("WS modifier", "Of a blow in return.", -100, 100, example=10),
        one_handed=kit.flag("Held in one hand", "One arm has half the Strength."),
        excess=kit.whole(
            "Encumbrance beyond the target's Strength", "Points.", derived_from="parry.encumbrance"
        ),
    ),
    kit.fields(
        "accessory",
        name=_NAME,
        damage=kit.text("Damage", "Dice, and what is added to them.", most=20, example="1d6"),
        ws_modifier=kit.whole("WS modifier", "", -100, 100),
        parry_penalty=kit.whole("Parry Penalty", "Added to the chance of an opponent's blow.", -100, 0),
        encumbrance=kit.whole("Encumbrance", "Points that it adds to those of the gun.", most=500),
        requires=_NEEDS,
        fits=kit.words("Fits", "Types of gun that it can be fixed to.", choices=known.TYPES),
    ),
)
