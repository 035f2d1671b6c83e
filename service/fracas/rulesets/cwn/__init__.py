"""Cities Without Number: an unofficial ruleset, compatible with the game of that name."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.cwn.attack import AttackProcedure
from fracas.rulesets.cwn.fight import FIGHT
from fracas.rulesets.cwn.initiative import InitiativeProcedure
from fracas.rulesets.cwn.trials import trials
from fracas.rulesets.cwn.turns import TURNS

_PROCEDURES = (AttackProcedure(), InitiativeProcedure())

RULESET = Ruleset(
    "cwn",
    "Cities Without Number",
    "Cities Without Number",
    {procedure.id: procedure for procedure in _PROCEDURES},
    worksheets={FIGHT.id: FIGHT},
    trials=trials,
    turns=TURNS,
)
