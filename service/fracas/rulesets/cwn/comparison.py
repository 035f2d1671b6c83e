"""How weapons of Cities Without Number are compared: one attack with each, against a rising Armor Class."""

from __future__ import annotations

from fracas.kernel.ruleset import Comparison, Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.cwn.attacks.facts import KIND_OF
from fracas.rulesets.cwn.maneuvers.maneuver_trials import strikes_only_by_itself
from fracas.rulesets.cwn.trials import FIGHTER, STAT_BLOCK

_TARGET = {"trauma_target": 6, "soak": 0, "hp": 10, "named": True}
_STANDARD = (
    "An attack bonus of +2 and a skill of 1, with attributes of 12, at a target with 10 hit points, a Trauma Target of "
    "6 and no Soak, at normal range or hand to hand. The damage counts Shock and Traumatic Hits."
)
_ARM = 1
_NEAR = 8
_AREAS = ("launcher", "grenade")


def _trial(weapon: PackEntry, armor: int, catalog: Catalog) -> Trial | None:
    """None for what strikes an area, executes only, or strikes by itself.

    A stat block attacks with what names no skill, such as the guns of vehicles.
    """
    data = weapon.data
    kind = str(data.get("type"))
    elsewhere = data.get("area") or data.get("execution_only") or strikes_only_by_itself(weapon)
    if elsewhere or "damage" not in data or kind in _AREAS:
        return None
    distance = _ARM if KIND_OF.get(kind) == "melee" else min(_NEAR, data.get("range_normal", _NEAR))
    attack = {"rested": True} if "unrested" in data else {}
    said = {
        "attacker": dict(FIGHTER if "skills" in data else STAT_BLOCK),
        "target": {**_TARGET, "ranged_ac": armor, "melee_ac": armor},
        "weapon": {"use": weapon.id},
        "attack": attack,
        "distance": distance,
    }
    return Trial("attack", said)


COMPARISON = Comparison("Armor Class", range(10, 21), _STANDARD, _trial, "hit", "damage")
