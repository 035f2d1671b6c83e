"""At most a point of Edge a test and an action (rulebook section 2): who is asked spends whenever Edge is offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from sr4_table import SINGLE, step

RICH = {"edge": 3, "edge_points": 9}
SHOOTER = {"use": "rook", **RICH}
TARGET = {"use": "guard", **RICH}
OTHER = {"use": "brick", **RICH}
MAGE = {
    "magic": 5,
    "willpower": 4,
    "logic": 4,
    "body": 3,
    "tradition": "hermetic",
    "physical": 0,
    "stun": 0,
    "skills": {"spellcasting": 4},
    **RICH,
}

ACTIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a shot": (
        "ranged-attack",
        "attacker",
        {"attacker": SHOOTER, "target": TARGET, "weapon": "ares-predator-iv", "fire": SINGLE, "distance": 4},
    ),
    "a shot with a round that misfires": (
        "ranged-attack",
        "attacker",
        {
            "attacker": SHOOTER,
            "target": TARGET,
            "weapon": {"use": "ares-predator-iv", "ammunition": "ex-explosive"},
            "fire": SINGLE,
            "distance": 4,
        },
    ),
    "two firearms": (
        "ranged-volley",
        "attacker",
        {
            "attacker": SHOOTER,
            "target": TARGET,
            "weapon": "ares-predator-iv",
            "weapon_2": "colt-manhunter",
            "fire": SINGLE,
            "distance": 4,
        },
    ),
    "a drawn shot": (
        "quick-draw",
        "attacker",
        {"attacker": SHOOTER, "target": TARGET, "weapon": "ares-predator-iv", "fire": SINGLE, "distance": 4},
    ),
    "a sweep": (
        "melee-sweep",
        "attacker",
        {"attacker": SHOOTER, "target": TARGET, "target_2": OTHER, "weapon": "katana"},
    ),
    "a whip": (
        "melee-attack",
        "attacker",
        {"attacker": SHOOTER, "target": TARGET, "weapon": "monofilament-whip"},
    ),
    "a spell and its drain": (
        "cast-spell",
        "caster",
        {"caster": MAGE, "target": TARGET, "spell": "stunbolt", "force": 5},
    ),
    "a grenade": (
        "blast-attack",
        "attacker",
        {"attacker": SHOOTER, "weapon": "high-explosive-grenade", "victim_1": {**TARGET, "distance": 0}},
    ),
    "an Extended Test": ("extended-test", "tester", {"tester": {"pool": 3, **RICH}, "threshold": 12}),
    "first aid": ("first-aid", "tester", {"tester": SHOOTER, "patient": {"use": "guard", "physical": 5}}),
}


def spend(question: Mapping[str, Any]) -> str | None:
    """An option that costs Edge, where there is one."""
    costly = [option["id"] for option in question["options"] if "edge" in option.get("cost", {})]
    return costly[0] if costly else None


@pytest.mark.parametrize("action", sorted(ACTIONS))
@pytest.mark.parametrize("seed", range(6))
def test_whoever_acts_spends_one_point_in_an_action(action: str, seed: int) -> None:
    procedure, actor, situation = ACTIONS[action]
    dice = {"source": "seed", "seed": f"{seed:064x}"}
    answer, asked = step(situation, choose=spend, procedure=procedure, dice=dice)
    spent = Counter(effect["who"] for effect in answer["effects"] if effect["type"] == "spend")
    assert all(effect["what"] == "edge" for effect in answer["effects"] if effect["type"] == "spend")
    points = sum(
        effect["amount"]
        for effect in answer["effects"]
        if (effect["type"], effect["who"]) == ("spend", actor)
    )
    assert points == 1, action
    assert spent[actor] == 1
    chosen = [question for question in asked if question["kind"] == "decision" and spend(question)]
    assert chosen, "Edge was offered"


@pytest.mark.parametrize("seed", range(6))
def test_a_test_takes_one_point_whether_before_or_after(seed: int) -> None:
    """Who has pushed a roll is not asked about it again."""
    situation = ACTIONS["a shot"][2]
    dice = {"source": "seed", "seed": f"{seed:064x}"}
    answer, asked = step(situation, choose=spend, dice=dice)
    rolls = Counter(
        question["about"]["roll"] for question in asked if question["kind"] == "decision" and spend(question)
    )
    assert max(rolls.values()) == 1
    assert sum(e["amount"] for e in answer["effects"] if e["type"] == "spend") == len(rolls)
