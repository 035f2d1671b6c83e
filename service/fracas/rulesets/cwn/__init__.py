"""Cities Without Number: an unofficial ruleset, compatible with the game of that name."""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset
from fracas.rulesets.cwn.comparison import COMPARISON
from fracas.rulesets.cwn.fights.sheet import FIGHT
from fracas.rulesets.cwn.fights.turns import TURNS
from fracas.rulesets.cwn.procedures import ATTACKS, PROCEDURES, struck
from fracas.rulesets.cwn.samples import samples

RULESET = Ruleset(
    "cwn",
    "Cities Without Number",
    "Cities Without Number",
    {procedure.id: procedure for procedure in PROCEDURES},
    field_sets={FIGHT.id: FIGHT},
    samples=samples,
    turns=TURNS,
    comparison=COMPARISON,
    attacks=ATTACKS,
    struck=struck,
    game_systems=("fracas.exports.foundry.swnr",),
)
