"""A store of encounters, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fracas.encounters.store import Store


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """An empty store with its tables; a test that asks for it runs on both databases."""
    store = Store(database_url)
    store.migrate()
    yield store
    store.close()
