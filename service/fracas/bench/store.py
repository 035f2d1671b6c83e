"""Appending an event with a snapshot through the store, against Python's sqlite3 writing the same rows."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from fracas.bench.timing import Figure, Row, in_turn
from fracas.encounters.records import NewEncounter, Snapshot, StoredEvent
from fracas.encounters.sql_store import SqlStore

APPEND = Figure(
    "an event and a snapshot appended, each time to the disk; ratio of the rates",
    "sqlite3 by hand: the same tables, WAL, synchronous FULL, one transaction",
    "µs",
    0.45,
)
FIGURES = (APPEND,)
ID = "0123456789abcdef0123456789abcdef"
EVENT = "e" * 850
SNAPSHOT = "s" * 3_500
RUNS = 15
"""More than elsewhere: how long a flush takes varies much."""

ADVANCE = """UPDATE encounters SET version = ?, closed = coalesce(?, closed), updated = ?, deadline = ?
WHERE id = ? AND version = ?"""


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("ours.db", "peers.db")]
        for path in paths:
            _prepare(path)
        with closing(SqlStore(str(paths[0]))) as store, closing(_connect(paths[1])) as connection:
            mine, theirs, ratio = in_turn(_by_store(store), _by_hand(connection), runs=RUNS)
    return [APPEND.row(mine * 1e6, theirs * 1e6, ratio)]


def _prepare(path: Path) -> None:
    with closing(SqlStore(str(path))) as store:
        store.migrate()
        store.create(NewEncounter(ID, "bench", "sr4", bytes(32), 0), [], Snapshot(0, SNAPSHOT), [])


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def _by_store(store: SqlStore) -> Callable[[], None]:
    seen = 0

    def append() -> None:
        nonlocal seen
        new = seen + 1
        store.append(
            ID, seen, [StoredEvent(new, EVENT)], snapshot=Snapshot(new, SNAPSHOT), deadline=None, now=new
        )
        seen = new

    return append


def _by_hand(connection: sqlite3.Connection) -> Callable[[], None]:
    seen = 0

    def append() -> None:
        nonlocal seen
        new = seen + 1
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute(ADVANCE, (new, None, new, None, ID, seen)).rowcount != 1:
            raise RuntimeError("another process writes to the file of the measurement")
        connection.execute("INSERT INTO events (encounter, version, body) VALUES (?, ?, ?)", (ID, new, EVENT))
        connection.execute(
            "INSERT INTO snapshots (encounter, version, body) VALUES (?, ?, ?)", (ID, new, SNAPSHOT)
        )
        connection.execute("COMMIT")
        seen = new

    return append
