"""How melee weapons, armor and combatants are tried by blows, wounds, care and surprise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import PackEntry

_FIGHTER = {"pool": 8, "strength": 4, "body": 4, "reaction": 4}
_VICTIM = {
    "pool": 6,
    "body": 4,
    "strength": 4,
    "reaction": 4,
    "intuition": 3,
    "armor_value": 9,
    "skills": {"blades": 3, "unarmed-combat": 3},
}


def blows_with(weapon: PackEntry) -> Iterator[Trial]:
    """A blow with it, and a parry."""
    use = {"use": weapon.id}
    yield _blow({"weapon": use})
    yield _blow({"target": {**_VICTIM, "weapon": weapon.id, "active_defense": "parry"}})
    yield Trial(
        "melee-sweep",
        {"attacker": _FIGHTER, "target": _VICTIM, "target_2": _VICTIM, "weapon": use, "way": "carnival"},
    )


def blow_at_armor(armor: PackEntry) -> Iterator[Trial]:
    worn = {name: value for name, value in _VICTIM.items() if name != "armor_value"}
    worn["armor"] = [armor.id]
    yield _blow({"target": worn})
    hurt = {"body": 4, "strength": 4, "armor": [armor.id]}
    yield Trial("damage-resistance", {"target": hurt, "damage": {"value": 8}})


def blows_of(combatant: PackEntry) -> Iterator[Trial]:
    """A combatant strikes with bare hands, is struck, is hurt, helps and is helped, and is surprised."""
    use = {"use": combatant.id}
    for side in ("attacker", "target"):
        yield _blow({side: use})
    yield Trial("damage-resistance", {"target": use, "damage": {"value": 8}})
    if "logic" in combatant.data:
        yield Trial("first-aid", {"tester": use, "patient": use})
    yield Trial("surprise-test", {"tester": use})


def _blow(situation: Mapping[str, Any]) -> Trial:
    return Trial("melee-attack", {"attacker": _FIGHTER, "target": _VICTIM, **situation})
