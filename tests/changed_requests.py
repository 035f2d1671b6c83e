"""A request of Shadowrun 4 that many tests send, and copies of requests with other values."""

from __future__ import annotations

import copy
from typing import Any

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

GONE = object()
"""For `put`: leave the field out."""


def put(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of the request with another value at the path, such as ``situation/weapon/use``."""
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
