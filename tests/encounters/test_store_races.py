"""Many write to one encounter at once: one wins each version, the others are told, and nothing is lost or doubled."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest
from appending import append
from stored_fights import at_once, begin, event, events, go_on, key

from fracas.encounters.records import Snapshot
from fracas.encounters.sql_store import SqlStore
from fracas.errors import FracasError, KeyTakenError, StaleVersionError


def _together(*work: object) -> list[object]:
    """Calls them in threads of their own; what each returned or raised."""
    done: list[object] = [None] * len(work)
    start = threading.Barrier(len(work))

    def run(at: int) -> None:
        start.wait(200)
        try:
            done[at] = work[at]()  # type: ignore[operator]
        except FracasError as error:
            done[at] = error

    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(200)
    return done


def test_eight_threads_write_four_hundred_events(store: SqlStore) -> None:
    begin(store)
    done = _together(*(lambda name=name: append(store, name, 50) for name in "abcdefgh"))
    stored = store.events("e1", after=1)
    assert [one.version for one in stored] == list(range(2, 402))
    bodies = {one.version: one.body for one in stored}
    for name, written in zip("abcdefgh", done, strict=True):
        assert isinstance(written, list), written
        assert [bodies[version] for version in written] == [f"{name} {at}" for at in range(50)]
    row = store.row("e1")
    assert row is not None
    assert row.version == 401


def test_of_eight_that_saw_the_same_one_wins(store: SqlStore) -> None:
    begin(store)
    for seen in range(1, 21):
        done = _together(
            *(
                lambda name=name, seen=seen: store.append(
                    "e1",
                    seen,
                    [event(seen + 1, name)],
                    snapshot=Snapshot(seen + 1, name),
                    deadline=None,
                    now=seen,
                )
                for name in "abcdefgh"
            )
        )
        losers = [error for error in done if error is not None]
        assert len(losers) == 7
        assert {type(error) for error in losers} == {StaleVersionError}
        assert {error.current for error in losers if isinstance(error, StaleVersionError)} == {seen + 1}
        winner = "abcdefgh"[done.index(None)]
        assert store.events("e1", after=seen) == [event(seen + 1, winner)]
        assert store.snapshot("e1") == Snapshot(seen + 1, winner)


def test_of_eight_equal_requests_one_is_done_and_the_others_hear_of_the_key(store: SqlStore) -> None:
    begin(store)
    for seen in range(1, 11):
        done = _together(
            *(lambda seen=seen: go_on(store, seen, key=key(f"k{seen}")) for _ in range(8)),
        )
        assert sorted(type(error).__name__ for error in done) == ["KeyTakenError"] * 7 + ["NoneType"]
    assert store.events("e1") == events(1, 11)
    with pytest.raises(KeyTakenError):
        go_on(store, 11, key=key("k1"))


def test_encounters_do_not_hold_each_other_up(store: SqlStore) -> None:
    for at in range(8):
        begin(store, f"e{at}")

    def play(id: str) -> None:
        for seen in range(1, 31):
            go_on(store, seen, id, snapshot=Snapshot(seen + 1, id))
            assert store.snapshot(id) == Snapshot(seen + 1, id)

    assert _together(*(lambda at=at: play(f"e{at}") for at in range(8))) == [None] * 8
    assert {row.version for row in store.rows()} == {31}


def test_readers_see_whole_commands_only(store: SqlStore) -> None:
    begin(store)
    over = threading.Event()

    def write() -> None:
        for at in range(60):
            seen = 1 + 3 * at
            go_on(store, seen, count=3, snapshot=Snapshot(seen + 3, "state"))
        over.set()

    def read() -> int:
        looks = 0
        while not over.is_set():
            found = store.events("e1")
            assert len(found) % 3 == 1
            assert [one.version for one in found] == list(range(1, len(found) + 1))
            looks += 1
        return looks

    done = _together(write, read, read)
    assert done[0] is None
    assert all(isinstance(looks, int) and looks > 0 for looks in done[1:])


def test_a_reader_does_not_wait_for_a_writer(store: SqlStore) -> None:
    begin(store)
    with store._database.appending() as connection:
        store._append_events(connection, "e1", [event(2)])
        read = _together(lambda: store.events("e1"))
    assert read == [events(1, 1)]


def test_two_processes_share_a_database(store: SqlStore, database_url: str) -> None:
    begin(store)
    at_once([[database_url, "append", name, "60"] for name in ("one", "two")])
    stored = store.events("e1", after=1)
    assert [one.version for one in stored] == list(range(2, 122))
    for name in ("one", "two"):
        assert [one.body for one in stored if one.body.startswith(name)] == [
            f"{name} {at}" for at in range(60)
        ]


def test_two_stores_see_each_other(store: SqlStore, database_url: str) -> None:
    with closing(SqlStore(database_url)) as other:
        other.migrate()
        begin(store)
        go_on(other, 1)
        with pytest.raises(StaleVersionError):
            go_on(store, 1)
        go_on(store, 2)
        assert other.events("e1") == store.events("e1") == events(1, 3)
