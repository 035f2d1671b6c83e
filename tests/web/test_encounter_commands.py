"""Fights over HTTP: beginning, commands with their two headers, versions, errors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fights import ADMIN, Fight, bearer, begin, in_a_slot, refusal
from flask import Flask
from flask.testing import FlaskClient

from fracas.errors import DatabaseError, EventError
from fracas.web.application import create_app
from fracas.web.settings import Settings

JOIN = {"command": "join", "combatant": "rook"}


@pytest.fixture
def fight(client: FlaskClient) -> Fight:
    return begin(client, title="The alley")


def test_a_new_fight(client: FlaskClient) -> None:
    answer = client.post("/v1/encounters", json={"ruleset": "sr4", "title": "The alley"})
    assert answer.status_code == 201
    told = answer.json
    assert set(told) == {"id", "version", "commitment", "tokens"}
    assert answer.headers["Location"] == f"/v1/encounters/{told['id']}"
    assert answer.headers["ETag"] == '"1"'
    assert answer.headers["Cache-Control"] == "no-store"
    assert {role: set(token) for role, token in told["tokens"].items()} == {
        "gm": {"id", "secret"},
        "observer": {"id", "secret"},
    }
    view = client.get(answer.headers["Location"], headers=bearer(told["tokens"]["gm"]["secret"])).json
    assert (view["title"], view["ruleset"], view["version"], view["phase"]) == (
        "The alley",
        "sr4",
        1,
        "setup",
    )
    assert view["commitment"] == told["commitment"]
    assert view["settings"] == {
        "apply": "confirm",
        "timeout": None,
        "player_undo": False,
        "open_sheets": False,
        "scene": {},
    }


@pytest.mark.parametrize(
    ("body", "path", "code"),
    [
        ({}, "ruleset", "missing-field"),
        ({"ruleset": "sr9"}, "ruleset", "unknown-ruleset"),
        ({"ruleset": "sr4", "settings": {"apply": "soon"}}, "settings.apply", "unknown-choice"),
        ({"ruleset": "sr4", "settings": {"timeout": 0}}, "settings.timeout", "out-of-range"),
        ({"ruleset": "sr4", "title": "x" * 121}, "title", "out-of-range"),
        ({"ruleset": "sr4", "title": "half \ud800"}, "title", "invalid"),
        ({"ruleset": "sr4", "title": "nul \x00"}, "title", "invalid"),
        ({"ruleset": "sr4", "tilte": "x"}, "tilte", "unknown-field"),
    ],
)
def test_a_fight_that_cannot_be(client: FlaskClient, body: Any, path: str, code: str) -> None:
    answer = client.post("/v1/encounters", json=body)
    assert answer.status_code == 422
    assert [(one["path"], one["code"]) for one in answer.json["errors"]] == [(path, code)]


def test_a_command_and_its_answer(fight: Fight) -> None:
    answer = fight.send(JOIN, '"1"')
    assert answer.status_code == 200
    assert answer.headers["ETag"] == '"2"'
    told = answer.json
    assert (told["encounter"], told["version"], told["repeated"]) == (fight.id, 2, False)
    (event,) = told["events"]
    assert (event["version"], event["type"], event["by"]["role"]) == (2, "joined", "gm")
    assert [one["id"] for one in fight.view()["combatants"]] == ["rook"]


@pytest.mark.parametrize("header", ["*", '"1"', '"7", "1"', ' "1" ', 'W/"9","1"', '"a,b", "1"'])
def test_versions_that_match(fight: Fight, header: str) -> None:
    assert fight.send(JOIN, header).status_code == 200


@pytest.mark.parametrize(
    "header", ['"2"', 'W/"1"', '"0"', '"01"', '"x"', '""', '"2", "3"', '"99999999999999999999"']
)
def test_versions_that_do_not_match(fight: Fight, header: str) -> None:
    answer = fight.send(JOIN, header)
    assert answer.status_code == 412
    assert (answer.json["code"], answer.json["current"]) == ("stale-version", 1)
    assert answer.headers["ETag"] == '"1"'
    assert fight.view()["version"] == 1


@pytest.mark.parametrize("header", ["1", "W/*", '"1', '"1" "2"', "*, *", '"1", x'])
def test_versions_that_cannot_be_read(fight: Fight, header: str) -> None:
    assert fight.send(JOIN, header).status_code == 400


@pytest.mark.parametrize(("version", "key"), [(None, None), ("*", ""), (None, "")])
def test_headers_that_are_missing(fight: Fight, version: str | None, key: str | None) -> None:
    answer = fight.send(JOIN, version, key)
    assert refusal(answer) == (428, "precondition-required")
    assert ("If-Match" if version is None else "Idempotency-Key") in answer.json["message"]


@pytest.mark.parametrize("key", ["x" * 201, "\x7f", "schlüssel"])
def test_keys_that_cannot_be(fight: Fight, key: str) -> None:
    assert fight.send(JOIN, "*", key).status_code == 400


def test_a_repeated_command_is_answered_alike(fight: Fight) -> None:
    first = fight.send(JOIN, '"1"', "once")
    fight.do("join", combatant="guard")
    again = fight.send(JOIN, '"1"', "once")  # although another version stands now
    assert (again.status_code, again.json["repeated"]) == (200, True)
    assert again.json["events"] == first.json["events"]
    assert (again.json["version"], again.headers["ETag"]) == (2, '"2"')
    assert fight.view()["version"] == 3


def test_a_key_with_another_body(fight: Fight) -> None:
    fight.send(JOIN, "*", "once")
    assert refusal(fight.send({**JOIN, "id": "x"}, "*", "once")) == (422, "key-reused")


def test_the_order_of_fields_does_not_matter(fight: Fight) -> None:
    fight.send(JOIN, "*", "once")
    again = fight.send(dict(reversed(JOIN.items())), "*", "once")
    assert (again.status_code, again.json["repeated"]) == (200, True)


def test_a_key_of_somebody_else(fight: Fight) -> None:
    """Two people may have the same word in mind."""
    fight.do("join", combatant="rook", player=True)
    player = fight.player("rook")
    fight.send({"command": "begin-turn"}, "*", "k1")
    fight.settle()
    answer = player.send({"command": "delay", "combatant": "rook"}, "*", "k1")
    assert (answer.status_code, answer.json["repeated"]) == (200, False)


def test_a_refused_command_may_be_sent_again_under_its_key(fight: Fight) -> None:
    assert fight.send({"command": "next"}, "*", "later").status_code == 409
    fight.do("join", combatant="rook")
    fight.do("begin-turn")
    fight.settle()
    assert fight.send({"command": "next"}, "*", "later").status_code == 200


def test_every_reason_of_a_refusal(client: FlaskClient) -> None:
    fight, who = in_a_slot(client)
    for _ in range(2):
        fight.do("act", combatant=who, action="take-aim")
    target = {"rook": "guard", "guard": "rook"}[who]
    body = {"command": "act", "combatant": who, "action": "fire-semi-automatic", "target": target,
            "situation": {"distance": 10}}  # fmt: skip
    answer = fight.send(body)
    assert (answer.status_code, answer.json["code"]) == (409, "refused")
    (reason,) = answer.json["errors"]
    assert (reason["path"], reason["code"], reason["hint"]) == ("", "cannot-pay", None) or "Simple" in reason[
        "message"
    ]
    assert answer.json["message"] == reason["message"]


@pytest.mark.parametrize(
    ("body", "path", "code"),
    [
        ({}, "command", "missing-field"),
        ({"command": "jion"}, "command", "unknown-command"),
        ({"command": ["join"]}, "command", "unknown-command"),
        ({"command": "join"}, "combatant", "missing-field"),
        ({"command": "join", "combatant": "rok"}, "combatant.use", "unknown-entry"),
        ({"command": "join", "combatant": "rook", "sides": "x"}, "sides", "unknown-field"),
        ({"command": "join", "combatant": {"use": "rook", "body": 2**70}}, "combatant.body", "out-of-range"),
        ({"command": "join", "combatant": "rook", "name": "half \udc00"}, "name", "invalid"),
    ],
)
def test_commands_that_make_no_sense(fight: Fight, body: Any, path: str, code: str) -> None:
    answer = fight.send(body)
    assert answer.status_code == 422
    fault = answer.json["errors"][0]
    assert (fault["path"].partition("[")[0], fault["code"]) == (path, code)
    assert fight.view()["version"] == 1


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 422),
        (b'{"command": "close", "command": "close"}', "application/json", 422),
        (b'{"command": "next"}', "text/plain", 415),
        (b'{"command": "join", "combatant": {"body": NaN}}', "application/json", 422),
        (b'{"command": "' + b"x" * 1_000_000 + b'"}', "application/json", 413),
        (b'{"command": "act", "situation": ' + b'{"a":' * 20 + b"1" + b"}" * 20 + b"}", "application/json", 422),
    ],
)  # fmt: skip
def test_bodies_that_cannot_be_read(fight: Fight, content: bytes, kind: str, status: int) -> None:
    headers = {**bearer(fight.secret), "If-Match": "*", "Idempotency-Key": "k", "Content-Type": kind}
    answer = fight.client.post(fight.path + "/commands", data=content, headers=headers)
    assert answer.status_code == status
    assert answer.json["status"] == status


def test_a_view_that_is_known_is_not_sent_again(fight: Fight) -> None:
    answer = fight.get()
    tag = answer.headers["ETag"]
    assert tag == '"1"'
    assert "Authorization" in answer.headers["Vary"]
    same = fight.get(If_None_Match=tag)
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
    fight.do("join", combatant="rook")
    assert fight.get(If_None_Match=tag).status_code == 200


def test_events_in_pieces(fight: Fight) -> None:
    for one in ("rook", "vex", "guard"):
        fight.do("join", combatant=one)
    everything = fight.get("/events").json
    assert everything["version"] == 4
    assert [event["version"] for event in everything["events"]] == [1, 2, 3, 4]
    piece = fight.get("/events?after=1&limit=2").json
    assert piece == {"version": 4, "events": everything["events"][1:3]}
    assert fight.get("/events?after=9").json == {"version": 4, "events": []}
    for query in ("after=-1", "limit=0", "limit=1001", "after=x"):
        assert fight.get(f"/events?{query}").status_code == 422, query


def test_undo_and_redo(client: FlaskClient) -> None:
    fight, who = in_a_slot(client)
    before = fight.view()
    fight.do("act", combatant=who, action="take-aim")
    after = fight.view()
    assert after["combatants"] != before["combatants"]
    fight.do("undo")
    assert fight.view()["combatants"] == before["combatants"]
    fight.do("redo")
    again = fight.view()
    assert again["combatants"] == after["combatants"]
    assert (again["version"], again["redoable"]) == (after["version"] + 2, 0)
    assert refusal(fight.send({"command": "redo"})) == (409, "nothing-to-redo")


def test_a_fight_is_removed(fight: Fight) -> None:
    fight.do("join", combatant="rook")
    assert refusal(fight.delete()) == (428, "precondition-required")
    stale = fight.delete(If_Match='"1"')
    assert (stale.status_code, stale.json["current"]) == (412, 2)
    gone = fight.delete(If_Match='"2"')
    assert (gone.status_code, gone.data) == (204, b"")
    assert fight.get().status_code == 401
    assert fight.send(JOIN).status_code == 401


def test_a_closed_fight(fight: Fight) -> None:
    fight.do("join", combatant="rook")
    assert fight.observer().get("/log").status_code == 403
    fight.do("close")
    assert fight.view()["phase"] == "closed"
    assert refusal(fight.send(JOIN)) == (409, "closed")
    log = fight.observer().get("/log")
    assert log.status_code == 200
    assert log.json["seed"]
    text = fight.get("/log?format=markdown")
    assert text.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert text.text.startswith("# ")
    assert fight.get("/log?format=pdf").status_code == 422


def test_too_many_in_a_fight(fight: Fight) -> None:
    for number in range(200):
        fight.do("join", combatant={"name": f"Ghoul {number}"})
    assert refusal(fight.send(JOIN)) == (409, "too-many")
    fight.do("leave", combatant="ghoul-7")
    fight.do("join", combatant="rook")


def test_all_fights_for_the_administrator() -> None:
    client = create_app(Settings(admin_token=ADMIN)).test_client()
    one, two = begin(client, title="one"), begin(client, title="two")
    two.do("close")
    rows = client.get("/v1/encounters", headers=bearer(ADMIN)).json
    assert [(row["id"], row["title"], row["version"]) for row in rows] == [
        (one.id, "one", 1),
        (two.id, "two", 2),
    ]
    assert rows[0]["closed"] is None
    assert rows[1]["closed"] == rows[1]["updated"]
    assert client.get("/v1/encounters").status_code == 401
    assert client.get("/v1/encounters", headers=bearer(one.secret)).status_code == 403


@pytest.mark.parametrize(
    ("error", "status"),
    [(DatabaseError("postgresql://me:secret@db is gone"), 503), (EventError("/home/me: no type"), 500)],
)
def test_a_store_that_fails(
    app: Flask, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    fight = begin(app.test_client())

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(app.extensions["fracas.encounters"].store, "row", fail)
    answer = fight.get()
    assert answer.status_code == status
    assert answer.json["code"] == error.code  # type: ignore[attr-defined]
    assert "me" not in answer.json["message"].split()
    assert str(error) not in answer.text
    assert ("Retry-After" in answer.headers) == (status == 503)


def test_the_document_tells_commands_apart(document: Any) -> None:
    command = document["components"]["schemas"]["Command"]
    names = command["discriminator"]["mapping"]
    assert {"join", "act", "answer", "undo", "close"} <= set(names)
    assert [one["$ref"] for one in command["oneOf"]] == list(names.values())
    for word, reference in names.items():
        schema = document["components"]["schemas"][reference.rpartition("/")[2]]
        assert schema["properties"]["command"] == {"type": "string", "const": word}
        assert "command" in schema["required"]
        json.dumps(schema)
