"""Who may do and see what: tokens of GMs, players and observers, and what stays hidden."""

from __future__ import annotations

import hashlib
import logging
from typing import Any

import pytest
from fights import ADMIN, Fight, bearer, begin, in_a_slot, refusal
from flask import Flask
from flask.testing import FlaskClient

from fracas.errors import TokenError
from fracas.web.application import create_app
from fracas.web.encounter_access import Tickets
from fracas.web.settings import Settings


@pytest.fixture
def fight(client: FlaskClient) -> Fight:
    found = begin(client)
    found.do("join", combatant="rook", player=True)
    found.do("join", combatant="vex", player=True)
    found.do("join", combatant="guard")
    found.do("join", combatant="guard", id="ghost", name="Ghost", hidden=True)
    return found


NO_TOKEN = [None, "", "Bearer", "Bearer ", "Basic Zm9vOmJhcg==", "Token x"]
WRONG = ["Bearer x", "Bearer frc_" + "A" * 43, "bearer \x7f", "Bearer " + "x" * 4000, "Bearer schlüssel"]
PATHS = ["", "/events", "/actions?combatant=rook", "/log", "/steps/r4", "/tokens"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("shown", [*NO_TOKEN, *WRONG])
def test_without_a_good_token(fight: Fight, path: str, shown: str | None) -> None:
    """Nobody learns whether there is a fight of an id."""
    headers = {} if shown is None else {"Authorization": shown}
    answers = [fight.client.get(at + path, headers=headers) for at in (fight.path, "/v1/encounters/unknown")]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].data == answers[1].data
    assert answers[0].headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_of_another_fight(fight: Fight) -> None:
    other = begin(fight.client)
    told = [
        fight.client.get(at, headers=bearer(other.secret)) for at in (fight.path, "/v1/encounters/unknown")
    ]
    assert [answer.status_code for answer in told] == [404, 404]
    texts = [answer.text.replace(fight.id, "unknown") for answer in told]
    assert texts[0] == texts[1]
    for answer in (
        other.by(other.secret).client.post(fight.path + "/tickets", headers=bearer(other.secret)),
        fight.client.delete(fight.path, headers={**bearer(other.secret), "If-Match": "*"}),
        fight.client.get(fight.path + "/tokens", headers=bearer(other.secret)),
    ):
        assert refusal(answer) == (404, "no-encounter")


def test_an_observer_commands_nothing(fight: Fight) -> None:
    observer = fight.observer()
    for body in ({"command": "next"}, {"command": "join", "combatant": "rook"}, {"command": "undo"}):
        assert refusal(observer.send(body)) == (403, "forbidden")
    assert refusal(observer.get("/actions?combatant=rook")) == (403, "forbidden")
    assert refusal(observer.get("/tokens")) == (403, "forbidden")
    assert refusal(observer.post("/tokens", {"role": "gm"})) == (403, "forbidden")
    assert refusal(observer.delete(If_Match="*")) == (403, "forbidden")
    assert observer.get().status_code == 200


GM_ONLY: list[dict[str, Any]] = [
    {"command": "join", "combatant": "rook"},
    {"command": "leave", "combatant": "rook"},
    {"command": "begin-turn"},
    {"command": "roll-initiative"},
    {"command": "set", "combatant": "rook", "fields": {"physical": 0}},
    {"command": "undo"},
    {"command": "redo"},
    {"command": "close"},
]


@pytest.mark.parametrize("body", GM_ONLY, ids=[str(body["command"]) for body in GM_ONLY])
def test_what_only_a_gm_may_do(fight: Fight, body: Any) -> None:
    assert refusal(fight.player("rook").send(body)) == (403, "forbidden")


def test_a_player_commands_his_own_combatants_only(client: FlaskClient) -> None:
    fight, who = in_a_slot(client)
    other = {"rook": "guard", "guard": "rook"}[who]
    mine, theirs = fight.player(who), fight.player(other)
    body = {"command": "act", "combatant": who, "action": "take-aim"}
    assert refusal(theirs.send(body)) == (403, "forbidden")
    assert refusal(theirs.get(f"/actions?combatant={who}")) == (403, "forbidden")
    assert mine.send(body).status_code == 200
    assert mine.get(f"/actions?combatant={who}").status_code == 200


