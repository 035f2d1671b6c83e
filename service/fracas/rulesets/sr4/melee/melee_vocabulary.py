"""What a request may say of a Shadowrun 4 melee attack: rulebook sections 9, 10.2 and 10.3."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel import fields as kit
from fracas.kernel.fields import choice, entries, entry, fields, flag, person, text, vocabulary, whole, words
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4 import vocabulary as common

_PART = "Against several targets: dice of the pool that this one gets, before modifiers."
_PART_OF_TARGET = (
    "Dice of the attack pool that this target gets, before modifiers; as many as the others if left out."
)
_DEFENSE = (
    "Reaction and Dodge, the skill of the weapon in hand, or Unarmed Combat; the target chooses if left out."
)
_PARRIES = "What the target parries with; its Reach counts."
_IN_HAND = (
    "Everything that the target holds ready, in place of one weapon: it parries with what it masters best."
)
_NET_REACH = "Of the attacker, weapon and body together, less that of the target."
_TOO_FAR = "Too far away for the weapon, and the attacker does not run."
_CALLED = "At a vital area, past the armor, at an item to knock it away, or for a trick."
_DISTANCE = "As the blow falls, or the target passes; within reach if left out."
_PASSES_BY = "Within which the target may pass."
_ATTACKER = fields(
    "attacker",
    split_dice=common.dice("Dice of a split pool", _PART, 1),
    off_hand=common.OFF_HAND,
    prone=common.PRONE,
    friends_in_melee=whole(
        "Friends in melee", "Friends of the attacker who are in melee with the target too.", most=50
    ),
    superior_position=flag("Superior position"),
    charging=flag("Charging", "Ran towards the target in this pass."),
    receiving_charge=flag("Receiving a charge", "A delayed action was ready for it."),
    flare_compensation=common.FLARE_COMPENSATION,
    unarmed_dv=whole("Unarmed bonus", "Boxes that bones, training or magic add to bare hands.", most=20),
    unarmed_ap=whole("Unarmed penetration", "Armor that bare hands pass.", most=20),
    unarmed_magical=flag("Unarmed damage is magical", "Immunity to normal weapons does not help."),
    darkness_dice=common.DARKNESS_DICE,
    counterstrike_dice=whole("Counterstrike", "Dice against the target.", most=20),
    unarmed_physical=flag("Unarmed damage is Physical", "Bare hands do Physical damage instead of Stun."),
    soak_bonus=whole(
        "Resistance bonus", "Dice against damage; for a weapon that may strike its wielder.", most=50
    ),
    grip=whole("Grip", "Net hits with which the attacker holds the target; a fight sets it.", most=200),
    skill=common.WEAPON_SKILL,
    engulfs=choice("Engulfs as", "The element of a being that engulfs others.", choices=common.ENGULFS),
)

_TARGET = fields(
    "target",
    pool=common.dice("Defense pool", common.IN_PLACE_OF_SKILL),
    unaware=common.UNAWARE,
    defense=choice("Defense", _DEFENSE, choices=("dodge", "parry", "block")),
    full_defense=choice("Full defense", choices=("none", "dodge", "parry", "gymnastics")),
    weapon=entry("Weapon in hand", _PARRIES, entry_kind="weapon", example="katana"),
    in_hand=entries("Weapons in hand", _IN_HAND, entry_kind="weapon", example=["knife"]),
    can_parry=flag("Can parry", "Holds a melee weapon.", derived_from="target.weapon"),
    defenses_made=common.DEFENSES_MADE,
    prone=common.PRONE,
    soak_bonus=common.SOAK_BONUS,
    counterstrike=whole("Level of Counterstrike", "Net hits of a defense that help to strike back.", 0, 20),
)

_WEAPON = fields(
    "weapon",
    name=text("Name", most=80, example="Katana"),
    category=choice("Category", choices=common.CATEGORIES, example="blade"),
    skill=choice("Skill", "The Active Skill that uses it.", choices=common.SKILLS, example="blades"),
    reach=whole("Reach", "Without that of its wielder.", least=-1, most=10, example=1),
    dv=whole("Damage Value", "Before net hits, without Strength.", most=100, unit="boxes", example=3),
    **common.WEAPON_DAMAGE,
    element=choice("Element", "Of the damage, such as fire.", choices=common.ELEMENTS),
    attack_dice=whole(
        "Dice of the weapon", "Added to the attack pool; negative for a clumsy one.", -20, 20, example=-2
    ),
    glitch_hits_wielder=flag("Strikes its wielder", "A glitch on the attack does the DV to the wielder."),
    charges=whole("Charges", "Uses before it must be recharged.", example=10),
    **common.WEAPON_LOAD,
)

OF_HOLDER = ("improve-hold", "hurt-held", "throw-held", "keep-held")
"""Aims of an attack on a combatant that one holds already."""

_ATTACK = (
    *fields(
        "",
        aim=choice(
            "Aim of the attack",
            "What the blow is for; the last four are for a target held already.",
            choices=("damage", "touch", "subdue", "knockdown", "engulf", *OF_HOLDER),
        ),
        reach_use=choice(
            "Use of Reach",
            "What the longer Reach is for; a choice if left out.",
            choices=("own-dice", "dice-of-the-other"),
        ),
    ),
    *fields(
        "reach",
        net=whole("Net Reach", _NET_REACH, -20, 20, derived_from="weapon.reach"),
        exceeded=flag("Out of reach", _TOO_FAR, derived_from="distance"),
    ),
    *fields("called_shot", kind=choice("Called shot", _CALLED, choices=common.CALLED_SHOTS)),
    *common.CALLED_SHOT_FIELDS,
    *common.raisable("attack"),
    *fields(
        "",
        interception=flag(
            "Interception", "Strikes at one who passes by or leaves the melee; a hit ends the movement."
        ),
        distance=kit.metres("Distance", _DISTANCE, example=1, in_scene=False),
    ),
    *fields(
        "interception",
        metres=whole("Reach of an interception", _PASSES_BY, derived_from="weapon.reach", unit="metres"),
    ),
    *fields(
        "",
        visibility=words("Visibility", "Every condition around the two.", choices=common.VISIBILITY),
        visibility_modifier=common.VISIBILITY_MODIFIER,
        contact=flag(
            "Works by contact",
            "A graze has its effect, too; so it is for electric weapons and touches unless given.",
        ),
    ),
)

MELEE_ATTACK = vocabulary(
    person("attacker", "Attacker"),
    person("target", "Target"),
    Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one; bare hands if left out."),
    Record("called_shot", "Called shot"),
    common.combatant_fields("attacker"),
    common.ATTACK_POOL,
    _ATTACKER,
    common.combatant_fields("target"),
    _TARGET,
    _WEAPON,
    _ATTACK,
)
"""One attack with a melee weapon or bare hands against one target."""

SWEPT = ("target", "target_2", "target_3", "target_4")
"""The records of those that one attack takes on together."""
OF_EACH_TARGET = ("split_dice", "friends_in_melee", "superior_position")
"""What the attacker has against each of several targets; given with the target."""


def _against(who: str) -> Iterator[Field]:
    """How the attacker stands to one of several targets."""
    yield from fields(
        who,
        split_dice=common.dice("Dice of the split pool", _PART_OF_TARGET, 1),
        friends_in_melee=whole(
            "Friends in melee", "Friends of the attacker who are in melee with this target too.", most=50
        ),
        superior_position=flag("Superior position", "Of the attacker over this target."),
    )


def _as_target(who: str) -> Iterator[Field]:
    """The fields of a target for another record."""
    for field in (*common.combatant_fields("target"), *_TARGET):
        if field.derived_from is None:
            yield field._replace(path=field.path.replace("target.", f"{who}.", 1))


_OF_ONE_ATTACK = ("attacker.split_dice", "attacker.burn_edge")

MELEE_SWEEP = vocabulary(
    *MELEE_ATTACK.records.values(),
    *(person(who, common.named(who), "In reach too.") for who in SWEPT[1:]),
    (field for field in MELEE_ATTACK.fields.values() if field.path not in _OF_ONE_ATTACK),
    (field for who in SWEPT[1:] for field in _as_target(who)),
    (field for who in SWEPT for field in _against(who)),
)
"""One attack with a melee weapon or bare hands against several targets."""
