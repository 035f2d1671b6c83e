"""Shadowrun 5 with typed bonus Simple actions: an unofficial ruleset, compatible with the games of that name."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.sr5.fights.turns import CombatTurn
from fracas.rulesets.sr5.procedures import ATTACKS, PROCEDURES, struck
from fracas.rulesets.sr5.samples import COMPARISON, samples

RULESET = Ruleset(
    "sr5",
    "Shadowrun 5 with typed bonus actions",
    "Shadowrun, Fifth Edition",
    {procedure.id: procedure for procedure in PROCEDURES},
    samples=samples,
    turns=CombatTurn(),
    comparison=COMPARISON,
    attacks=ATTACKS,
    struck=struck,
    game_systems=("fracas.exports.foundry.shadowrun5e",),
)
