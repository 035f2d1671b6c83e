"""The Inquisitor universe, percentile dice: an unofficial ruleset, compatible with fan role-playing rules for it."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.imperium.fights.turns import TURNS
from fracas.rulesets.imperium.procedures import ATTACKS, PROCEDURES, struck
from fracas.rulesets.imperium.samples import COMPARISON, samples

RULESET = Ruleset(
    "imperium",
    "Imperium",
    "Inquisitor fan role-playing rules",
    {procedure.id: procedure for procedure in PROCEDURES},
    samples=samples,
    turns=TURNS,
    comparison=COMPARISON,
    attacks=ATTACKS,
    struck=struck,
    game_systems=("fracas.exports.foundry.dark_heresy",),
)
