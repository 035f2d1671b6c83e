"""Odds never expect somebody to lose more hit points than there are, and tell what each modifier really changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.engine.running import give_odds
from fracas.engine.text import odds_text
from fracas.packs.library import Library

Ask = Callable[[Any], Request]
PACKS = Path(__file__).resolve().parents[2] / "datapacks"


@pytest.fixture(scope="module")
def ask() -> Ask:
    schema = RequestSchema(Games(Library.read([PACKS / "cwn-core"])))
    return lambda data: load(schema, data)


def killing(**more: Any) -> dict[str, Any]:
    """A big sword on somebody with 15 hit points, by somebody with Killing Blow."""
    attacker = {"base_attack_bonus": 3, "attribute_modifier": 1, "skill_level": 1, "level": 4}
    return {
        "ruleset": "cwn",
        "procedure": "attack",
        "situation": {
            "attacker": {**attacker, "killing_blow": True},
            "weapon": "big-sword",
            "target": {"use": "street-thug", "hp": 5, "soak": 0},
            **more,
        },
    }


def test_nobody_loses_more_hit_points_than_there_are(ask: Ask) -> None:
    answer = give_odds(ask(killing()))
    measures = {measure["id"]: measure["value"] for measure in answer["measures"]}
    assert measures["damage"] > 5  # blows that would kill somebody twice
    assert measures["hp-loss"] <= 5 * (measures["hit"] + measures["shock"])
    assert measures["hp-loss"] == pytest.approx(5 * measures["down"], abs=0.5)


def test_text_tells_what_a_modifier_changes(ask: Ask) -> None:
    """Killing Blow changes neither the chance to hit nor that of Shock."""
    text = odds_text(give_odds(ask(killing())))
    (line,) = [line for line in text.splitlines() if "Killing Blow" in line and "damage.bonus" in line]
    assert "expected damage +" in line
    assert "chance to hit" not in line
