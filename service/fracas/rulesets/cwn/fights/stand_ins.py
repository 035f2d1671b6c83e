"""Fields that a request may say in place of others of a sheet, or to change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.rulesets.cwn.checks.saves import SIX

_PROWESS = ("skills", "skill_bonus")

STAND_INS: Mapping[str, Sequence[str]] = {
    # Attacks
    "attack_bonus_ranged": ("base_attack_bonus",),
    "attack_bonus_melee": ("base_attack_bonus",),
    "attribute_modifier": SIX,
    "skill_level": ("skills",),
    "dexterity_modifier": ("dexterity",),
    "ranged_ac": ("armor",),
    "melee_ac": ("armor",),
    "trauma_target": ("armor",),
    "soak": ("armor",),
    "cyber_ac": ("augmentations",),
    "trauma_sources": ("augmentations",),
    "trajectory_node": ("cyberware",),  # who tells of the one tells of the other
    "iron_hand": ("augmentations",),
    "shock_fists": ("cyberware",),
    "unsuspecting": ("hp",),
    # Checks and saves
    "skill_bonus": ("skills", *SIX),
    "circumstances": _PROWESS,
    "check_bonus": _PROWESS,
    "save": ("level", "hit_dice"),
    "hit_dice": ("level", "save"),
    **{f"{name}_change": (name,) for name in SIX},
    # Harm and healing
    "injury_roll": ("hp",),
    "strain_maximum": ("constitution",),
    "permanent_strain": ("system_strain",),
    "recovery_points": ("system_strain",),
}
"""See `ActionRules.stand_ins`: where a fight knows one of the others, only the GM may say these."""
