"""On PostgreSQL every process hears what any of them wrote, also after the connection was lost."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from stored_fights import START, at_once, begin, event, go_on, key, sha256, token

from fracas.encounters.sql_store import SqlStore
from fracas.errors import StaleVersionError

Heard = queue.Queue[tuple[str | None, int]]


@pytest.fixture
def two(postgres_url: str) -> Iterator[tuple[SqlStore, SqlStore, Heard]]:
    """One store that writes, another that listens, and what it hears."""
    heard: Heard = queue.Queue()
    with closing(SqlStore(postgres_url)) as writer, closing(SqlStore(postgres_url)) as listener:
        writer.migrate()
        listener.start_listener(lambda encounter, version: heard.put((encounter, version)))
        yield writer, listener, heard


def _fail_after_notifying(store: SqlStore) -> None:
    with store._database.appending() as connection:
        store._notify.run(connection, {"payload": "rolled-back 3"})
        _ = 1 / 0


def _heard(heard: Heard, count: int) -> list[tuple[str | None, int]]:
    return [heard.get(timeout=200) for _ in range(count)]


def test_what_another_process_appends_is_heard(
    two: tuple[SqlStore, SqlStore, Heard], postgres_url: str
) -> None:
    store, _, heard = two
    begin(store, "e1")
    at_once([[postgres_url, "append", "x", "20"]])
    assert _heard(heard, 20) == [("e1", version) for version in range(2, 22)]


def test_what_the_same_process_appends_is_heard(two: tuple[SqlStore, SqlStore, Heard]) -> None:
    _, store, heard = two
    begin(store, "e1")
    go_on(store, 1, count=3)
    assert _heard(heard, 1) == [("e1", 4)]


def test_what_was_refused_is_not_heard(two: tuple[SqlStore, SqlStore, Heard]) -> None:
    store, _, heard = two
    begin(store, "an id with spaces")
    go_on(store, 1, "an id with spaces", key=key())
    with pytest.raises(StaleVersionError):
        go_on(store, 1, "an id with spaces")
    with pytest.raises(ZeroDivisionError):
        _fail_after_notifying(store)
    go_on(store, 2, "an id with spaces")
    assert _heard(heard, 2) == [("an id with spaces", 2), ("an id with spaces", 3)]


def test_tokens_that_change_and_encounters_that_go_are_heard(two: tuple[SqlStore, SqlStore, Heard]) -> None:
    store, _, heard = two
    begin(store, "e1", [token(), token("p1", "another")])
    go_on(store, 1)
    assert store.revoke("e1", "gm", START)
    assert not store.revoke("e1", "gm", START)
    assert store.rotate("e1", "p1", sha256("fresh"))
    store.delete("e1")
    store.delete("e1")
    begin(store, "e2")
    go_on(store, 1, "e2")
    assert _heard(heard, 5) == [("e1", 2), ("e1", 2), ("e1", 2), ("e1", 0), ("e2", 2)]


def test_after_a_lost_connection_it_says_so_and_goes_on(
    two: tuple[SqlStore, SqlStore, Heard], postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    store, _, heard = two
    begin(store)
    go_on(store, 1)
    assert _heard(heard, 1) == [("e1", 2)]
    with caplog.at_level(logging.WARNING), psycopg.connect(postgres_url, autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE query = 'LISTEN fracas' AND datname = current_database()"
        ).fetchall()
        assert ended == [(True,)]
        go_on(store, 2)
        assert (None, 0) in iter(lambda: heard.get(timeout=200), ())
    go_on(store, 3)
    assert _heard(heard, 1) == [("e1", 4)]
    assert "listening to PostgreSQL failed, trying again" in caplog.text


def test_the_store_goes_on_after_its_connections_were_lost(
    two: tuple[SqlStore, SqlStore, Heard], postgres_url: str
) -> None:
    store, _, _ = two
    begin(store)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    go_on(store, 1)
    assert store.events("e1") == [event(1), event(2)]


def test_a_listener_that_fails_is_told_and_called_again(
    two: tuple[SqlStore, SqlStore, Heard], caplog: pytest.LogCaptureFixture
) -> None:
    store, listener, heard = two
    called = threading.Semaphore(0)

    def fail(encounter: str | None, version: int) -> None:
        called.release()
        raise KeyError(encounter)

    listener.start_listener(fail)
    begin(store)
    go_on(store, 1)
    go_on(store, 2)
    assert called.acquire(timeout=200)
    assert called.acquire(timeout=200)
    assert _heard(heard, 2) == [("e1", 2), ("e1", 3)]
    assert "could not be passed on" in caplog.text


def test_after_closing_nothing_listens(postgres_url: str) -> None:
    before = threading.active_count()
    store = SqlStore(postgres_url)
    store.start_listener(lambda *_: None)
    assert threading.active_count() == before + 1
    store.close()
    assert threading.active_count() == before


def test_a_server_that_is_away_at_first_is_found_later(postgres_url: str) -> None:
    from fracas.encounters.listening import Listener

    heard: Heard = queue.Queue()
    tries: list[int] = []

    def connect() -> psycopg.Connection[Any]:
        tries.append(1)
        if len(tries) < 3:
            raise psycopg.OperationalError("away")
        return psycopg.connect(postgres_url, autocommit=True)

    listener = Listener(connect, lambda encounter, version: heard.put((encounter, version)))
    assert _heard(heard, 1) == [(None, 0)]
    listener.stop()
    assert len(tries) == 3


def test_on_sqlite_there_is_nothing_to_hear(tmp_path: Path) -> None:
    before = threading.active_count()
    with closing(SqlStore(str(tmp_path / "x.db"))) as store:
        store.migrate()
        store.start_listener(lambda *_: pytest.fail("called"))
        assert threading.active_count() == before
        begin(store)
        go_on(store, 1)
