"""The live feed as its readers see it: over HTTP, from services that run in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from fight_players import Line

from fracas.bench.listening import Audience, Listener
from fracas.encounters.feed import LISTENERS

SOON = 100.0

STOPS = [signal.SIGTERM, signal.SIGINT] if os.name == "posix" else [signal.SIGTERM]


class Fight:
    """A fight with rook and an ambusher whom only the GM knows, and those who may see it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._lines = {port: Line(port)}
        begin = {"ruleset": "sr4", "title": "The alley"}
        status, _, begun = self._lines[port].send("POST", "/v1/encounters", begin)
        assert status == 201, begun
        self.id: str = begun["id"]
        self.path = f"/v1/encounters/{self.id}"
        self.gm, self.observer = (begun["tokens"][role]["secret"] for role in ("gm", "observer"))
        self.observer_id: str = begun["tokens"]["observer"]["id"]
        self.version = 1
        self._key = 0
        self.do("join", combatant="rook", player=True)
        wish = {"role": "player", "label": "Ana", "combatants": ["rook"]}
        status, _, made = self.call("POST", "/tokens", wish)
        assert status == 201, made
        self.player: str = made["secret"]

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        port: int = 0,
    ) -> tuple[int, Any, Any]:
        line = self._lines.setdefault(port or self.port, Line(port or self.port))
        return line.send(method, self.path + path, body, {**bearer(self.gm), **(headers or {})})

    def close(self) -> None:
        for line in self._lines.values():
            line.close()

    def do(self, command: str, port: int = 0, **fields: Any) -> None:
        """A command of the GM, based on the last version."""
        self._key += 1
        headers = {"If-Match": f'"{self.version}"', "Idempotency-Key": f"key-{self._key}"}
        status, _, done = self.call("POST", "/commands", {"command": command, **fields}, headers, port)
        assert status == 200, done
        self.version = done["version"]

    def change(self, count: int = 1, port: int = 0) -> None:
        for at in range(count):
            self.do("set", port, combatant="rook", fields={"reaction": 3 + at % 5})

    def listen(self, audience: Audience, secret: str = "", after: int = 2, **headers: str) -> Listener:
        return audience.open(f"{self.path}/events?after={after}", {**bearer(secret or self.gm), **headers})

    def ticket(self, secret: str = "") -> str:
        status, answered, made = self.call("POST", "/tickets", None, bearer(secret or self.gm))
        assert status == 201, made
        assert answered["Cache-Control"] == "no-store"
        ticket: str = made["ticket"]
        return ticket


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


@pytest.fixture
def fight(service: Any) -> Iterator[Fight]:
    fight = Fight(service.port)
    yield fight
    fight.close()


@pytest.fixture
def audience(service: Any) -> Iterator[Audience]:
    with Audience(("127.0.0.1", service.port)) as audience:
        yield audience


def begun(*listeners: Listener) -> bool:
    return all(b"retry:" in listener.body for listener in listeners)


def heard(version: int, *listeners: Listener) -> Callable[[], bool]:
    return lambda: all(version in one.versions[-1:] for one in listeners)


def test_two_hundred_listeners_hear_forty_commands(fight: Fight, audience: Audience) -> None:
    secrets = (fight.gm, fight.player, fight.observer)
    listeners = [fight.listen(audience, secrets[at % 3]) for at in range(200)]
    assert audience.listen(lambda: begun(*listeners), SOON)
    fighting = threading.Thread(target=fight.change, args=(40,))
    fighting.start()
    complete = audience.listen(heard(42, *listeners), 3 * SOON)
    fighting.join()
    assert complete
    assert all(listener.versions == list(range(3, 43)) for listener in listeners)
    for role in range(3):
        first, *others = listeners[role::3]
        assert all(other.body == first.body for other in others)


def test_the_answer_is_a_stream_of_server_sent_events(fight: Fight, audience: Audience) -> None:
    listener = fight.listen(audience)
    fight.change()
    assert audience.listen(heard(3, listener), SOON)
    assert listener.status == 200
    assert listener.headers["content-type"] == "text/event-stream"
    assert listener.headers["cache-control"] == "no-store"
    assert listener.headers["referrer-policy"] == "no-referrer"
    assert "content-length" not in listener.headers
    assert listener.body.startswith(b"retry: 2000\n\nid: 3\nevent: set\ndata: {")
    status, _, listed = fight.call("GET", "/events?after=2")
    assert status == 200
    assert [json.loads(message.data) for message in listener.messages] == listed["events"]


