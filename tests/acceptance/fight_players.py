"""Clients that play fights over HTTP and remember every command that they sent, and what became of it."""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from email.message import Message
from typing import Any, NamedTuple

PATIENCE = 200.0
"""Seconds for which a client goes on trying to reach the service."""

Command = dict[str, Any]
View = Mapping[str, Any]


class LostError(Exception):
    """No answer came: nobody knows whether the request was heard."""


class Line:
    """A connection to a service that stays open from one request to the next."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._connection: http.client.HTTPConnection | None = None

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Message, Any]:
        """Status, headers and data of an answer.

        Raises:
            LostError: the connection failed, before or after the service had heard the request.
        """
        data = None if body is None else json.dumps(body).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        connection = self._connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        self._connection = None
        try:
            connection.request(method, path, data, {**kind, **(headers or {})})
            if connection.sock is not None:
                connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise LostError(repr(error)) from error
        self._connection = connection
        return response.status, response.headers, json.loads(text) if text else None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Pass(NamedTuple):
    """A token: whose it is and what opens with it."""

    id: str
    secret: str
    role: str
    combatants: tuple[str, ...] = ()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}"}


class Sent:
    """A command that was sent once or more.

    Attributes:
        key, if_match: its headers, the same each time.
        status: of the answer; None while there is none, for good if `given_up`.
        versions: of the events that the answer tells of.
        lost: how often no answer came.
        repeated: the answer says that the command had been carried out before.
    """

    def __init__(self, token: str, key: str, if_match: str, body: Command) -> None:
        self.token, self.key, self.if_match, self.body = token, key, if_match, body
        self.status: int | None = None
        self.versions: tuple[int, ...] = ()
        self.lost = 0
        self.repeated = False
        self.given_up = False

    def __repr__(self) -> str:
        return (
            f"{self.body} (key {self.key}, token {self.token}, If-Match {self.if_match}): "
            f"status {self.status}, events {list(self.versions)}, {self.lost} times without an answer"
        )


class Client:
    """Somebody with a token in a fight.

    Args:
        ports: of the services that share the fight; when one is gone the client goes to the next.
        gives_up: the share of commands that are left alone when no answer comes.

    Attributes:
        waits_for: the command under way.
        rest: seconds between two commands of a `Player`.
    """

    def __init__(
        self, ports: Sequence[int], fight: str, shown: Pass, rng: random.Random, gives_up: float = 0.0
    ) -> None:
        self.fight, self.shown, self.rng = fight, shown, rng
        self.sent: list[Sent] = []
        self.faults: list[str] = []
        self.waits_for: Sent | None = None
        self.rest = 0.0
        self._lines = [Line(port) for port in ports]
        self._at = rng.randrange(len(ports))
        self._gives_up = gives_up

    @property
    def path(self) -> str:
        return f"/v1/encounters/{self.fight}"

    def look(self) -> dict[str, Any]:
        """The fight as this client sees it, as soon as a service answers."""
        while True:
            status, _, data = self._patiently("GET", self.path, None, self.shown.headers)
            if status == 200:
                found: dict[str, Any] = data
                return found
            self.faults.append(f"GET {self.path} answers {status}: {data}")
            time.sleep(0.2)

    def command(self, body: Command, if_match: str = "*") -> Sent:
        """Send a command until an answer comes."""
        sent = Sent(self.shown.id, f"{self.shown.id}-{len(self.sent)}", if_match, body)
        self.sent.append(sent)
        self.waits_for = sent
        try:
            self._deliver(sent)
        finally:
            self.waits_for = None
        return sent

    def again(self, sent: Sent) -> None:
        """Send a command that was carried out once more: it must get the first answer."""
        status, _, data = self._patiently("POST", f"{self.path}/commands", sent.body, self._headers(sent))
        versions = versions_of(data) if status == 200 else ()
        if status != 200 or versions != sent.versions or data["repeated"] is not True:
            self.faults.append(f"sent again, {sent} got status {status} and {str(data)[:300]}")

    def _headers(self, sent: Sent) -> dict[str, str]:
        return {**self.shown.headers, "If-Match": sent.if_match, "Idempotency-Key": sent.key}

    def _deliver(self, sent: Sent) -> None:
        deadline = time.monotonic() + PATIENCE
        gives_up = self.rng.random() < self._gives_up
        while True:
            try:
                status, headers, data = self._lines[self._at].send(
                    "POST", f"{self.path}/commands", sent.body, self._headers(sent)
                )
                break
            except LostError as error:
                sent.lost += 1
                if gives_up:
                    sent.given_up = True
                    return
                self._wait(deadline, error)
        sent.status = status
        if status == 200:
            sent.versions, sent.repeated = versions_of(data), data["repeated"]
            if headers["ETag"] != f'"{max(sent.versions, default=0)}"':
                self.faults.append(f"{sent} has the answer {str(data)[:300]} and the ETag {headers['ETag']}")
        elif status not in (403, 409, 412, 422):
            self.faults.append(f"{sent}: {str(data)[:300]}")

    def _patiently(
        self, method: str, path: str, body: Any, headers: Mapping[str, str]
    ) -> tuple[int, Message, Any]:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self._lines[self._at].send(method, path, body, headers)
            except LostError as error:
                self._wait(deadline, error)

    def _wait(self, deadline: float, error: LostError) -> None:
        if time.monotonic() > deadline:
            raise error
        self._at = (self._at + 1) % len(self._lines)
        time.sleep(0.05)

    def close(self) -> None:
        for line in self._lines:
            line.close()


def versions_of(data: Any) -> tuple[int, ...]:
    return tuple(event["version"] for event in data["events"])


class Player(threading.Thread):
    """Plays until told to stop: looks, does something that fits, and now and then something that does not."""

    def __init__(self, client: Client) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.failure: BaseException | None = None
        self._over = threading.Event()

    def run(self) -> None:
        try:
            while not self._over.wait(self.client.rest):
                self._once()
        except BaseException as error:  # told by `wait`
            self.failure = error

    def _once(self) -> None:
        client = self.client
        rng, view = client.rng, client.look()
        body = choose(view, client.shown, rng)
        if body is None:
            self._over.wait(0.02)
            return
        seen = f'"{view["version"]}"' if rng.random() < 0.5 else "*"
        sent = client.command(body, seen)
        if sent.status == 200 and rng.random() < 0.1:
            client.again(sent)

    def tell_to_stop(self) -> None:
        """After the command under way."""
        self._over.set()

    def wait(self) -> None:
        """Until it has stopped.

        Raises:
            whatever ended it.
        """
        self.join(PATIENCE + 30)
        self.client.close()
        if self.failure is not None:
            raise self.failure


def choose(view: View, shown: Pass, rng: random.Random) -> Command | None:
    """A command that somebody may give who sees this, or one that is worth refusing; None to wait."""
    if view["phase"] == "closed":
        return None
    return (_gm if shown.role == "gm" else _player)(view, shown, rng)


def _gm(view: View, shown: Pass, rng: random.Random) -> Command | None:
    there = [one["id"] for one in view["combatants"] if not one["gone"]]
    rare: list[tuple[float, Callable[[], Command]]] = [
        (0.05, lambda: {"command": "undo", "steps": rng.randint(1, 4)}),
        (0.05, lambda: {"command": "redo", "steps": 1}),
        (0.08, lambda: _heal(rng, there)),
        (0.03, lambda: {"command": "join", "combatant": "guard", "side": "corp"}),
        (0.02, lambda: {"command": "leave", "combatant": rng.choice(there)}),
        (0.02, lambda: {"command": "begin-turn"}),
    ]
    for share, make in rare if len(there) > 2 else ():
        if rng.random() < share:
            return make()
    if len(there) < 4:
        return {"command": "join", "combatant": rng.choice(("guard", "street-ganger", "rook"))}
    if (answer := _answer(view, rng, all_questions=True)) is not None:
        return answer
    if view["phase"] in ("setup", "turn-over"):
        return {"command": "begin-turn"}
    acting = view["acting"]
    if not acting or rng.random() < 0.4:
        return {"command": "next"}
    return _act(rng, rng.choice(acting), there)


def _player(view: View, shown: Pass, rng: random.Random) -> Command | None:
    there = [one["id"] for one in view["combatants"] if not one["gone"]]
    mine = [id for id in shown.combatants if id in there]
    if not mine:
        return None
    if (answer := _answer(view, rng, all_questions=False)) is not None:
        return answer
    acting = [id for id in view["acting"] if id in mine]
    if not acting:
        if rng.random() < 0.8:
            return None
        return rng.choice(
            [
                _act(rng, mine[0], there),
                {"command": "intervene", "combatant": mine[0]},
                {"command": "spend", "combatant": mine[0], "on": "go-first"},
            ]
        )
    if rng.random() < 0.3:
        return {"command": "next", "combatant": acting[0]}
    if rng.random() < 0.1:
        return {"command": "delay", "combatant": acting[0]}
    return _act(rng, acting[0], there)


def _answer(view: View, rng: random.Random, all_questions: bool) -> Command | None:
    """An answer to an open question; the GM leaves some of them to their owners."""
    asked = [step["question"] for step in view["steps"] if step["question"] is not None]
    asked = [one for one in asked if one["yours"]]
    if not asked or (all_questions and any(one["owners"] for one in asked) and rng.random() < 0.6):
        return None
    question = rng.choice(asked)
    options = [option["id"] for option in question.get("options", ())]
    chosen = question.get("default") if rng.random() < 0.7 or not options else rng.choice(options)
    return {"command": "answer", "question": question["id"], "choose": chosen}


def _act(rng: random.Random, who: str, there: Sequence[str]) -> Command:
    mark = f"note {rng.getrandbits(48):x}"
    if rng.random() < 0.25:
        return {"command": "act", "combatant": who, "action": "take-aim", "note": mark}
    foes = [id for id in there if id != who] or [who]
    return {
        "command": "act",
        "combatant": who,
        "action": "fire-semi-automatic",
        "target": rng.choice(foes),
        "situation": {"distance": rng.randint(2, 30)},
        "note": mark,
    }


def _heal(rng: random.Random, there: Sequence[str]) -> Command:
    return {
        "command": "set",
        "combatant": rng.choice(there),
        "fields": {"physical": rng.randint(0, 3), "stun": 0},
        "items": {"ares-predator-iv": {"rounds": 15}},
    }
