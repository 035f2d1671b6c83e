"""Cities Without Number: an unofficial ruleset, compatible with the game of that name."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.cwn.attack import AttackProcedure
from fracas.rulesets.cwn.trials import trials

_PROCEDURES = (AttackProcedure(),)

RULESET = Ruleset(
    "cwn",
    "Cities Without Number",
    "Cities Without Number",
    {procedure.id: procedure for procedure in _PROCEDURES},
    trials=trials,
)
