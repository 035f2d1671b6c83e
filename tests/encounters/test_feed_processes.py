"""The live feed when several services share a database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress

import psycopg
import pytest
from table_play import games
from test_feed import SOON, Listening, take, versions

from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.encounters.sql_store import SqlStore
from fracas.errors import StaleVersionError


class Other:
    """Another service on the same database."""

    def __init__(self, url: str, table: Listening, heartbeat: float) -> None:
        self.store = SqlStore(url)
        self.encounters = Encounters(games(), self.store, lambda: 1_800_000_000_000)
        self.feed = Feed(self.encounters, heartbeat)
        self.feed.start()
        self._table = table

    def change(self, seen: int | None = None) -> int:
        body = {"command": "set", "combatant": "rook", "fields": {"reaction": 4}}
        done = self.encounters.command(self._table.id, self._table.gm, body, seen=seen)
        return done.events[-1].version

    def close(self) -> None:
        self.feed.close()
        self.store.close()


@pytest.fixture
def two(postgres_url: str) -> Iterator[tuple[Listening, Other]]:
    with ExitStack() as stack:
        store = stack.enter_context(closing(SqlStore(postgres_url)))
        store.migrate()
        table = Listening(store)
        stack.callback(table.feed.close)
        yield table, stack.enter_context(closing(Other(postgres_url, table, SOON)))


def test_what_one_does_is_told_at_the_other(two: tuple[Listening, Other]) -> None:
    here, there = two
    mine, theirs = here.listen(), there.feed.subscribe(here.id, here.observer, 2)
    last = 2
    for _ in range(10):
        last = there.change(seen=here.change())
    assert last == 22
    assert versions(take(mine, last)) == versions(take(theirs, last)) == list(range(3, 23))


def _thirty_times(write: Callable[[], int]) -> list[int]:
    written: list[int] = []
    while len(written) < 30:
        with suppress(StaleVersionError):  # the other was faster again and again
            written.append(write())
    return written


def test_nothing_is_lost_when_both_write_as_fast_as_they_can(two: tuple[Listening, Other]) -> None:
    here, there = two
    listeners = [
        feed.subscribe(here.id, viewer, 2)
        for feed in (here.feed, there.feed)
        for viewer in (here.gm, here.observer)
    ]
    last = 62
    with ThreadPoolExecutor(6) as pool:
        heard = [pool.submit(take, listener, last) for listener in listeners]
        writers = [pool.submit(_thirty_times, write) for write in (here.change, there.change)]
        assert max(version for one in writers for version in one.result(60)) == last
        for one in heard:
            assert versions(one.result(60)) == list(range(3, last + 1))


@pytest.mark.parametrize("way", ["revoke", "rotate"])
def test_a_token_that_was_revoked_elsewhere_is_cut_at_once(two: tuple[Listening, Other], way: str) -> None:
    here, there = two
    watching, playing = here.listen(here.observer), here.listen()
    with ThreadPoolExecutor(1) as pool:
        over = pool.submit(watching.next)
        getattr(there.encounters, way)(here.id, here.observer.token)
        assert over.result(SOON / 2) is None
    assert versions(take(playing, there.change())) == [3]


def test_a_fight_that_was_deleted_elsewhere_is_over_at_once(two: tuple[Listening, Other]) -> None:
    here, there = two
    listener = here.listen()
    with ThreadPoolExecutor(1) as pool:
        over = pool.submit(listener.next)
        there.encounters.delete(here.id)
        assert over.result(SOON / 2) is None


def test_what_happened_while_the_connection_was_lost_is_told(
    two: tuple[Listening, Other], postgres_url: str
) -> None:
    here, there = two
    listener = there.feed.subscribe(here.id, here.gm, 2)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE query = 'LISTEN fracas' AND datname = current_database()"
        ).fetchall()
    assert len(ended) == 2
    last = here.change(5)
    began = time.monotonic()
    assert versions(take(listener, last)) == [3, 4, 5, 6, 7]
    assert time.monotonic() - began < SOON / 2


def test_on_sqlite_what_another_process_does_is_told_within_a_heartbeat(
    store: SqlStore, database_url: str
) -> None:
    table = Listening(store, heartbeat=0.05)
    with closing(Other(database_url, table, 0.05)) as other:
        listener = table.listen()
        last = other.change()
        told = next(filter(None, iter(listener.next, None)))
        assert versions(told) == [last] == [3]
