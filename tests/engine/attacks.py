"""Requests for the engine's tests."""

from __future__ import annotations

from typing import Any

from changed_requests import DUEL, GONE, put

__all__ = ["DUEL", "GONE", "put"]

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

OUT_OF_RANGE: dict[str, Any] = {**DUEL, "situation": {**DUEL["situation"], "distance": 5000}}

TEST: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "success-test",
    "situation": {"tester": {"pool": 3, "edge": 2, "edge_points": 1}, "threshold": 2},
}


def nested(levels: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(levels):
        data = {"a": data}
    return data
