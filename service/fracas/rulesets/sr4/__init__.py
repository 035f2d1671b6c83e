"""Shadowrun 4 and its 20th Anniversary rules."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.sr4.blast_attack import BlastAttack
from fracas.rulesets.sr4.extended_test import ExtendedTest
from fracas.rulesets.sr4.initiative import InitiativeTest
from fracas.rulesets.sr4.last_edge import DeadMansTrigger, EscapeDeath
from fracas.rulesets.sr4.melee_attack import MeleeAttack
from fracas.rulesets.sr4.ranged_attack import RangedAttack
from fracas.rulesets.sr4.success_test import SuccessTest
from fracas.rulesets.sr4.surprise import SurpriseTest
from fracas.rulesets.sr4.trials import trials
from fracas.rulesets.sr4.turns import CombatTurn

RULESET = Ruleset(
    "sr4",
    "Shadowrun 4",
    "Shadowrun, Fourth Edition and its 20th Anniversary core rules",
    {
        procedure.id: procedure
        for procedure in (
            RangedAttack(),
            MeleeAttack(),
            BlastAttack(),
            SuccessTest(),
            ExtendedTest(),
            InitiativeTest(),
            SurpriseTest(),
            DeadMansTrigger(),
            EscapeDeath(),
        )
    },
    trials=trials,
    turns=CombatTurn(),
)
