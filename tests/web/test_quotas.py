"""What one caller may have, and one fight: told in the answer that refuses, and settable."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from fracas.encounters.command_context import Author
from fracas.encounters.feed import Feed, FeedFullError
from fracas.web import quotas
from fracas.web.application import create_app
from fracas.web.limits import Limits
from fracas.web.settings import Settings

FEW = Limits(
    fights=4,
    fights_per_caller=2,
    listeners=4,
    listeners_per_caller=3,
    listeners_per_fight=2,
    tokens_per_caller=2,
    tokens_per_fight=5,
)


@pytest.fixture
def app() -> Flask:
    return create_app(Settings(limits=FEW))


def client(app: Flask, address: str = "192.0.2.1") -> FlaskClient:
    found = app.test_client()
    found.environ_base["REMOTE_ADDR"] = address
    return found


def begin(caller: FlaskClient) -> Any:
    return caller.post("/v1/encounters", json={"ruleset": "sr4"})


def bearer(begun: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {begun.json['tokens']['gm']['secret']}"}


def test_fights_of_a_caller(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, ben = client(app), client(app, "192.0.2.2")
    first, _ = begin(ana), begin(ana)
    refused = begin(ana)
    assert (refused.status_code, refused.json["code"]) == (429, "too-many-fights")
    assert "fights-per-caller" in refused.json["message"]
    assert int(refused.headers["Retry-After"]) > 0
    assert begin(ben).status_code == 201
    gone = ana.delete(f"/v1/encounters/{first.json['id']}", headers={**bearer(first), "If-Match": "*"})
    assert gone.status_code == 204
    assert begin(ana).status_code == 201  # one that is deleted no longer counts
    assert begin(ana).status_code == 429
    monkeypatch.setattr(quotas, "HOUR", -1.0)
    assert begin(ana).status_code == 201
    full = begin(ben)
    assert (full.status_code, full.json["code"]) == (503, "too-many-fights")
    assert "fracas fights" in full.json["message"]


def test_the_console_counts_the_same(app: Flask) -> None:
    ana = client(app)
    begin(ana), begin(ana)
    page = ana.post("/console/begin", data={"ruleset": "sr4"})
    assert page.status_code == 429
    assert "fights-per-caller" in page.text


def test_tokens_of_a_caller_and_of_a_fight(app: Flask) -> None:
    ana, ben = client(app), client(app, "192.0.2.2")
    begun = begin(ana)
    address, wish = f"/v1/encounters/{begun.json['id']}/tokens", {"role": "observer", "label": "x"}

    def made(caller: FlaskClient) -> Any:
        return caller.post(address, json=wish, headers=bearer(begun))

    assert [made(ana).status_code for _ in range(3)] == [201, 201, 429]
    assert made(ana).json["code"] == "too-many-tokens"
    assert made(ben).status_code == 201
    refused = made(ben)
    assert refused.status_code == 409
    assert "tokens-per-fight" in refused.json["message"]


def test_listeners_of_a_fight_and_of_a_caller(app: Flask) -> None:
    ana = client(app)
    ids = [begin(ana).json for _ in range(2)]
    feed: Feed = app.extensions["fracas.feed"]
    one, two = (fight["id"] for fight in ids)
    gm = {fight["id"]: Author("gm", fight["tokens"]["gm"]["id"]) for fight in ids}
    kept = [feed.subscribe(one, gm[one], 0, "a") for _ in range(2)]
    with pytest.raises(FeedFullError, match="listeners-per-fight") as of_fight:
        feed.subscribe(one, gm[one], 0, "b")
    kept.append(feed.subscribe(two, gm[two], 0, "a"))
    with pytest.raises(FeedFullError, match="listeners-per-caller") as of_caller:
        feed.subscribe(two, gm[two], 0, "a")
    kept.append(feed.subscribe(two, gm[two], 0, "b"))
    with pytest.raises(FeedFullError, match="'listeners'") as of_all:
        feed.subscribe(two, gm[two], 0, "c")
    assert [error.value.mine for error in (of_fight, of_caller, of_all)] == [True, True, False]
    for listener in kept:
        listener.close()
    assert feed.listening == 0
    feed.subscribe(one, gm[one], 0, "a").close()


def test_a_feed_that_is_refused_says_why(app: Flask) -> None:
    ana = client(app)
    begun = begin(ana)
    feed: Feed = app.extensions["fracas.feed"]
    gm = Author("gm", begun.json["tokens"]["gm"]["id"])
    kept = [feed.subscribe(begun.json["id"], gm, 0, "192.0.2.9") for _ in range(2)]
    address = f"/v1/encounters/{begun.json['id']}/events"
    answer = ana.get(address, headers={**bearer(begun), "Accept": "text/event-stream"})
    assert (answer.status_code, answer.json["code"]) == (429, "too-many-listeners")
    assert answer.headers["Retry-After"] == "2"
    kept[0].close()
    answer = ana.get(address, headers={**bearer(begun), "Accept": "text/event-stream"})
    assert answer.status_code == 200
    answer.close()