def test_who_was_cut_off_goes_on_where_he_was(fight: Fight, audience: Audience) -> None:
    listener = fight.listen(audience)
    fight.change(3)
    assert audience.listen(heard(5, listener), SOON)
    audience.leave(listener)
    fight.change(3)
    again = fight.listen(audience, after=2, **{"Last-Event-ID": "5"})  # as a browser does: the same address
    fight.change()
    assert audience.listen(heard(9, again), SOON)
    assert again.versions == [6, 7, 8, 9]


def test_what_is_hidden_from_a_role_is_not_in_what_it_gets(fight: Fight, audience: Audience) -> None:
    outside = [fight.listen(audience, secret) for secret in (fight.player, fight.observer)]
    gm = fight.listen(audience)
    fight.do("join", combatant={"use": "guard"}, id="zz-ambusher", name="Ambusher Zz", hidden=True)
    fight.do("begin-turn", given={"rook": {"score": 9}, "zz-ambusher": {"score": 12}}, force=True)
    fight.do("act", combatant="zz-ambusher", action="take-aim", force=True)
    fight.do("next")
    fight.do("next")
    fight.do("set", combatant="zz-ambusher", fields={"reaction": 6})
    fight.do("undo", steps=2)
    fight.change()
    assert audience.listen(heard(fight.version, gm, *outside), SOON)
    assert b"zz-ambusher" in gm.body
    for listener in outside:
        assert listener.versions == gm.versions
        assert b"zz" not in listener.body.lower()
        hidden = [message for message in listener.messages if message.type == "hidden"]
        assert hidden
        assert all(set(json.loads(message.data)) == {"version", "type", "previous"} for message in hidden)
        late = fight.listen(audience, fight.player, after=0)
        assert audience.listen(heard(fight.version, late), SOON)
        assert b"zz" not in late.body.lower()


def test_a_ticket_opens_the_feed_in_place_of_a_token(fight: Fight, audience: Audience) -> None:
    address = f"{fight.path}/events?after=2&ticket={fight.ticket(fight.observer)}"
    listener = audience.open(address, {})
    fight.change()
    assert audience.listen(heard(3, listener), SOON)
    again = audience.open(address, {})
    assert audience.listen(lambda: again.ended, SOON)
    assert again.status == 401, "a ticket is good for one use"
    address = f"/events?after=2&ticket={fight.ticket(fight.observer)}"
    status, _, _ = fight.call("GET", address, headers={"Authorization": ""})
    assert status == 401, "a ticket is for the feed only"
    for ticket in (fight.ticket().swapcase(), "no", "x" * 2000):
        wrong = f"{fight.path}/events?after=2&ticket={ticket}"
        refused = audience.open(wrong, {})
        assert audience.listen(lambda refused=refused: refused.ended, SOON)  # type: ignore[misc]
        assert refused.status == (401 if len(ticket) < 1000 else 422)


def test_a_ticket_is_worth_no_more_than_its_token(fight: Fight, audience: Audience) -> None:
    ticket = fight.ticket(fight.observer)
    assert fight.call("POST", f"/tokens/{fight.observer_id}/rotate")[0] == 200
    other = Fight(fight.port)
    for path in (fight.path, other.path):
        listener = audience.open(f"{path}/events?ticket={ticket}", {})
        assert audience.listen(lambda listener=listener: listener.ended, SOON)  # type: ignore[misc]
        assert listener.status == 401
    other.close()


@pytest.mark.parametrize("way", ["revoke", "rotate"])
def test_a_token_that_goes_takes_its_feeds_along(fight: Fight, audience: Audience, way: str) -> None:
    ticket = fight.ticket(fight.observer)
    cut = [
        fight.listen(audience, fight.observer),
        audience.open(f"{fight.path}/events?after=2&ticket={ticket}", {}),
    ]
    kept = [fight.listen(audience, secret) for secret in (fight.gm, fight.player)]
    assert audience.listen(lambda: begun(*cut, *kept), SOON)
    if way == "revoke":
        assert fight.call("DELETE", f"/tokens/{fight.observer_id}")[0] == 204
    else:
        assert fight.call("POST", f"/tokens/{fight.observer_id}/rotate")[0] == 200
    assert audience.listen(lambda: all(one.ended for one in cut), 10)
    fight.change()
    assert audience.listen(heard(3, *kept), SOON)
    assert not any(one.versions for one in cut)


def test_a_closed_fight_ends_its_feeds_and_nobody_asks_again(fight: Fight, audience: Audience) -> None:
    listener = fight.listen(audience, fight.observer)
    fight.do("close")
    assert audience.listen(lambda: listener.ended, SOON)
    assert [message.type for message in listener.messages] == ["closed"]
    again = fight.listen(audience, fight.observer, **{"Last-Event-ID": str(fight.version)})
    assert audience.listen(lambda: again.ended, SOON)
    assert again.status == 204


