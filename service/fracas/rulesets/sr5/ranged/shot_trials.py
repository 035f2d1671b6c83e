"""How weapons, loads, armor and combatants are tried by shots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry

_SHOOTER = {"pool": 10, "strength": 4, "body": 4, "reaction": 4, "rounds_before": 0, "rounds_phase": 0}
_VICTIM = {"pool": 6, "body": 4, "armor_value": 9, "reaction": 4, "edge": 2}
_GUN = {
    "skill": "automatics",
    "accuracy": 5,
    "dv": 8,
    "damage": "physical",
    "ap": -1,
    "modes": ["SA"],
    "rc": 0,
}
_NEAR = 1
_USUAL: Mapping[str, Any] = {
    "attacker": _SHOOTER,
    "target": _VICTIM,
    "weapon": _GUN,
    "distance": _NEAR,
    "fire": {"mode": "semi-automatic"},
}


def shots_with(weapon: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Every way in which a weapon may be fired, and suppressive fire where it fires bursts."""
    use: dict[str, Any] = {"weapon": {"use": weapon.id}, "distance": _least_distance(weapon, catalog)}
    payload = weapon.data.get("payload")
    load = next((one for one in catalog.entries("ammunition") if one.data.get("type") == payload), None)
    if load is not None and payload is not None and "ammunition" not in weapon.data:
        use["load"] = {"use": load.id}
    modes = weapon.data.get("modes", ())
    table = catalog.entry("table", "firing-modes")
    rows: Mapping[str, Any] = table.data["rows"] if table else {}
    ways = [mode for mode, row in rows.items() if row["mode"] in modes]
    for mode in ways or ["single-shot"]:
        yield _shot({**use, "fire": {"mode": mode}})
    both = {**_USUAL, **use, "fire": {"mode": (ways or ["single-shot"])[0]}, "target_2": _VICTIM}
    if weapon.data.get("rounds", 2) > 1:
        yield Trial("ranged-volley", both)
    if "FA" in modes:
        fired = {"attacker": _SHOOTER, **use}
        yield Trial("suppressive-fire", fired)
        escaping = {**use, "attacker": {**_SHOOTER, "suppression": 2}, "target": _VICTIM}
        yield Trial("escape-suppression", escaping)


def shot_with_load(load: PackEntry) -> Trial:
    return _shot({"load": {"use": load.id}})


def shot_at_armor(armor: PackEntry) -> Trial:
    return _shot({"target": {"pool": 6, "body": 4, "strength": 4, "armor": [armor.id]}})


def shots_of(combatant: PackEntry) -> Iterator[Trial]:
    """A combatant shoots, and is shot at."""
    for side in ("attacker", "target"):
        yield _shot({side: {"use": combatant.id}})
    yield Trial("success-test", {"tester": {"use": combatant.id}, "attribute": "reaction"})
    yield Trial("dead-mans-trigger", {"tester": {"use": combatant.id}})
    yield Trial("extended-test", {"tester": {"use": combatant.id}, "attribute": "body", "threshold": 3})
    opposed = {"attribute": "reaction", "opponent": {"use": combatant.id}, "opposing": {"attribute": "body"}}
    yield Trial("opposed-test", {"tester": {"use": combatant.id}, **opposed})


def _shot(situation: Mapping[str, Any]) -> Trial:
    return Trial("ranged-attack", {**_USUAL, **situation})


def _least_distance(weapon: PackEntry, catalog: Catalog) -> int:
    table = catalog.entry("range", weapon.data.get("range", ""))
    least: int = table.data.get("minimum", _NEAR) if table else _NEAR
    return least
