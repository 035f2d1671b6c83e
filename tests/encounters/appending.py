"""A process that writes to a store: ``python appending.py URL migrate``, or ``append NAME COUNT`` after the URL."""

from __future__ import annotations

import sys

from fracas.encounters.records import StoredEvent
from fracas.encounters.sql_store import SqlStore
from fracas.errors import StaleVersionError


def append(store: SqlStore, name: str, count: int) -> list[int]:
    """Appends so many events to the encounter e1, each as soon as it is allowed; their versions."""
    written = []
    row = store.row("e1")
    assert row is not None
    seen = row.version
    while len(written) < count:
        try:
            body = f"{name} {len(written)}"
            store.append("e1", seen, [StoredEvent(seen + 1, body)], deadline=None, now=seen)
        except StaleVersionError as error:
            seen = error.current
        else:
            seen += 1
            written.append(seen)
    return written


def main(url: str, what: str, *words: str) -> None:
    store = SqlStore(url)
    print("ready", flush=True)
    sys.stdin.readline()
    if what == "migrate":
        store.migrate()
    else:
        name, count = words
        append(store, name, int(count))
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
