"""A store of encounters, on SQLite and on PostgreSQL; and a fight of Shadowrun 4 at an empty table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sr4_phases import join
from table_play import OpenTable, Table

from fracas.encounters import encounters
from fracas.encounters.sql_store import SqlStore


@pytest.fixture(autouse=True)
def dice_of_the_test(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the service throws in a test's fights is the same each time: a test that fails fails again."""
    fights = count()
    name = request.node.nodeid
    monkeypatch.setattr(
        encounters, "new_seed", lambda: hashlib.sha256(f"{name} {next(fights)}".encode()).digest()
    )


@pytest.fixture
def store(database_url: str) -> Iterator[SqlStore]:
    """An empty store with its tables; a test that asks for it runs on both databases."""
    store = SqlStore(database_url)
    store.migrate()
    yield store
    store.close()


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[OpenTable]:
    """Opens tables with a game and what else a `Table` takes; they are closed in the end."""
    with ExitStack() as tables:
        numbers = count()

        def opened(*game: Any, **more: Any) -> Table:
            return tables.enter_context(closing(Table(tmp_path, *game, name=f"{next(numbers)}.db", **more)))

        yield opened


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """Nobody is there yet."""
    return open_table()


@pytest.fixture
def fight(table: Table) -> Table:
    """The turn of `me`, who acts once in this turn and before `foe`, whom nothing hurts."""
    join(table, "me")
    join(table, "foe", body=50, willpower=50)
    table.begin(me={"hits": 5}, foe={"hits": 1})
    assert table.acting == ["me"]
    return table
