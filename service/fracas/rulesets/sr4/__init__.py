"""Shadowrun 4 and its 20th Anniversary rules."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.sr4.ranged_attack import RangedAttack
from fracas.rulesets.sr4.success_test import SuccessTest

RULESET = Ruleset(
    "sr4",
    "Shadowrun 4",
    "Shadowrun, Fourth Edition and its 20th Anniversary core rules",
    {"ranged-attack": RangedAttack(), "success-test": SuccessTest()},
)
