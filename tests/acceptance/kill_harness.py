"""A service that is killed and started again, and the comparison of what clients heard with what its database holds."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from fight_players import Client, Line, LostError, Pass, Player, Sent, versions_of
from warm_services import WarmService, WarmServices

from fracas.encounters import fold
from fracas.encounters.audit import verify
from fracas.encounters.by_itself import changes_in
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event, History, counts, digest, dumps, event_of
from fracas.encounters.fight import Fight
from fracas.encounters.fights import rules_of
from fracas.encounters.log import log_json
from fracas.encounters.sql_store import SqlStore
from fracas.engine.game import Games

TYPES = {
    "join": "joined",
    "leave": "left",
    "begin-turn": "began-turn",
    "roll-initiative": "rolled-initiative",
    "act": "acted",
    "answer": "answered",
    "apply": "applied",
    "discard": "discarded",
    "spend": "bought",
    "delay": "delayed",
    "intervene": "intervened",
    "set": "set",
    "next": "advanced",
    "undo": "undone",
    "redo": "redone",
    "close": "closed",
}
"""The event that a command makes; an answer to the question for confirmation makes one of two others."""


class Server:
    """``fracas serve`` on a database, always on the same port.

    Args:
        warm: what it is started from; None for a process that begins with nothing.
    """

    def __init__(self, folder: Path, database: str, warm: WarmServices | None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FRACAS_")}
        self._env = {**kept, "PYTHONUTF8": "1", "FRACAS_DATABASE_URL": database, "FRACAS_SECRET": "5a" * 32}
        self._log = folder / f"killed-{self.port}.log"
        self._warm = warm
        self._process: subprocess.Popen[bytes] | WarmService | None = None

    def start(self) -> None:
        """Returns once it answers."""
        options = ("--port", str(self.port))
        if self._warm is not None:
            self._process = self._warm.start(options, self._env, self._log)
        else:
            command = [sys.executable, "-m", "fracas.cli", "serve", *options]
            with self._log.open("ab") as output:
                self._process = subprocess.Popen(
                    command, env=self._env, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
                )
        deadline = time.monotonic() + 200
        while not self.answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the service did not start:\n{self.said()}")
            time.sleep(0.01)

    def answers(self) -> bool:
        line = Line(self.port)
        try:
            return line.send("GET", "/health")[0] == 200
        except LostError:
            return False
        finally:
            line.close()

    def kill(self) -> None:
        """Without any warning, with its workers; returns once nothing listens on the port any more."""
        assert self._process is not None
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._process.pid)], check=True)
        else:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(200)
        while _listens(self.port):
            time.sleep(0.005)

    def stop(self) -> int:
        """As a service manager stops it; what it ended with."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(200)

    def end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def failed(self) -> bool:
        """Something went wrong in it that it does not tell its callers."""
        return "Traceback" in self._log.read_text("utf-8")

    def said(self) -> str:
        """The end of its log."""
        return self._log.read_text("utf-8")[-3000:]


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


class Table(NamedTuple):
    """A fight and the clients that play it; the first is its GM."""

    fight: str
    clients: list[Client]

    def close(self) -> None:
        """The GM closes the fight, and nothing happens in it any more."""
        gm = self.clients[0]
        sent = gm.command({"command": "close"})
        gm.close()
        assert sent.status == 200, sent


def begin_fight(ports: Sequence[int], rng: random.Random, gives_up: float, **settings: Any) -> Table:
    """A fight with a GM, a second GM, and a player each for two combatants."""
    line = Line(ports[0])
    request = {"ruleset": "sr4", "title": "Kill test", "settings": settings}
    status, _, made = line.send("POST", "/v1/encounters", request)
    assert status == 201, made
    fight, token = made["id"], made["tokens"]["gm"]

    def client(shown: Pass) -> Client:
        return Client(ports, fight, shown, random.Random(rng.random()), gives_up)

    gm = client(Pass(token["id"], token["secret"], "gm"))
    for name in ("rook", "vex"):
        sent = gm.command({"command": "join", "combatant": name, "id": name, "player": True})
        assert sent.status == 200, gm.faults
    clients = [gm]
    for role, combatants in (("gm", ()), ("player", ("rook",)), ("player", ("vex",))):
        wanted = {"role": role, "label": role, "combatants": list(combatants)}
        status, _, made = line.send("POST", f"/v1/encounters/{fight}/tokens", wanted, gm.shown.headers)
        assert status == 201, made
        clients.append(client(Pass(made["id"], made["secret"], role, combatants)))
    line.close()
    return Table(fight, clients)


