"""Decisions of attacks that are taken in advance: what they may depend on, and the odds that come of it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import RequestSchema
from fracas.engine.running import give_odds
from fracas.errors import InputError

FIGHTER = {"base_attack_bonus": 1, "attribute_modifier": 1, "skill_level": 1}
PERSON = {"ranged_ac": 14, "melee_ac": 12, "trauma_target": 6, "soak": 0, "hp": 30, "named": True}


@cache
def _games() -> Games:
    return open_games(())


def odds(situation: dict[str, Any], *decisions: dict[str, Any]) -> dict[str, float]:
    body = {
        "ruleset": "cwn",
        "procedure": "attack",
        "situation": {"attacker": FIGHTER, "target": PERSON, **situation},
        "decisions": list(decisions),
    }
    answer = give_odds(load(RequestSchema(_games()), body))
    return {measure["id"]: measure["value"] for measure in answer["measures"]}


DEFEND = {"decision": "total-defense", "by": "target", "choose": "defend"}
SWORD = {"weapon": "sword", "target": PERSON | {"can_total_defense": True}}
HIT = 12 / 20
"""1 + 1 + 1 against AC 12."""


def test_total_defense_always_and_never() -> None:
    assert odds(SWORD)["hit"] == pytest.approx(HIT)
    assert odds(SWORD)["shock"] == pytest.approx(1 - HIT)
    always = odds(SWORD, DEFEND)
    assert always["hit"] == pytest.approx(HIT - 0.1)  # AC 14
    assert always["shock"] == 0


def test_total_defense_against_shock_alone() -> None:
    found = odds(SWORD, DEFEND | {"when": {"shock": {"at_least": 1}}})
    assert found["hit"] == pytest.approx(HIT)
    assert found["shock"] == 0


def test_total_defense_where_it_helps_to_dodge() -> None:
    """Only against totals that Total Defense turns into misses: 12 and 13."""
    found = odds(SWORD, DEFEND | {"when": {"shock": {"at_most": 0}, "attack_total": {"at_most": 13}}})
    assert found["hit"] == pytest.approx(HIT - 0.1)
    assert found["shock"] == pytest.approx(1 - HIT)


def test_an_iron_hand_kept_for_hits_that_are_no_near_misses() -> None:
    shot = {"weapon": "heavy-pistol", "distance": 8, "target": PERSON | {"iron_hand": True}}
    ward = {"decision": "iron-hand", "by": "target", "choose": "ward-off"}
    assert odds(shot)["hit"] == pytest.approx(10 / 20)
    assert odds(shot, ward)["hit"] == 0
    assert odds(shot, ward | {"when": {"attack_total": {"at_least": 20}}})["hit"] == pytest.approx(6 / 20)


def test_luck_of_both_sides() -> None:
    lucky = {
        "weapon": "sword",
        "attacker": FIGHTER | {"veterans_luck": True},
        "target": PERSON | {"veterans_luck": True},
    }
    mine = {"decision": "veterans-luck", "by": "attacker", "choose": "use"}
    assert odds(lucky, mine)["hit"] == pytest.approx(1)
    assert odds(lucky, mine, mine | {"by": "target"})["hit"] == pytest.approx(HIT)  # every one turned twice


def test_a_clue_that_is_none_is_told() -> None:
    with pytest.raises(InputError):
        odds(SWORD, DEFEND | {"when": {"attack_totals": {"at_least": 1}}})