def test_a_question_belongs_to_somebody(client: FlaskClient) -> None:
    fight = begin(client)
    fight.do("join", combatant="rook", player=True, asks=True)
    fight.do("join", combatant="vex", player=True, asks=True)
    rook, vex = fight.player("rook"), fight.player("vex")
    fight.do("begin-turn")
    question = fight.question()
    (owner,) = question["owners"]
    mine, theirs = (rook, vex) if owner == "rook" else (vex, rook)
    answer = {"command": "answer", "question": question["id"], "choose": question["default"]}
    assert refusal(theirs.send(answer)) == (403, "forbidden")
    asked = {
        one["question"]["id"]: one["question"]["yours"] for one in mine.view()["steps"] if one["question"]
    }
    assert asked[question["id"]] is True
    assert mine.send(answer).status_code == 200
    assert refusal(fight.send(answer)) == (409, "already-answered")


def test_what_is_hidden(fight: Fight) -> None:
    """A combatant of which only the GM knows is nowhere in what others get."""
    rook, observer = fight.player("rook"), fight.observer()
    fight.do("begin-turn")
    fight.settle()
    fight.do("set", combatant="ghost", fields={"physical": 2})
    for one in (rook, observer):
        view, events = one.get().text, one.get("/events").text
        assert "ghost" not in view.lower()
        assert "ghost" not in events.lower()
        kinds = [event["type"] for event in one.get("/events").json["events"]]
        assert kinds.count("hidden") == 2
        assert len(kinds) == fight.view()["version"]
    assert refusal(rook.get("/actions?combatant=ghost")) == refusal(rook.get("/actions?combatant=nobody"))
    act = {"command": "act", "combatant": "rook", "action": "melee-attack", "target": "ghost"}
    unknown = rook.send(act)
    assert unknown.text.replace("ghost", "nobody") == rook.send({**act, "target": "nobody"}).text


def test_sheets_of_others(client: FlaskClient, fight: Fight) -> None:
    rook = fight.player("rook")
    shown = {one["id"]: "sheet" in one for one in rook.view()["combatants"]}
    assert shown == {"rook": True, "vex": False, "guard": False}
    assert not any("sheet" in one for one in fight.observer().view()["combatants"])
    assert all("sheet" in one for one in fight.view()["combatants"])
    joined = [event for event in rook.get("/events").json["events"] if event["type"] == "joined"]
    assert ["sheet" in event["data"]["combatant"] for event in joined] == [True, False, False]
    open_ = begin(client, settings={"open_sheets": True})
    open_.do("join", combatant="guard")
    assert all("sheet" in one for one in open_.observer().view()["combatants"])


def test_tokens(fight: Fight) -> None:
    made = fight.post("/tokens", {"role": "player", "label": "Ada", "combatants": ["rook"]})
    assert made.status_code == 201
    token = made.json
    assert made.headers["Location"] == f"{fight.path}/tokens/{token['id']}"
    listed = fight.get("/tokens")
    assert token["secret"] not in listed.text
    assert "hash" not in listed.text
    rows = {row["id"]: row for row in listed.json}
    assert rows[token["id"]] == {name: value for name, value in token.items() if name != "secret"}
    assert sorted(row["role"] for row in listed.json) == ["gm", "observer", "player"]
    player = fight.by(token["secret"])
    assert player.get().status_code == 200

    turned = fight.post(f"/tokens/{token['id']}/rotate")
    assert turned.status_code == 200
    assert player.get().status_code == 401
    player = fight.by(turned.json["secret"])
    assert player.get().status_code == 200

    for _ in range(2):  # the second time it is so already
        assert fight.delete(f"/tokens/{token['id']}").status_code == 204
    assert refusal(player.get()) == (401, "bad-token")
    assert refusal(fight.post(f"/tokens/{token['id']}/rotate")) == (409, "revoked")
    assert fight.delete("/tokens/nobody").status_code == 404
    assert fight.post("/tokens/nobody/rotate").status_code == 404


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "role"),
        ({"role": "king"}, "role"),
        ({"role": "player", "combatants": ["rok"]}, "combatants[0]"),
        ({"role": "gm", "combatants": ["rook"]}, "combatants"),
        ({"role": "observer", "label": "x" * 81}, "label"),
        ({"role": "observer", "label": "\ud800"}, "label"),
    ],
)
def test_tokens_that_cannot_be(fight: Fight, body: Any, path: str) -> None:
    answer = fight.post("/tokens", body)
    assert answer.status_code == 422
    assert [one["path"] for one in answer.json["errors"]] == [path]