class Run(NamedTuple):
    """What happened while services were killed.

    Attributes:
        under_way: commands that waited for their answer when a service was killed.
        late: commands that had been carried out although their first answer was lost.
        given_up: commands that nobody sent again when no answer came.
    """

    kills: int
    seconds: float
    under_way: int
    acknowledged: int
    refused: int
    late: int
    given_up: int

    def __str__(self) -> str:
        return (
            f"{self.kills} kills in {self.seconds:.0f} s with {self.under_way} commands under way; "
            f"{self.acknowledged} acknowledged, {self.late} of them after a lost answer; "
            f"{self.refused} refused, {self.given_up} given up"
        )


def play_and_kill(servers: Sequence[Server], tables: Sequence[Table], kills: int, rng: random.Random) -> Run:
    """Kill each of the servers so many times while the fights are played, and start it again each time.

    Raises:
        AssertionError: a service that was started again does not know a command that had been acknowledged.
    """
    begun = time.monotonic()
    under_way: list[int] = []

    def kill_all() -> None:
        with ThreadPoolExecutor() as pool:
            seeds = [rng.random() for _ in servers]
            for found in pool.map(lambda server, seed: _kill(server, tables, kills, seed), servers, seeds):
                under_way.extend(found)

    play(tables, kill_all)
    sent = [one for table in tables for client in table.clients for one in client.sent]
    return Run(
        len(under_way),
        time.monotonic() - begun,
        sum(under_way),
        sum(one.status == 200 for one in sent),
        sum(one.status is not None and one.status != 200 for one in sent),
        sum(one.repeated for one in sent),
        sum(one.given_up for one in sent),
    )


def _kill(server: Server, tables: Sequence[Table], kills: int, seed: float) -> list[int]:
    """Kill one server so many times, half of them in the middle of a command.

    Returns:
        how many commands were under way each time.
    """
    rng, under_way = random.Random(seed), []
    for number in range(kills):
        time.sleep(rng.uniform(0.05, 0.4))
        if number % 2:
            _until_busy(tables)
            time.sleep(rng.uniform(0, 0.01))
        under_way.append(_busy(tables))
        server.kill()
        heard = [_newest(table.clients) for table in tables]
        with _slowly(tables):  # another service that they share leaves this one time to start
            server.start()
        for table, version in zip(tables, heard, strict=True):
            _has_kept(server.port, table, version)
    return under_way


def play(tables: Sequence[Table], meanwhile: Callable[[], object]) -> None:
    """All clients play as long as something else lasts, and a moment longer.

    Raises:
        whatever ended a client, or `meanwhile`.
    """
    players = [Player(client) for table in tables for client in table.clients]
    for player in players:
        player.start()
    try:
        meanwhile()
        time.sleep(0.3)
    finally:
        for player in players:
            player.tell_to_stop()
    for player in players:
        player.wait()


@contextlib.contextmanager
def _slowly(tables: Sequence[Table]) -> Iterator[None]:
    clients = [client for table in tables for client in table.clients]
    for client in clients:
        client.rest = 0.1
    yield
    for client in clients:
        client.rest = 0.0


def _busy(tables: Sequence[Table]) -> int:
    return sum(client.waits_for is not None for table in tables for client in table.clients)


def _until_busy(tables: Sequence[Table]) -> None:
    deadline = time.monotonic() + 5
    while not _busy(tables) and time.monotonic() < deadline:
        time.sleep(0.0005)


def _newest(clients: Iterable[Client]) -> int:
    return max((one.versions[-1] for client in clients for one in client.sent if one.versions), default=1)


def _has_kept(port: int, table: Table, version: int) -> None:
    line = Line(port)
    status, _, view = line.send("GET", f"/v1/encounters/{table.fight}", None, table.clients[0].shown.headers)
    line.close()
    assert status == 200, view
    assert view["version"] >= version, f"acknowledged up to {version}, kept up to {view['version']}"


def compare(store: SqlStore, games: Games, table: Table, ports: Sequence[int]) -> None:
    """Holds what the clients of a fight were told against its log, and its state against a replay of the log.

    A fight whose questions answer themselves has to be closed, or it goes on meanwhile.

    Raises:
        AssertionError: something is lost, doubled, out of order or different.
    """
    faults = [fault for client in table.clients for fault in client.faults]
    assert not faults, "\n".join(faults)
    events = [event_of(row.body) for row in store.events(table.fight)]
    assert [event.version for event in events] == list(range(1, len(events) + 1)), "versions have gaps"
    _compare_commands(store, table, events)
    _compare_orders(table.clients)
    _compare_state(store, games, table, events, ports)


