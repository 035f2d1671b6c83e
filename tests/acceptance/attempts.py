"""Requests that the acceptance tests send."""

from __future__ import annotations

from typing import Any

from changed_requests import DUEL, GONE, put

__all__ = ["GONE", "put"]

SR4 = DUEL
CWN: dict[str, Any] = {
    "ruleset": "cwn",
    "procedure": "attack",
    "situation": {
        "attacker": {"base_attack_bonus": 1, "attribute_modifier": 1, "skill_level": 1},
        "target": "gang-member",
        "weapon": "heavy-pistol",
        "distance": 8,
    },
}

IMPERIUM: dict[str, Any] = {
    "ruleset": "imperium",
    "procedure": "shooting",
    "situation": {
        "attacker": "agent",
        "target": "hive-guard",
        "weapon": "bolt-pistol",
        "fire": {"mode": "single"},
        "distance": 8,
    },
}

SR5: dict[str, Any] = {
    "ruleset": "sr5",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": "kestrel",
        "target": {"use": "shift-captain", "cover": "partial"},
        "weapon": {"use": "ares-predator-v"},
        "load": "apds",
        "fire": {"mode": "semi-automatic"},
        "distance": 12,
    },
}

TEST: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "success-test",
    "situation": {"tester": {"pool": 9, "edge": 3, "edge_points": 2}, "threshold": 2},
}

CWN_DECIDING: dict[str, Any] = {
    "ruleset": "cwn",
    "procedure": "attack",
    "situation": {
        "attacker": {"use": "wren", "main_spent": False},
        "target": {"use": "corp-guard", "can_total_defense": True},
        "weapon": "combat-rifle",
        "distance": 30,
    },
}
"""An attack in which the rules ask for decisions."""

REFUSED: dict[str, Any] = {
    "ruleset": "cwn",
    "procedure": "attack",
    "situation": {
        "attacker": {"base_attack_bonus": 2, "attribute_modifier": 1, "skill_level": 1, "engaged": True},
        "target": "gang-member",
        "weapon": "combat-rifle",
        "distance": 1,
    },
}
"""A two-handed gun in melee (cwn.md, G07a)."""

SR4_EX_05: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": {"use": "guard", "rounds_before": 0},
        "target": "rook",
        "weapon": "ak-97",
        "fire": {"mode": "short-burst", "spread": "narrow"},
        "distance": 20,
    },
    "dice": [[4, 6, 5, 5], [6, 3, 6, 1], [3, 1, 5, 3, 6, 4, 5, 2, 3, 2, 6]],
}

CWN_G01: dict[str, Any] = {**CWN, "dice": [[11], [6], [4]]}