def test_the_last_gm_stays(fight: Fight) -> None:
    own = fight.begun["tokens"]["gm"]["id"]
    assert refusal(fight.delete(f"/tokens/{own}")) == (409, "last-gm")
    second = fight.by(fight.post("/tokens", {"role": "gm"}).json["secret"])
    assert fight.delete(f"/tokens/{own}").status_code == 204
    assert fight.get().status_code == 401
    assert second.get().status_code == 200


def test_there_are_not_endlessly_many_tokens(fight: Fight, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fight.client.application.extensions["fracas.encounters"], "max_tokens", 3)
    last = fight.post("/tokens", {"role": "observer"}).json["id"]
    assert fight.delete(f"/tokens/{last}").status_code == 204
    assert refusal(fight.post("/tokens", {"role": "gm"})) == (409, "too-many")  # revoked ones count


def test_the_administrator_helps_when_the_secret_is_lost() -> None:
    fight = begin(create_app(Settings(admin_token=ADMIN)).test_client())
    administrator = fight.by(ADMIN)
    assert administrator.get().status_code == 401  # he is nobody in the fight
    again = fight.by(administrator.post("/tokens", {"role": "gm"}).json["secret"])
    again.do("join", combatant="rook")
    assert fight.client.get("/v1/encounters/unknown/tokens", headers=bearer(ADMIN)).status_code == 404
    assert administrator.delete(If_Match="*").status_code == 204
    assert again.get().status_code == 401


def test_secrets_are_neither_kept_nor_logged(
    app: Flask, fight: Fight, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    player = fight.player("rook")
    player.get()
    fight.by("frc_wrong-but-secret").get()
    player.send({"command": "close"})
    player.send("nonsense")
    assert player.secret not in caplog.text
    assert "frc_" not in caplog.text
    store = app.extensions["fracas.encounters"].store
    kept = [token.hash for token in store.tokens(fight.id)]
    assert hashlib.sha256(player.secret.encode()).hexdigest() in kept
    assert player.secret not in "".join(event.body for event in store.events(fight.id))


def test_tickets(app: Flask, fight: Fight, monkeypatch: pytest.MonkeyPatch) -> None:
    player, encounters = fight.player("rook"), app.extensions["fracas.encounters"]
    ticket = player.post("/tickets").json["ticket"]
    tickets = Tickets(b"a secret of the tests, 32 bytes.")
    assert player.secret not in ticket
    once = player.post("/tickets").json["ticket"]
    assert tickets.author(encounters, fight.id, once).combatants == {"rook"}
    other = begin(fight.client)

    def refused(id: str = fight.id, shown: str = ticket) -> bool:
        with pytest.raises(TokenError):
            tickets.author(encounters, id, shown)
        return True

    assert refused(shown=once)
    assert refused(other.id)
    assert refused(shown=ticket[:-2] + "xx")
    assert refused(shown="")
    assert refused(shown=Tickets(b"another").issue(fight.id, encounters.tokens(fight.id)[0]))
    assert fight.client.get(f"{fight.path}?ticket={ticket}").status_code == 401  # for the feed only
    with monkeypatch.context() as patch:
        patch.setattr("fracas.web.encounter_access.TICKET_SECONDS", -1)
        assert refused()
    made = next(token for token in encounters.tokens(fight.id) if token.combatants == ("rook",))
    fight.post(f"/tokens/{made.id}/rotate")
    assert refused()