def test_a_deleted_fight_ends_its_feeds(fight: Fight, audience: Audience) -> None:
    listener = fight.listen(audience)
    assert audience.listen(lambda: begun(listener), SOON)
    assert fight.call("DELETE", "", headers={"If-Match": "*"})[0] == 204
    assert audience.listen(lambda: listener.ended, SOON)
    again = fight.listen(audience)
    assert audience.listen(lambda: again.ended, SOON)
    assert again.status in (401, 404)


@pytest.mark.parametrize(
    ("query", "header", "status"),
    [("after=99", "", 422), ("after=x", "", 422), ("", "x", 422), ("", "-1", 422), ("", "99", 422)],
)
def test_a_place_that_is_none_is_refused(
    fight: Fight, audience: Audience, query: str, header: str, status: int
) -> None:
    headers = {**bearer(fight.gm), **({"Last-Event-ID": header} if header else {})}
    listener = audience.open(f"{fight.path}/events?{query}", headers)
    assert audience.listen(lambda: listener.ended, SOON)
    assert listener.status == status
    assert json.loads(listener.body)["status"] == status


def test_only_who_has_a_token_listens(fight: Fight, audience: Audience) -> None:
    for headers in ({}, bearer("frc_guessed")):
        listener = audience.open(f"{fight.path}/events", headers)
        assert audience.listen(lambda listener=listener: listener.ended, SOON)  # type: ignore[misc]
        assert listener.status == 401


def test_too_many_are_told_to_come_back_and_who_vanished_is_noticed(serve: Callable[..., Any]) -> None:
    with serve() as service, Audience(("127.0.0.1", service.port)) as audience:
        fight = Fight(service.port)
        listeners = [fight.listen(audience) for _ in range(LISTENERS)]
        assert audience.listen(lambda: begun(*listeners), SOON)
        refused = fight.listen(audience)
        assert audience.listen(lambda: refused.ended, SOON)
        assert (refused.status, refused.headers["retry-after"]) == (503, "2")
        fight.change()  # others are served as ever
        for listener in listeners:
            audience.leave(listener)
        deadline = time.monotonic() + SOON
        while True:
            fight.change()
            latest = fight.listen(audience, after=fight.version)
            assert audience.listen(lambda latest=latest: latest.status != 0, SOON)  # type: ignore[misc]
            if latest.status == 200:
                break
            assert time.monotonic() < deadline
        fight.close()


@pytest.mark.parametrize("way", STOPS)
def test_the_service_stops_although_many_listen(serve: Callable[..., Any], way: signal.Signals) -> None:
    with serve() as service, Audience(("127.0.0.1", service.port)) as audience:
        fight = Fight(service.port)
        listeners = [fight.listen(audience) for _ in range(100)]
        assert audience.listen(lambda: begun(*listeners), SOON)
        service.process.send_signal(way)
        began = time.monotonic()
        service.process.wait(200)
        assert time.monotonic() - began < 9  # after ten seconds its workers would be killed
        assert audience.listen(lambda: all(one.ended for one in listeners), SOON)
        fight.close()


def test_two_services_on_one_postgresql_share_a_fight_and_its_feed(
    serve: Callable[..., Any], postgres_url: str
) -> None:
    shared = {"FRACAS_DATABASE_URL": postgres_url, "FRACAS_SECRET": "5a" * 32}
    with serve(**shared) as one, serve(**shared) as other:
        fight = Fight(one.port)
        with Audience(("127.0.0.1", one.port)) as near, Audience(("127.0.0.1", other.port)) as far:
            ticket = fight.ticket(fight.observer)  # from one, good at the other
            distant = [fight.listen(far), far.open(f"{fight.path}/events?after=2&ticket={ticket}", {})]
            close = fight.listen(near)
            assert near.listen(lambda: begun(close), SOON)
            assert far.listen(lambda: begun(*distant), SOON)
            fight.change()
            assert far.listen(heard(3, *distant), 10)
            for at in range(20):
                fight.change(port=(one.port, other.port)[at % 2])
            assert far.listen(heard(23, *distant), SOON)
            assert near.listen(heard(23, close), SOON)
            assert all(one.versions == list(range(3, 24)) for one in (close, *distant))
            assert close.body == distant[0].body
            assert fight.call("DELETE", f"/tokens/{fight.observer_id}", port=other.port)[0] == 204
            assert far.listen(lambda: distant[1].ended, 10)
            assert not distant[0].ended
        fight.close()