def _compare_commands(store: SqlStore, table: Table, events: Sequence[Event]) -> None:
    """Every event belongs to exactly one command, and every command has the events that its answer told of."""
    owners: dict[int, Sent] = {}
    for client in table.clients:
        for sent in client.sent:
            past = store.past_command(table.fight, sent.token, sent.key)
            found = () if past is None else tuple(range(past.first, past.last + 1))
            if sent.status == 200:
                assert found == sent.versions, f"the log has {found} for {sent}"
            elif not sent.given_up:
                assert not found, f"the log has {found} for a command that was refused: {sent}"
            for version in found:
                assert version not in owners, f"event {version} belongs to {owners[version]} and to {sent}"
                owners[version] = sent
    for event in events[1:]:
        if event.by["role"] == "clock":
            assert event.version not in owners
            continue
        assert event.version in owners, f"nobody's command made event {event}"
        sent = owners.pop(event.version)
        assert event.by["token"] == sent.token
        _compare_event(event, sent)
    assert not owners, f"events that are not in the log: {owners}"
    notes = [event.data["note"] for event in events if event.data.get("note")]
    assert len(notes) == len(set(notes)), "an act is in the log twice"


def _compare_event(event: Event, sent: Sent) -> None:
    kind = sent.body["command"]
    expected = {TYPES[kind]} | ({"applied", "discarded"} if kind == "answer" else set())
    assert event.type in expected, f"{sent} made {event}"
    for name in ("note", "action", "target"):
        if kind == "act" and name in sent.body:
            assert event.data[name] == sent.body[name], f"{sent} made {event}"


def _compare_orders(clients: Iterable[Client]) -> None:
    """A client's commands are in the log in the order in which it gave them."""
    for client in clients:
        versions = [version for sent in client.sent for version in sent.versions]
        assert versions == sorted(set(versions)), f"{client.shown.id} was told of events {versions}"


def replayed(games: Games, fight: str, events: Sequence[Event]) -> Fight:
    """A fight from its log alone, without the service's snapshots."""
    history = History()
    for event in events:
        history = history.after(event)
    rules = rules_of(games.game(events[0].data["ruleset"]))
    state = fold.fold(rules, (event for event in events if counts(history.past, event.version)))
    changes = changes_in(events[-1]) if counts(history.past, events[-1].version) else ()
    return Fight(fight, state, history, changes=changes, head=digest(events[-1].plain()))


def _compare_state(
    store: SqlStore, games: Games, table: Table, events: Sequence[Event], ports: Sequence[int]
) -> None:
    encounters = Encounters(games, store, lambda: 0)
    fight = replayed(games, table.fight, events)
    kept = encounters.fight(table.fight)
    assert kept.history == fight.history
    different = list(_differences(kept.state, fight.state, "state"))
    assert kept.state == fight.state, f"snapshots and log tell different states: {different}"
    gm = table.clients[0].shown
    author = Author("gm", gm.id)
    if fight.state.phase == "closed":  # now the dice can be checked: each comes from the seed, and none twice
        report = verify(log_json(encounters, table.fight, author))
        assert report.ok, report
    expected = json.loads(dumps(encounters.view(fight, author)))
    for step in expected["steps"]:
        del step["named"], step["items"]  # go into the sentence of the step alone
    for port in ports:
        line = Line(port)
        status, headers, view = line.send(
            "GET", f"/v1/encounters/{table.fight}?explain=all", None, gm.headers
        )
        told = _told_events(line, table)
        line.close()
        assert status == 200, view
        assert headers["ETag"] == f'"{len(events)}"'
        unlike = list(_unlike(view, expected, "view"))
        assert not unlike, f"over HTTP another state: {unlike}"
        assert told == tuple(event.version for event in events)


def _unlike(found: Any, expected: Any, where: str) -> Iterator[str]:
    """Where data do not hold what is expected; they may say more: an answer adds a sentence to each step."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, part in expected.items():
            yield from _unlike(found.get(name), part, f"{where}.{name}")
    elif isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        for at, (one, other) in enumerate(zip(found, expected, strict=True)):
            yield from _unlike(one, other, f"{where}[{at}]")
    elif found != expected:
        yield f"{where}: {found!r}, expected {expected!r}"


def _differences(one: Any, other: Any, where: str) -> Iterator[str]:
    """Where two states differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {*one, *other}:
            yield from _differences(one.get(name), other.get(name), f"{where}.{name}")
    elif hasattr(one, "_fields") and type(one) is type(other):
        for name, mine, its in zip(one._fields, one, other, strict=True):
            yield from _differences(mine, its, f"{where}.{name}")
    elif one != other:
        yield f"{where}: {str(one)[:200]} and {str(other)[:200]}"


def _told_events(line: Line, table: Table) -> tuple[int, ...]:
    versions: tuple[int, ...] = ()
    while True:
        after = versions[-1] if versions else 0
        path = f"/v1/encounters/{table.fight}/events?after={after}"
        status, _, data = line.send("GET", path, None, table.clients[0].shown.headers)
        assert status == 200, data
        more = versions_of(data)
        if not more:
            return versions
        versions += more
