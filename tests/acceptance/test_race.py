"""Eight clients command one fight at the same time: no event is lost, doubled or out of order."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from fight_players import Client, Command, Line, Pass
from kill_harness import Server, Table, compare
from tiers import scale
from warm_services import WarmServices

from fracas.encounters.events import event_of
from fracas.encounters.sql_store import SqlStore
from fracas.engine.opening import open_games

CLIENTS = 8
EACH = scale(12, 50)


@pytest.mark.slow
@pytest.mark.parametrize(("database", "services"), [("sqlite", 1), ("postgres", 2)])
def test_eight_clients_at_once(
    database: str,
    services: int,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    warm_services: WarmServices | None,
) -> None:
    seed = secrets.randbits(32)
    print(f"random seed {seed}")  # shown when the test fails
    rng = random.Random(seed)
    sqlite = f"sqlite:///{(tmp_path / 'race.db').as_posix()}"
    url = sqlite if database == "sqlite" else request.getfixturevalue("postgres_url")
    servers = [Server(tmp_path, url, warm_services) for _ in range(services)]
    with ExitStack() as stack:
        for server in servers:
            stack.callback(server.end)
            server.start()
        ports = [server.port for server in servers]
        clients = _gather(ports, rng)
        fight = clients[0].fight
        with ThreadPoolExecutor(CLIENTS) as pool:
            raced = list(pool.map(_command_again_and_again, clients, range(CLIENTS)))
        table = Table(fight, clients)
        table.close()
        with closing(SqlStore(url)) as store:
            compare(store, open_games(()), table, ports)
            _compare_marks(store, fight, raced)
        assert not any(server.failed() for server in servers)


def _gather(ports: Sequence[int], rng: random.Random) -> list[Client]:
    """Eight GMs of a fight between Rook and Vex; each begins at one of the services."""
    line = Line(ports[0])
    status, _, made = line.send("POST", "/v1/encounters", {"ruleset": "sr4", "title": "Race"})
    assert status == 201, made
    fight, first = made["id"], made["tokens"]["gm"]
    clients = [Client(ports, fight, Pass(first["id"], first["secret"], "gm"), random.Random(rng.random()))]
    for at in range(1, CLIENTS):
        status, _, made = line.send(
            "POST",
            f"/v1/encounters/{fight}/tokens",
            {"role": "gm", "label": f"GM {at}"},
            clients[0].shown.headers,
        )
        assert status == 201, made
        shown = Pass(made["id"], made["secret"], "gm")
        clients.append(Client(ports, fight, shown, random.Random(rng.random())))
    line.close()
    for name in ("rook", "vex"):
        assert clients[0].command({"command": "join", "combatant": name, "id": name}).status == 200
    assert clients[0].command({"command": "begin-turn"}).status == 200
    return clients


def _command_again_and_again(client: Client, number: int) -> list[tuple[str, int]]:
    """Commands that nothing can refuse but a version that others were faster to reach; each leaves its mark.

    Returns:
        the marks, each with the version of its event.
    """
    marks: list[tuple[str, int]] = []
    version = client.look()["version"]
    for at in range(EACH):
        mark = f"{number}.{at}"
        body = _marked(client.rng, mark)
        while True:
            stale = client.rng.random() < 0.5
            sent = client.command(body, f'"{version}"' if stale else "*")
            if sent.status != 412:
                break
            version = client.look()["version"]
        assert sent.status == 200, sent
        version = sent.versions[-1]
        marks.append((mark, version))
        if client.rng.random() < 0.1:
            client.again(sent)
    client.close()
    return marks


def _marked(rng: random.Random, mark: str) -> Command:
    who = rng.choice(("rook", "vex"))
    kinds: list[Command] = [
        {"command": "set", "combatant": who, "name": mark},
        {"command": "join", "combatant": "guard", "name": mark},
        {"command": "act", "combatant": who, "action": "take-aim", "force": True, "note": mark},
    ]
    return rng.choice(kinds)


def _compare_marks(store: SqlStore, fight: str, raced: Sequence[Sequence[tuple[str, int]]]) -> None:
    """Each mark is in the log where its client was told, and nowhere else."""
    found: dict[int, str] = {}
    for event in (event_of(row.body) for row in store.events(fight)):
        data = event.data
        name = data.get("note") or data.get("is", {}).get("name") or data.get("combatant", {})
        mark = name.get("name", "") if isinstance(name, dict) else name
        if "." in mark:
            found[event.version] = mark
    told = {version: mark for marks in raced for mark, version in marks}
    assert len(told) == CLIENTS * EACH
    assert found == told
