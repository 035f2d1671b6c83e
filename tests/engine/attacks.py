"""Requests for the engine's tests."""

from __future__ import annotations

import copy
from typing import Any

SMALL: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": {"pool": 2},
        "target": {"pool": 1, "body": 1, "armor": []},
        "weapon": {"dv": 5, "damage": "physical", "ap": 0, "armor_kind": "ballistic", "modes": ["SA"]},
        "fire": {"mode": "semi-automatic"},
    },
}
"""Two dice against one, and one against the damage."""

DUEL: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": "rook",
        "target": {"use": "vex", "cover": "partial"},
        "weapon": {"use": "ares-predator-iv", "ammunition": "apds"},
        "fire": {"mode": "semi-automatic"},
        "distance": 12,
    },
}
"""Two of the pack's combatants, with Edge on both sides."""

OUT_OF_RANGE: dict[str, Any] = {**DUEL, "situation": {**DUEL["situation"], "distance": 5000}}

TEST: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "success-test",
    "situation": {"tester": {"pool": 3, "edge": 2, "edge_points": 1}, "threshold": 2},
}

GONE = object()
"""For `put`: leave the field out."""


def put(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of the request with another value at the path, such as ``situation/attacker/pool``."""
    changed = copy.deepcopy(data)
    at = changed
    *way, last = path.split("/")
    for name in way:
        at = at.setdefault(name, {})
    if value is GONE:
        del at[last]
    else:
        at[last] = value
    return changed


def nested(levels: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(levels):
        data = {"a": data}
    return data
