"""A service that is killed at any moment has every command that it acknowledged, once, and none twice."""

from __future__ import annotations

import contextlib
import random
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from kill_harness import Run, Server, Table, begin_fight, compare, play, play_and_kill
from tiers import scale
from warm_services import WarmServices

from fracas.encounters.sql_store import SqlStore
from fracas.engine.game import Games
from fracas.engine.opening import open_games

GIVES_UP = 0.3
"""The share of commands that nobody sends again when no answer comes."""
KILLS = scale(4, 30)
LATE = scale(0, 1)
"""How many answers at least are lost after their commands had been carried out: a matter of luck and patience."""
LANES = 2
"""SQLite services that are killed side by side, each with a database of its own: one plays on while another starts."""


@pytest.fixture(scope="module")
def games() -> Games:
    return open_games(())


@pytest.fixture
def rng() -> random.Random:
    seed = secrets.randbits(32)
    print(f"random seed {seed}")  # shown when the test fails
    return random.Random(seed)


@contextlib.contextmanager
def _started(servers: Sequence[Server]) -> Iterator[None]:
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        for server in servers:
            stack.callback(server.end)
        list(pool.map(Server.start, servers))
        yield
        for server in servers:
            assert not server.failed(), server.said()


def _begin(servers: Sequence[Server], rng: random.Random) -> list[Table]:
    """A fight whose GM confirms effects and whose questions answer themselves, and one that is played faster."""
    ports = [server.port for server in servers]
    return [
        begin_fight(ports, rng, GIVES_UP, apply="confirm", timeout=2),
        begin_fight(ports, rng, GIVES_UP, apply="at-once", player_undo=True),
    ]


def _compare(database: str, games: Games, tables: Sequence[Table], servers: Sequence[Server]) -> None:
    tables[0].close()
    with closing(SqlStore(database)) as store:
        for table in tables:
            compare(store, games, table, [server.port for server in servers])


@pytest.mark.slow
def test_many_kills_on_sqlite(
    tmp_path: Path, games: Games, rng: random.Random, warm_services: WarmServices | None
) -> None:
    databases = [f"sqlite:///{(tmp_path / f'{lane}.db').as_posix()}" for lane in range(LANES)]
    servers = [Server(tmp_path, database, warm_services) for database in databases]

    def survive(lane: int, seed: float) -> Run:
        own = random.Random(seed)
        tables = _begin([servers[lane]], own)
        run = play_and_kill([servers[lane]], tables, KILLS // LANES, own)
        _compare(databases[lane], games, tables, [servers[lane]])
        return run

    def survive_all() -> list[Run]:
        return list(pool.map(survive, range(LANES), [rng.random() for _ in range(LANES)]))

    with _started(servers), ThreadPoolExecutor() as pool:
        runs = survive_all()
        while sum(run.late for run in runs) < LATE and len(runs) < 4 * LANES:
            runs += survive_all()
    print(*runs, sep="\n")
    kills = sum(run.kills for run in runs)
    assert kills == KILLS // LANES * len(runs)
    assert sum(run.under_way for run in runs) >= kills, (
        "hardly anything was under way when the service was killed"
    )
    assert sum(run.late for run in runs) >= LATE, (
        "no answer was ever lost after its command had been carried out"
    )


@pytest.mark.slow
def test_ten_kills_of_two_services_on_postgresql(
    tmp_path: Path,
    postgres_url: str,
    games: Games,
    rng: random.Random,
    warm_services: WarmServices | None,
) -> None:
    servers = [Server(tmp_path, postgres_url, warm_services) for _ in range(2)]
    with _started(servers):
        tables = _begin(servers, rng)
        run = play_and_kill(servers, tables, 5, rng)
        _compare(postgres_url, games, tables, servers)
    print(run)
    assert run.kills == 10
    assert run.under_way >= 10


def test_a_service_that_is_told_to_stop_comes_back_clean(
    tmp_path: Path, games: Games, rng: random.Random, warm_services: WarmServices | None
) -> None:
    database = f"sqlite:///{(tmp_path / 'stopped.db').as_posix()}"
    server = Server(tmp_path, database, warm_services)

    def stop_and_start() -> None:
        for _ in range(2):
            time.sleep(rng.uniform(0.2, 0.5))
            status = server.stop()
            assert status == (1 if sys.platform == "win32" else 0), server.said()
            server.start()

    with _started([server]):
        tables = _begin([server], rng)
        play(tables, stop_and_start)
        _compare(database, games, tables, [server])
