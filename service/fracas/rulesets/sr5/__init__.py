"""Shadowrun 5 with typed bonus Simple actions: an unofficial ruleset, compatible with the games of that name.

Its stages are still to be written; the worksheets say what they will read.
"""

from __future__ import annotations

from fracas.kernel.ruleset import Ruleset, Worksheet
from fracas.rulesets.sr5.trials import trials
from fracas.rulesets.sr5.vocabulary import MELEE_ATTACK, RANGED_ATTACK

_DAMAGE = {
    "armor.value": "Armor",
    "soak.pool": "Damage resistance pool",
}

_WORKSHEETS = (
    Worksheet(
        "ranged-attack",
        "Ranged attack",
        RANGED_ATTACK,
        {
            "attack.pool": "Attack pool",
            "limit.accuracy": "Accuracy",
            "recoil.compensation": "Recoil compensation",
            "defense.pool": "Defense pool",
            "damage.value": "Damage Value",
            **_DAMAGE,
        },
    ),
    Worksheet(
        "melee-attack",
        "Melee attack",
        MELEE_ATTACK,
        {
            "melee-attack.pool": "Attack pool",
            "limit.melee": "Accuracy or Physical limit",
            "melee-defense.pool": "Defense pool",
            "limit.melee-defense": "Limit of an active defense",
            "melee-damage.value": "Damage Value",
            **_DAMAGE,
        },
    ),
)

RULESET = Ruleset(
    "sr5",
    "Shadowrun 5 with typed bonus actions",
    "Shadowrun, Fifth Edition",
    {},
    worksheets={worksheet.id: worksheet for worksheet in _WORKSHEETS},
    trials=trials,
)
