"""Encounters: what a command costs over HTTP, how fairly writers wait, and how long and how large fights take."""

from __future__ import annotations

import gc
import json
import selectors
import socket
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from fracas.bench.feed import resident
from fracas.bench.http import service
from fracas.bench.table import Notebook, attack, played
from fracas.bench.timing import Figure, Row
from fracas.encounters import fold
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import History, counts, event_of
from fracas.encounters.fight import SNAPSHOT_EVERY
from fracas.encounters.fights import rules_of
from fracas.encounters.sql_store import SqlStore
from fracas.encounters.tokens import issue
from fracas.engine.game import Games
from fracas.engine.opening import open_games

ACTS = 150
RUNS = 5
WRITERS = 8
SECONDS = 4.0
FOLDED = 1_000
OPENED = 10_000 + SNAPSHOT_EVERY - 1
"""The most events after the newest snapshot."""
FIGHTS = 1_000
EVENTS_EACH = 60

LIMIT = "the limit"
FOLD = Figure(f"the state after {FOLDED:,} events, folded (processor time)", LIMIT, "ms", 1.0, at_most=True)
OPEN = Figure(f"a fight of {OPENED:,} events, opened", LIMIT, "ms", 1.0, at_most=True)
ACT = Figure(
    "an acknowledged attack in a fight: the median wait",
    "`POST /v1/resolve`, the same attack",
    "ms",
    2.0,
    at_most=True,
)
TO_ONE, TO_EACH = (
    Figure(f"{name}: the longest wait", "its own 99th percentile", "ms", 20.0, at_most=True)
    for name in (
        f"{WRITERS} clients write to one fight",
        f"{WRITERS} clients write, each to a fight of its own",
    )
)
MEMORY = Figure(f"memory of a service with {FIGHTS:,} open fights", LIMIT, "MB", 1.0, at_most=True)
FIGURES = (FOLD, OPEN, ACT, TO_ONE, TO_EACH, MEMORY)

DISTANCE = 12
_RESOLVE = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": {"use": "rook"},
        "target": {"use": "guard"},
        "weapon": {"use": "ares-predator-iv"},
        "fire": {"mode": "semi-automatic"},
        "distance": DISTANCE,
    },
}


def measure() -> list[Row]:
    games = open_games(())
    notebook = played(games, OPENED)
    rows = [_fold(games, notebook), _open(games, notebook)]
    with service() as address:
        rows += [_act(address), *_writers(address)]
    return [*rows, _memory(notebook)]


def _within(figure: Figure, taken: float, limit: float, note: str = "") -> Row:
    return figure.row(taken, limit, taken / limit, note)


# In this process


def _fold(games: Games, notebook: Notebook) -> Row:
    events = [event_of(row.body) for row in notebook.written[:FOLDED]]
    history = History()
    for event in events:
        history = history.after(event)
    rules = rules_of(games.game("sr4"))

    def work() -> object:
        return fold.fold(rules, (event for event in events if counts(history.past, event.version)))

    taken = _best(work, time.process_time)
    return _within(FOLD, taken, 50.0)


def _open(games: Games, notebook: Notebook) -> Row:
    with tempfile.TemporaryDirectory() as folder, closing(SqlStore(str(Path(folder, "fights.db")))) as store:
        store.migrate()
        notebook.copy_to(store, "long", len(notebook.written))

        def work() -> None:
            Encounters(games, store, lambda: 0).fight("long")

        return _within(OPEN, _best(work), 100.0)


def _best(
    work: Callable[[], object], clock: Callable[[], float] = time.perf_counter, runs: int = 15
) -> float:
    """Milliseconds of the run that other programs disturbed least."""
    gc.collect()
    taken = []
    for _ in range(runs):
        start = clock()
        work()
        taken.append(clock() - start)
    return min(taken) * 1e3


# Over HTTP


class _Answer(NamedTuple):
    status: int
    data: Any


