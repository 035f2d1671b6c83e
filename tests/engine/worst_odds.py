"""Small requests whose exact odds take long."""

from __future__ import annotations

from typing import Any

_ATTRIBUTES = ("body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower")


def extended_test(intervals: int = 100) -> dict[str, Any]:
    """A hundred rolls of some sixty dice: nearly as much as an Extended Test may be."""
    tester = {**dict.fromkeys(_ATTRIBUTES, 50), "edge": 50, "edge_points": 20, "armor": []}
    situation = {
        "tester": {**tester, "skills": {"pistols": 10}},
        "attribute": "agility",
        "skill": "pistols",
        "threshold": 50,
        "intervals": intervals,
    }
    return {"ruleset": "sr4", "procedure": "extended-test", "situation": situation}


def volley(**more: Any) -> dict[str, Any]:
    """Three targets of a volley, with rerolls on both sides that go by whether they fail: minutes of work."""
    one = {
        "agility": 50,
        "body": 50,
        "reaction": 50,
        "willpower": 50,
        "edge": 50,
        "edge_points": 20,
        "armor": [],
    }
    one["skills"] = {"automatics": 20}
    weapon = {
        "name": "W",
        "category": "assault-rifle",
        "skill": "automatics",
        "dv": 8,
        "damage": "physical",
        "ap": -2,
        "armor_kind": "ballistic",
        "modes": ["SA", "BF", "FA"],
        "rc": 10,
        "rounds": 100,
    }
    situation = {
        **dict.fromkeys(("attacker", "target", "target_2", "target_3"), one),
        "weapon": weapon,
        "distance": 5,
        "volley": "split-burst",
        "fire": {"mode": "full-burst", "spread": "narrow"},
        "fire_2": {"mode": "long-burst", "spread": "narrow"},
    }
    reroll = {"decision": "edge-after", "choose": "reroll", "when": "failing"}
    decisions = [{**reroll, "by": "attacker"}, {**reroll, "by": "target"}]
    return {
        "ruleset": "sr4",
        "procedure": "ranged-volley",
        "situation": situation,
        "decisions": decisions,
        **more,
    }


WORST = {
    "an extended test": extended_test(),
    "a volley": volley(attribution=False),
    "a volley with attribution": volley(),
}
