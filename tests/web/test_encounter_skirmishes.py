"""Ready-made fights over HTTP, the facts of a scene, and the gauges of a view."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fights import Fight, bearer, begin
from flask.testing import FlaskClient

SKIRMISHES = [
    ("sr4", "loading-dock"), ("sr4", "server-room"), ("sr4", "summoned-spirit"), ("sr4", "drone-patrol"),
    ("sr5", "front-gate"), ("sr5", "drone-patrol"), ("cwn", "alley"), ("imperium", "underhive"),
    ("imperium", "the-shrine"),
]  # fmt: skip
FEW_CLICKS = 4
"""From the button *Play* to the first attack, with turns that are ended because nobody can be attacked."""
OF_BODIES = {
    "kneel",
    "drop-prone",
    "sprint",
    "gesture",
    "hit-the-dirt",
    "dive-for-cover",
    "take-cover",
    "leap",
    "crawl",
}
"""What machines and programs cannot do."""


MACHINES = [
    ("sr4", "hunter-4"), ("sr4", "gm-nissan-doberman"), ("sr5", "ford-americar"), ("imperium", "walker"),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "machine"), MACHINES)
def test_machines_and_programs_are_not_offered_what_bodies_do(
    client: FlaskClient, ruleset: str, machine: str
) -> None:
    fight = begin(client, ruleset=ruleset)
    fight.do("join", combatant=machine)
    fight.do("begin-turn")
    fight.settle()
    (one,) = fight.view()["combatants"]
    offered = fight.get(f"/actions?combatant={one['id']}").json["actions"]
    found = [offer for offer in offered if offer["action"] in OF_BODIES]
    assert len(found) >= 3
    for offer in found:
        assert "needs" in [reason["code"] for reason in offer["reasons"]], offer


@pytest.mark.parametrize(("ruleset", "slug"), SKIRMISHES)
def test_a_skirmish_is_found_and_begun(client: FlaskClient, ruleset: str, slug: str) -> None:
    page = client.get(f"/v1/packs/{ruleset}-core/skirmishes").json
    assert slug in [one["slug"] for one in page]
    entry = client.get(f"/v1/entries/{ruleset}-core:skirmish/{slug}").json
    answer = client.post("/v1/encounters", json={"ruleset": ruleset, "skirmish": slug})
    assert answer.status_code == 201
    people = sum(one.get("count", 1) for one in entry["data"]["combatants"])
    assert answer.json["version"] == 1 + people
    assert answer.headers["ETag"] == f'"{1 + people}"'
    fight = Fight(client, answer.json)
    view = fight.view()
    assert (view["version"], view["title"], len(view["combatants"])) == (1 + people, entry["label"], people)
    assert view["settings"]["scene"] == entry["data"]["situation"]
    types = [event["type"] for event in fight.get("/events").json["events"]]
    assert types == ["created", *["joined"] * people]
    fight.do("begin-turn")
    fight.settle()
    clicks = 2  # Play, and the attack
    while not _attacks(fight, fight.view()["acting"]):
        clicks += 1
        fight.do("next", combatant=fight.view()["acting"][0])
        fight.settle()
    assert clicks <= FEW_CLICKS
    fight.do("undo", to=2)
    assert len(fight.view()["combatants"]) == 1


def _attacks(fight: Fight, acting: list[str]) -> list[dict[str, Any]]:
    """The attacks that a click makes, of those who act."""
    found = []
    for who in acting:
        offered = fight.get(f"/actions?combatant={who}").json
        known = {offer["action"]: offer for offer in offered["actions"]}
        found += [
            one for one in offered["usual"] if one["hit"] is not None and not known[one["action"]]["missing"]
        ]
    return found


def test_a_skirmish_that_is_not_there(client: FlaskClient) -> None:
    answer = client.post("/v1/encounters", json={"ruleset": "sr4", "skirmish": "alley"})
    assert answer.status_code == 422
    assert [(one["path"], one["code"]) for one in answer.json["errors"]] == [("skirmish", "unknown-entry")]


@pytest.mark.parametrize(
    "scene", [{}, {"distance": 12}, {"distance": 0.5, "light": "dim", "indoors": True}, {"a.b": "x" * 64}]
)
def test_a_scene_is_told_as_it_was_said(client: FlaskClient, scene: dict[str, Any]) -> None:
    fight = begin(client, settings={"scene": scene})
    for viewer in (fight, fight.observer(), fight.player()):
        assert viewer.view()["settings"]["scene"] == scene


@pytest.mark.parametrize(
    ("scene", "path"),
    [
        ([], "settings.scene"),
        ("dark", "settings.scene"),
        ({"distance": None}, "settings.scene.distance"),
        ({"distance": [1]}, "settings.scene.distance"),
        ({"attacker": {"running": True}}, "settings.scene.attacker"),
        ({"light": "x" * 65}, "settings.scene.light"),
        ({"distance": 10**70}, "settings.scene.distance"),
        ({"light": "nul \x00"}, "settings.scene.light"),
        ({f"fact_{number}": 1 for number in range(65)}, "settings.scene"),
        ({"x" * 101: 1}, "settings.scene"),
    ],
)
def test_a_scene_that_cannot_be(client: FlaskClient, scene: Any, path: str) -> None:
    answer = client.post("/v1/encounters", json={"ruleset": "sr4", "settings": {"scene": scene}})
    assert answer.status_code == 422
    assert all(one["path"].startswith(path) for one in answer.json["errors"]), answer.json


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN"])
def test_a_number_of_a_scene_is_finite(client: FlaskClient, number: str) -> None:
    body = f'{{"ruleset": "sr4", "settings": {{"scene": {{"distance": {number}}}}}}}'
    answer = client.post("/v1/encounters", data=body, content_type="application/json")
    assert answer.status_code in (400, 422)


def test_gauges_are_told_to_whoever_may_read_the_sheet(client: FlaskClient) -> None:
    fight = begin(client, skirmish="loading-dock")
    player = fight.player("rook")
    told = {one["id"]: one for one in player.view()["combatants"]}
    assert {id for id, one in told.items() if "gauges" in one} == {"rook"}
    assert [gauge["id"] for gauge in told["rook"]["gauges"]] == ["physical", "stun", "edge"]
    assert not any("gauges" in one for one in fight.observer().view()["combatants"])
    fight.do("set", combatant="rook", fields={"physical": 4})
    rook = next(one for one in player.view()["combatants"] if one["id"] == "rook")
    assert rook["gauges"][0]["value"] == 4


def test_the_document_tells_of_all_three(client: FlaskClient, document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert "string" in json.dumps(schemas["NewEncounter"]["properties"]["skirmish"])
    scene = schemas["Settings"]["properties"]["scene"]
    assert scene["type"] == "object"
    gauge = schemas["Gauge"]["properties"]
    fight = begin(client, skirmish="loading-dock")
    (first, *_) = fight.view()["combatants"]
    assert set(first["gauges"][0]) == set(gauge)
    gauges = schemas["Combatant"]["properties"]["gauges"]
    assert gauges["items"]["$ref"].endswith("/Gauge")
    assert client.get(fight.path, headers=bearer(fight.secret)).status_code == 200
