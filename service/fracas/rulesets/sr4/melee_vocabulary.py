"""What a request may say of a Shadowrun 4 melee attack: rulebook sections 9, 10.2 and 10.3."""

from __future__ import annotations

from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.sr4.vocabulary import (
    ATTACK_POOL,
    CATEGORIES,
    FEATURES,
    FEEDS,
    SKILLS,
    VISIBILITY,
    combatant_fields,
)

_ATTACKER = (
    *ATTACK_POOL,
    Field(
        "attacker.split_dice",
        "whole",
        "Dice of a split pool",
        "Against several targets: dice of the pool that this one gets, before modifiers.",
        least=1,
        most=60,
    ),
    Field("attacker.off_hand", "flag", "Off-hand weapon"),
    Field("attacker.prone", "flag", "Prone"),
    Field(
        "attacker.friends_in_melee",
        "whole",
        "Friends in melee",
        "Friends of the attacker who are in melee with the target too.",
        most=50,
    ),
    Field("attacker.superior_position", "flag", "Superior position"),
    Field("attacker.charging", "flag", "Charging", "Ran towards the target in this pass."),
    Field("attacker.receiving_charge", "flag", "Receiving a charge", "A delayed action was ready for it."),
    Field("attacker.flare_compensation", "flag", "Flare compensation"),
    Field(
        "attacker.unarmed_dv",
        "whole",
        "Unarmed bonus",
        "Boxes that bones, training or magic add to bare hands.",
        most=20,
    ),
    Field(
        "attacker.unarmed_physical",
        "flag",
        "Unarmed damage is Physical",
        "Bare hands do Physical damage instead of Stun.",
    ),
    Field("attacker.skill", "whole", "Skill with the weapon", derived_from="attacker.skills"),
)

_TARGET = (
    Field(
        "target.pool",
        "whole",
        "Defense pool",
        "Dice before modifiers, in place of attribute and skill.",
        most=60,
    ),
    Field("target.unaware", "flag", "Unaware or surprised", "No defense at all."),
    Field(
        "target.defense",
        "choice",
        "Defense",
        "Reaction and Dodge, the skill of the weapon in hand, or Unarmed Combat; the target chooses if left out.",
        choices=("dodge", "parry", "block"),
    ),
    Field("target.full_defense", "choice", "Full defense", choices=("none", "dodge", "parry", "gymnastics")),
    Field(
        "target.weapon",
        "entry",
        "Weapon in hand",
        "What the target parries with; its Reach counts.",
        entry_kind="weapon",
        example="katana",
    ),
    Field(
        "target.in_hand",
        "entries",
        "Weapons in hand",
        "Everything that the target holds ready, in place of one weapon: it parries with what it masters best.",
        entry_kind="weapon",
        example=["knife"],
    ),
    Field(
        "target.can_parry",
        "flag",
        "Can parry",
        "Holds a melee weapon.",
        derived_from="target.weapon",
    ),
    Field("target.defenses_made", "whole", "Defenses made", "Since the target's own last action.", most=50),
    Field("target.prone", "flag", "Prone"),
    Field(
        "target.soak_bonus",
        "whole",
        "Resistance bonus",
        "Dice of Toughness, bone lacing and the like.",
        most=50,
    ),
)

_WEAPON = (
    Field("weapon.name", "text", "Name", most=80, example="Katana"),
    Field("weapon.category", "choice", "Category", choices=CATEGORIES, example="blade"),
    Field("weapon.skill", "choice", "Skill", choices=SKILLS, example="blades"),
    Field("weapon.reach", "whole", "Reach", "Without that of its wielder.", most=10, example=1),
    Field("weapon.dv", "whole", "Damage Value", "Boxes before net hits.", most=100, example=3),
    Field("weapon.dv_half_strength", "flag", "Adds half Strength", "The DV adds Strength / 2, rounded up."),
    Field("weapon.damage", "choice", "Damage kind", choices=("physical", "stun")),
    Field("weapon.electric", "flag", "Electric damage"),
    Field("weapon.ap", "whole", "Armor penetration", "Added to the armor.", least=-50, most=50, example=-1),
    Field("weapon.ap_half", "flag", "Halves armor"),
    Field("weapon.armor_kind", "choice", "Armor that protects", choices=("ballistic", "impact")),
    Field(
        "weapon.attack_dice",
        "whole",
        "Dice of the weapon",
        "Added to the attack pool; negative for a clumsy one.",
        least=-20,
        most=20,
        example=-2,
    ),
    Field("weapon.charges", "whole", "Charges", "Uses before it must be recharged.", most=1000, example=10),
    Field("weapon.rounds", "whole", "Rounds loaded", most=1000),
    Field("weapon.magazine", "whole", "Capacity", most=1000),
    Field("weapon.feed", "choice", "Feed", choices=FEEDS),
    Field("weapon.features", "words", "Features", choices=FEATURES),
)

_ATTACK = (
    Field(
        "aim",
        "choice",
        "Aim of the attack",
        "To hurt, to touch only, to get hold of the target or to throw it down; or, of somebody held already, to hold "
        "tighter, to hurt, or to throw down.",
        choices=("damage", "touch", "subdue", "knockdown", "improve-hold", "hurt-held", "throw-held"),
    ),
    Field(
        "reach_use",
        "choice",
        "Use of Reach",
        "What whoever has the longer Reach makes of it: dice of one's own, or dice that the other loses. Whoever it is "
        "chooses if left out.",
        choices=("own-dice", "dice-of-the-other"),
    ),
    Field(
        "reach.net",
        "whole",
        "Net Reach",
        "Of the attacker, weapon and body together, less that of the target.",
        least=-20,
        most=20,
        derived_from="weapon.reach",
    ),
    Field("called_shot.kind", "choice", "Called shot", choices=("none", "vital", "unarmored", "item")),
    Field("called_shot.dv", "whole", "Vital area", "Dice given up, and DV gained.", least=1, most=4),
    Field("called_shot.armor", "whole", "Armor avoided", derived_from="target.armor"),
    Field(
        "armor.raisable",
        "flag",
        "Armor that can be raised",
        "There is some, and the attack does not avoid it.",
        derived_from="target.armor",
    ),
    Field("visibility", "words", "Visibility", "Every condition around the two.", choices=VISIBILITY),
    Field(
        "visibility_modifier", "whole", "Visibility modifier", least=-50, most=0, derived_from="visibility"
    ),
    Field(
        "contact",
        "flag",
        "Works by contact",
        "The attack has its effect on a grazing hit too; so it is for electric weapons and for touches unless said.",
    ),
)

MELEE_ATTACK = Vocabulary(
    (
        Record("attacker", "Attacker", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("target", "Target", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record(
            "weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one; bare hands if left out."
        ),
        Record("called_shot", "Called shot"),
    ),
    (*combatant_fields("attacker"), *_ATTACKER, *combatant_fields("target"), *_TARGET, *_WEAPON, *_ATTACK),
)
"""One attack with a melee weapon or bare hands against one target."""
