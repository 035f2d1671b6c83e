"""How Shadowrun 5 weapons are compared: one attack of a trained combatant with each, against rising armor."""

from __future__ import annotations

from fracas.kernel.ruleset import Comparison, Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.sr5.trials import trials

_ATTACKS = ("ranged-attack", "melee-attack")
_ATTACKER = {"pool": 9, "strength": 4, "body": 4, "reaction": 4, "rounds_before": 0, "rounds_phase": 0}
_TARGET = {
    "pool": 6,
    "body": 3,
    "strength": 3,
    "reaction": 3,
    "intuition": 3,
    "willpower": 3,
    "physical": 0,
    "stun": 0,
}
_STANDARD = (
    "9 dice and Strength 4 attack a target with 6 dice of defense and Body 3, without modifiers: at short range with "
    "the first of the weapon's firing modes, or hand to hand."
)


def _trial(weapon: PackEntry, armor: int, catalog: Catalog) -> Trial | None:
    """What strikes an area is aimed at a place, not at a combatant."""
    attack = next((one for one in trials(weapon, catalog) if one.procedure in _ATTACKS), None)
    if attack is None:
        return None
    aimed = {"attacker": _ATTACKER, "target": {**_TARGET, "armor_value": armor}}
    return Trial(attack.procedure, {**attack.situation, **aimed})


COMPARISON = Comparison("Armor", range(0, 31, 3), _STANDARD, _trial, "hit", "damage")