class _Client:
    """One connection that stays open."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.host = f"{address[0]}:{address[1]}"
        self.socket = socket.create_connection(address, timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def request(self, method: str, path: str, body: Any = None, secret: str = "", **headers: str) -> bytes:
        """A request as bytes."""
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}", f"Content-Length: {len(data)}"]
        if body is not None:
            lines.append("Content-Type: application/json")
        if secret:
            lines.append(f"Authorization: Bearer {secret}")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return "\r\n".join((*lines, "", "")).encode() + data

    def call(self, request: bytes) -> _Answer:
        self.socket.sendall(request)
        buffer = bytearray()
        while (answer := complete(buffer)) is None:
            if not (more := self.socket.recv(262_144)):
                raise RuntimeError("the service hung up")
            buffer += more
        return answer

    def close(self) -> None:
        self.socket.close()


def complete(buffer: bytearray) -> _Answer | None:
    """An answer, as soon as it is all there."""
    head, found, body = bytes(buffer).partition(b"\r\n\r\n")
    if not found:
        return None
    at = head.lower().find(b"content-length:")
    if at < 0 or len(body) < int(head[at + 15 :].split(b"\r\n", 1)[0]):
        return None
    return _Answer(int(head[9:12]), json.loads(body) if body else None)


class _Fight:
    """A fight of Rook against a guard, in which Rook acts first; effects are applied at once, and nobody is asked."""

    def __init__(self, client: _Client) -> None:
        request = {"ruleset": "sr4", "settings": {"apply": "at-once"}}
        made = client.call(client.request("POST", "/v1/encounters", request))
        assert made.status == 201, made
        self.path = f"/v1/encounters/{made.data['id']}"
        self.secret: str = made.data["tokens"]["gm"]["secret"]
        self._keys = 0
        for name in ("rook", "guard"):
            self.must(client, {"command": "join", "combatant": name, "id": name})
        given = {"rook": {"hits": 9}, "guard": {"hits": 0}}
        self.must(client, {"command": "begin-turn", "given": given})

    def command(self, client: _Client, body: Any) -> bytes:
        """A command as bytes, with a key of its own."""
        self._keys += 1
        headers = {"If_Match": "*", "Idempotency_Key": f"bench-{self._keys}"}
        return client.request("POST", f"{self.path}/commands", body, self.secret, **headers)

    def must(self, client: _Client, body: Any) -> None:
        """A command that is carried out.

        Raises:
            RuntimeError: it is not.
        """
        answer = client.call(self.command(client, body))
        if answer.status != 200:
            raise RuntimeError(f"{body}: {answer}")


def _act(address: tuple[str, int]) -> Row:
    """The same attack in a fight and by itself, in turn; each act is undone before the next.

    The row shows how long the disk took for a commit of that size meanwhile, which no program can shorten.
    """
    client = _Client(address)
    fight = _Fight(client)
    runs, commits = [], []
    with tempfile.TemporaryDirectory() as folder, closing(_plain(Path(folder, "plain.db"))) as plain:
        for _ in range(RUNS):
            acts, resolves = [], []
            for _ in range(ACTS):
                act = fight.command(client, attack("rook", "guard", DISTANCE))
                acts.append(_wait(client, act))
                fight.must(client, {"command": "undo"})
                resolves.append(_wait(client, client.request("POST", "/v1/resolve", _RESOLVE)))
                commits.append(_commit(plain))
            runs.append((median(acts) * 1e3, median(resolves) * 1e3))
    client.close()
    return ACT.row(
        median(mine for mine, _ in runs),
        median(peer for _, peer in runs),
        median(mine / peer for mine, peer in runs),
        f"with {median(commits) * 1e3:.1f} ms for a plain commit",
    )


def _plain(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute("CREATE TABLE events (body TEXT)")
    return connection


def _commit(connection: sqlite3.Connection) -> float:
    start = time.perf_counter()
    connection.execute("INSERT INTO events VALUES (?)", ("e" * 9_000,))
    return time.perf_counter() - start


def _wait(client: _Client, request: bytes) -> float:
    start = time.perf_counter()
    answer = client.call(request)
    taken = time.perf_counter() - start
    if answer.status != 200:
        raise RuntimeError(f"the service answered {answer}")
    return taken


def _writers(address: tuple[str, int]) -> Iterator[Row]:
    clients = [_Client(address) for _ in range(WRITERS)]
    one = _Fight(clients[0])
    yield _longest(TO_ONE, clients, [one] * WRITERS)
    each = [_Fight(client) for client in clients]
    yield _longest(TO_EACH, clients, each)
    for client in clients:
        client.close()


def _longest(figure: Figure, clients: Sequence[_Client], fights: Sequence[_Fight]) -> Row:
    waits = sorted(_write(clients, fights))
    longest, p99 = waits[-1] * 1e3, waits[len(waits) * 99 // 100] * 1e3
    note = f"{len(waits) / SECONDS:,.0f} commands a second"
    return figure.row(longest, p99, longest / p99, note)


def _write(clients: Sequence[_Client], fights: Sequence[_Fight]) -> list[float]:
    """How long each command of each client waited for its answer; all of them always have one under way."""
    waits: list[float] = []
    number = 0

    def send(at: int) -> None:
        nonlocal number
        number += 1
        started[at] = time.perf_counter()
        clients[at].socket.sendall(fights[at].command(clients[at], _writing(number)))

    with selectors.DefaultSelector() as selector:
        started, buffers = [0.0] * len(clients), [bytearray() for _ in clients]
        for at, client in enumerate(clients):
            selector.register(client.socket, selectors.EVENT_READ, at)
            send(at)
        end = time.perf_counter() + SECONDS
        waiting = len(clients)
        while waiting:
            for key, _ in selector.select(30):
                at = key.data
                buffers[at] += clients[at].socket.recv(262_144)
                answer = complete(buffers[at])
                if answer is None:
                    continue
                now = time.perf_counter()
                if answer.status != 200:
                    raise RuntimeError(f"the service answered {answer}")
                waits.append(now - started[at])
                buffers[at].clear()
                if now < end:
                    send(at)
                else:
                    waiting -= 1
    return waits


def _writing(number: int) -> dict[str, Any]:
    """Attacks, whether it is Rook's turn to act or not, and setting the guard and the magazine right again."""
    if number % 2:
        return {**attack("rook", "guard", DISTANCE), "force": True}
    if number % 4:
        return {"command": "set", "combatant": "guard", "fields": {"physical": 0, "stun": 0}}
    return {"command": "set", "combatant": "rook", "items": {"ares-predator-iv": {"rounds": 15}}}


# Memory


def _memory(notebook: Notebook) -> Row:
    """A service whose clients have looked at each of many fights, its helping processes included."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        database = str(Path(folder, "fights.db"))
        secrets = _stored(database, notebook)
        with service(database) as address:
            before = resident() / 1e6
            client = _Client(address)
            for id, secret in secrets.items():
                _wait(client, client.request("GET", f"/v1/encounters/{id}", None, secret))
            client.close()
            after = resident() / 1e6
    if not after:
        return MEMORY.missing("this system does not report how much a process uses")
    return _within(MEMORY, after, 300.0, f"{before:.0f} MB of it before the first")


def _stored(database: str, notebook: Notebook) -> dict[str, str]:
    """Fights with a log and a snapshot; the secret of a GM by id."""
    secrets = {}
    with closing(SqlStore(database)) as store:
        store.migrate()
        for number in range(FIGHTS):
            issued = issue("gm", "GM", (), 0)
            notebook.copy_to(store, f"fight-{number}", EVENTS_EACH, [issued.token])
            secrets[f"fight-{number}"] = issued.secret
    return secrets
