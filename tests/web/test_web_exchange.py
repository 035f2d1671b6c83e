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


def test_in_a_fight(client: FlaskClient) -> None:
    begun = client.post("/v1/encounters", json={"ruleset": "cwn", "skirmish": "alley"}).json
    place = f"/v1/encounters/{begun['id']}/exchange"
    gm, observer = (
        {"Authorization": f"Bearer {begun['tokens'][role]['secret']}"} for role in ("gm", "observer")
    )
    survives = client.post(place, json={"target": "wren-gunhand"}, headers=gm)
    assert survives.headers["ETag"] == f'"{begun["version"]}"'
    labels = [row["label"].partition(":")[0] for row in survives.json["attacks"]]
    assert labels == ["Unaffiliated Street Thug 1", "Unaffiliated Street Thug 2", "Veteran Gang Gunman"]
    assert 0 < survives.json["down"] < 1
    assert client.post(place, json={"target": "wren-gunhand"}, headers=observer).status_code == 403
    shot = {"combatant": "wren-gunhand", "action": "ranged-attack", "item": "heavy-pistol"}
    attack = {**shot, "target": "veteran-gang-gunman", "situation": {"distance": 8}}
    other = {**attack, "combatant": "dov-blade", "action": "charge", "item": "sword", "situation": {}}
    given = {"attacks": [{**attack, "times": 2, "label": "Wren"}, other], "order": "best"}
    best = client.post(place, json=given, headers=gm).json
    assert best["orders"]["compared"] == 3
    assert sorted(row["label"] for row in best["attacks"]) == ["Attack", "Wren", "Wren"]
    assert best["down"] >= best["orders"]["worst"][-1]["down"]
    at_once = client.post(place, json={"attacks": [{"times": 99}, {"label": 5}]}, headers=gm)
    assert {one["path"] for one in at_once.json["errors"]} == {"attacks[0].times", "attacks[1].label"}
    elsewhere = {"attacks": [attack, {**other, "target": "unaffiliated-street-thug-1"}]}
    assert client.post(place, json=elsewhere, headers=gm).json["errors"][0]["path"] == "attacks[1].target"


def test_opponents_attack_as_often_as_their_actions_of_a_round_last(client: FlaskClient) -> None:
    begun = client.post("/v1/encounters", json={"ruleset": "sr4", "skirmish": "loading-dock"}).json
    gm = {"Authorization": f"Bearer {begun['tokens']['gm']['secret']}"}
    place = f"/v1/encounters/{begun['id']}/exchange"
    survives = client.post(place, json={"target": "rook"}, headers=gm).json
    made = [row["label"] for row in survives["attacks"]]
    shots = [f"Guard {number}: Fire semi-automatically (Colt America L36)" for number in (1, 1, 2, 2)]
    assert made == [*shots, "Brick: Melee or unarmed attack (Club)"]  # two Simple Actions, or a Complex one
