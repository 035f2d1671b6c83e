"""Shadowrun 4 and its 20th Anniversary rules."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.sr4.comparison import COMPARISON
from fracas.rulesets.sr4.fights.turns import CombatTurn
from fracas.rulesets.sr4.procedures import ATTACKS, PROCEDURES, struck
from fracas.rulesets.sr4.samples import samples

RULESET = Ruleset(
    "sr4",
    "Shadowrun 4",
    "Shadowrun, Fourth Edition and its 20th Anniversary core rules",
    {procedure.id: procedure for procedure in PROCEDURES},
    samples=samples,
    turns=CombatTurn(),
    comparison=COMPARISON,
    attacks=ATTACKS,
    struck=struck,
    game_systems=("fracas.exports.foundry.shadowrun4e",),
)
