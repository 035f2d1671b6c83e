"""Answers to combat requests are written as they are: they have exactly the form that their schemas tell."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from fracas.web.combat import EXAMPLE
from fracas.web.schemas import AnswerSchema, EffectSchema, OddsSchema

IMPOSSIBLE = {"weapon": {"use": "ares-predator-iv", "rounds": 0}}


def asked(client: FlaskClient, path: str, **more: Any) -> Any:
    answer = client.post(path, json={**EXAMPLE, **more})
    assert answer.status_code == 200, answer.text
    return answer.json


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"mode": "step"},
        {"cards": ["data", "roll20", "mod"]},
        {"dice": {"source": "seed"}},
        {"situation": EXAMPLE["situation"] | IMPOSSIBLE},
    ],
    ids=["resolved", "waiting", "with cards", "committed", "refused"],
)
def test_a_step_has_the_form_of_its_schema(client: FlaskClient, more: dict[str, Any]) -> None:
    answer = asked(client, "/v1/resolve", **more)
    assert AnswerSchema().dump(answer) == answer
    if "continuation" in answer:
        body = {"continuation": answer["continuation"], "choose": answer["awaits"]["default"]}
        follows = client.post("/v1/resolve/continue", json=body).json
        assert AnswerSchema().dump(follows) == follows


@pytest.mark.parametrize(
    "details",
    [
        {"type": "schedule", "when": "turn-begin", "turns": 1, "while": "dying"},
        {"type": "add-condition", "towards": "attacker", "set_grip": 3},
    ],
    ids=["schedule", "details of a ruleset"],
)
def test_details_of_rare_effects_are_in_the_schema(details: dict[str, Any]) -> None:
    effect = {"who": "target", "what": "bleed", "amount": None, **details}
    assert EffectSchema().dump(effect) == effect


@pytest.mark.parametrize(
    "more",
    [{}, {"exact": True}, {"attribution": False}, {"situation": EXAMPLE["situation"] | IMPOSSIBLE}],
    ids=["plain", "exact", "without attribution", "refused"],
)
def test_odds_have_the_form_of_their_schema(client: FlaskClient, more: dict[str, Any]) -> None:
    answer = asked(client, "/v1/odds", **more)
    assert OddsSchema().dump(answer) == answer
