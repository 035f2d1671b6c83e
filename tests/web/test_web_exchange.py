"""``/v1/exchange``: several attacks, one after the other."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

BODY: dict[str, Any] = {
    "ruleset": "sr4",
    "attacks": [
        {
            "procedure": "ranged-attack",
            "situation": {
                "attacker": "rook",
                "target": {"use": "guard", "cover": "partial"},
                "weapon": "ares-predator-iv",
                "fire": {"mode": "semi-automatic"},
                "distance": 12,
            },
            "times": 2,
        }
    ],
}


def test_over_http(client: FlaskClient) -> None:
    answer = client.post("/v1/exchange", json=BODY).json
    assert answer["status"] == "resolved"
    assert [row["label"] for row in answer["attacks"]] == ["Ranged attack"] * 2
    assert answer["down"] + answer["standing"] == pytest.approx(1)
    far = {**BODY["attacks"][0], "situation": {**BODY["attacks"][0]["situation"], "distance": 9000}}
    assert client.post("/v1/exchange", json={**BODY, "attacks": [far]}).json["status"] == "refused"
    wrong = {**BODY["attacks"][0], "procedure": "ranged-attak"}
    problem = client.post("/v1/exchange", json={**BODY, "attacks": [wrong]})
    assert problem.status_code in (404, 422)
    assert "ranged-attack" in problem.text
    many = {**BODY["attacks"][0], "times": 7}
    assert client.post("/v1/exchange", json={**BODY, "attacks": [many, many]}).status_code == 422
