"""Shadowrun 4 and its 20th Anniversary rules."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.sr4.melee_worksheet import MELEE_ATTACK
from fracas.rulesets.sr4.ranged_attack import RangedAttack
from fracas.rulesets.sr4.success_test import SuccessTest
from fracas.rulesets.sr4.trials import trials

RULESET = Ruleset(
    "sr4",
    "Shadowrun 4",
    "Shadowrun, Fourth Edition and its 20th Anniversary core rules",
    {"ranged-attack": RangedAttack(), "success-test": SuccessTest()},
    worksheets={MELEE_ATTACK.id: MELEE_ATTACK},
    trials=trials,
)
