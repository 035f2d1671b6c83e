"""What is put into a store comes out of it again, whole or not at all; the same of both databases and of memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from stored_fights import SEED, START, begin, event, events, go_on, key, sha256, token

from fracas.encounters.memory_store import MemoryStore
from fracas.encounters.records import EncounterRow, NewEncounter, PastCommand, Snapshot, StoredEvent
from fracas.encounters.sql_store import SqlStore
from fracas.encounters.store import Store
from fracas.errors import DatabaseError, KeyTakenError, NoEncounterError, StaleVersionError

Reopen = Callable[[], Store]


class Kept(NamedTuple):
    """An empty store, and what opens another one on what it has kept."""

    store: Store
    again: Reopen


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    opened: list[Store] = []

    def in_memory() -> Store:
        opened.append(MemoryStore(lambda encounter, line: lines.append(line), list(lines)))
        return opened[-1]

    def on_disk() -> Store:
        store = SqlStore(url)
        store.migrate()
        opened.append(store)
        return store

    lines: list[str] = []
    file = f"sqlite:///{(tmp_path / 'encounters.db').as_posix()}"
    url: str = request.getfixturevalue("postgres_url") if request.param == "postgres" else file
    open_ = in_memory if request.param == "memory" else on_disk
    yield Kept(open_(), open_)
    for store in opened:
        store.close()


@pytest.fixture
def store(kept: Kept) -> Store:
    """A test that asks for it runs on all three."""
    return kept.store


ANYTHING = '{"said": "\\u0000 – „Ärger“ 🎲 \'; DROP TABLE events; -- %s %(x)s :x ?"}'


def test_a_new_encounter_is_kept_whole(store: Store) -> None:
    gm, player = token(), token("p1", "another", role="player", combatants=("razor", "ärger, and comma"))
    new = NewEncounter("e1", "Hinterhalt – 100 % 🎲", "sr4", bytes(range(256)), START)
    store.create(new, [event(1, ANYTHING), event(2)], Snapshot(2, ANYTHING), [gm, player])
    row = EncounterRow("e1", new.title, "sr4", 2, None, START, START, None)
    assert store.row("e1") == row
    assert store.rows() == [row]
    assert store.seed("e1") == new.seed
    assert store.events("e1") == [event(1, ANYTHING), event(2)]
    assert store.snapshot("e1") == Snapshot(2, ANYTHING)
    assert store.tokens("e1") == [gm, player]


def test_an_encounter_that_does_not_exist(store: Store) -> None:
    assert store.row("e1") is None
    assert store.rows() == store.events("e1") == store.tokens("e1") == []
    assert store.snapshot("e1") is None
    assert store.past_command("e1", "gm", "k1") is None
    assert store.token_by_hash(sha256("x")) is None
    assert not store.revoke("e1", "gm", START)
    assert not store.rotate("e1", "gm", sha256("x"))
    store.delete("e1")
    with pytest.raises(NoEncounterError) as caught:
        store.seed("e1")
    assert caught.value.encounter == "e1"
    with pytest.raises(NoEncounterError):
        go_on(store, 1)
    with pytest.raises(NoEncounterError):
        store.add_token("e1", token())
    with pytest.raises(NoEncounterError):
        store.save_snapshot("e1", Snapshot(1, "{}"))


def test_the_same_id_cannot_be_created_twice(store: Store) -> None:
    begin(store, title="first")
    with pytest.raises(DatabaseError):
        begin(store, title="second")
    row = store.row("e1")
    assert row is not None
    assert row.title == "first"


def test_creating_is_all_or_nothing(store: Store) -> None:
    begin(store, "e1", [token()])
    with pytest.raises(DatabaseError):
        begin(store, "e2", [token("other", "fresh"), token("same-hash")])
    assert store.row("e2") is None
    assert store.events("e2") == store.tokens("e2") == []


def test_events_follow_each_other(store: Store) -> None:
    begin(store)
    go_on(store, 1, now=START + 5)
    go_on(store, 2, count=3, deadline=START + 99, now=START + 6)
    assert store.events("e1") == events(1, 5)
    assert store.events("e1", after=3) == events(4, 5)
    assert store.events("e1", after=1, up_to=3) == events(2, 3)
    assert store.events("e1", up_to=0) == store.events("e1", after=5) == []
    assert store.row("e1") == EncounterRow("e1", "Ambush", "sr4", 5, None, START, START + 6, START + 99)


@pytest.mark.parametrize("versions", [[1], [3], [2, 2], [2, 4], [3, 2]])
def test_events_with_a_gap_are_refused(store: Store, versions: list[int]) -> None:
    begin(store)
    with pytest.raises(ValueError, match="after version 1"):
        store.append("e1", 1, [event(version) for version in versions], deadline=None, now=START)
    assert store.events("e1") == events(1, 1)


@pytest.mark.parametrize("seen", [0, 1, 2, 4, 100])
def test_a_stale_write_changes_nothing_and_is_told_the_version(store: Store, seen: int) -> None:
    begin(store)
    go_on(store, 1, count=2)
    before = store.row("e1")
    with pytest.raises(StaleVersionError) as caught:
        go_on(store, seen, key=key(), snapshot=Snapshot(seen + 1, "{}"), closed=START, deadline=START)
    assert caught.value.current == 3
    assert store.row("e1") == before
    assert store.events("e1") == events(1, 3)
    assert store.past_command("e1", "gm", "k1") is None
    assert store.snapshot("e1") == Snapshot(1, '{"at":1}')


def test_a_version_cannot_be_written_twice_even_behind_the_back_of_the_encounter(database_url: str) -> None:
    with closing(SqlStore(database_url)) as store:
        store.migrate()
        _twice(store)


def _twice(store: SqlStore) -> None:
    begin(store)
    with store._database.appending() as connection:
        store._append_events(connection, "e1", [event(2, '{"by":"another program"}')])
    with pytest.raises(DatabaseError):
        go_on(store, 1)
    row = store.row("e1")
    assert row is not None
    assert row.version == 1


def test_a_key_is_remembered_with_what_was_done_under_it(store: Store) -> None:
    begin(store)
    go_on(store, 1, count=2, key=key(body="one"))
    go_on(store, 3, count=0, key=key("nothing"))
    assert store.past_command("e1", "gm", "k1") == PastCommand(sha256("one"), 2, 3)
    assert store.past_command("e1", "gm", "nothing") == PastCommand(sha256("{}"), 4, 3)
    assert store.past_command("e1", "p1", "k1") is None
    assert store.past_command("e1", "gm", "k2") is None
    assert store.past_command("e2", "gm", "k1") is None


@pytest.mark.parametrize("seen", [1, 2])
def test_a_key_is_used_once_whether_the_repetition_is_stale_or_not(store: Store, seen: int) -> None:
    begin(store)
    go_on(store, 1, key=key(body="one"))
    with pytest.raises(KeyTakenError) as caught:
        go_on(store, seen, key=key(body="two"))
    assert caught.value.key == "k1"
    assert store.events("e1") == events(1, 2)
    assert store.past_command("e1", "gm", "k1") == PastCommand(sha256("one"), 2, 2)
    go_on(store, 2, key=key(token="p1"))
    begin(store, "e2")
    go_on(store, 1, "e2", key=key())
    assert store.past_command("e1", "p1", "k1") == store.past_command("e1", "p1", "k1")._replace(
        first=3, last=3
    )


def test_snapshots_are_kept_and_the_newest_below_a_version_is_found(store: Store) -> None:
    begin(store)
    for version in range(2, 30):
        state = Snapshot(version, f'{{"at":{version}}}') if version % 10 == 0 else None
        go_on(store, version - 1, snapshot=state)
    assert store.snapshot("e1") == Snapshot(20, '{"at":20}')
    assert store.snapshot("e1", 20) == Snapshot(20, '{"at":20}')
    assert store.snapshot("e1", 19) == Snapshot(10, '{"at":10}')
    assert store.snapshot("e1", 9) == Snapshot(1, '{"at":1}')
    assert store.snapshot("e1", 0) is None


def test_a_snapshot_may_come_later_and_replace_another(store: Store) -> None:
    begin(store)
    go_on(store, 1, count=3)
    store.save_snapshot("e1", Snapshot(3, "old"))
    store.save_snapshot("e1", Snapshot(3, "new"))
    assert store.snapshot("e1") == Snapshot(3, "new")
    assert store.row("e1") == EncounterRow("e1", "Ambush", "sr4", 4, None, START, START + 1, None)


def test_once_closed_an_encounter_stays_closed(store: Store) -> None:
    begin(store)
    go_on(store, 1, closed=START + 7)
    go_on(store, 2)
    row = store.row("e1")
    assert row is not None
    assert (row.version, row.closed) == (3, START + 7)


def test_due_names_the_open_encounters_whose_deadline_has_come(store: Store) -> None:
    for id, deadline, closed in [
        ("later", START + 51, None),
        ("now", START + 50, None),
        ("closed", START + 1, START + 2),
        ("first", START + 10, None),
        ("never", None, None),
    ]:
        begin(store, id)
        go_on(store, 1, id, deadline=deadline, closed=closed)
    assert store.due(START + 50) == ["first", "now"]
    go_on(store, 2, "first", deadline=None)
    assert store.due(START + 50) == ["now"]
    assert store.due(START) == []


def test_the_oldest_encounter_comes_first(store: Store) -> None:
    for id, created in [("b", 5), ("c", 3), ("a", 5)]:
        begin(store, id, created=created)
    assert [row.id for row in store.rows()] == ["c", "a", "b"]


def test_deleting_takes_everything_along_and_nothing_else(store: Store) -> None:
    begin(store, "e1", [token()])
    begin(store, "e2", [token("gm", "other")])
    for id in ("e1", "e2"):
        go_on(store, 1, id, key=key())
    store.delete("e1")
    assert [row.id for row in store.rows()] == ["e2"]
    assert store.token_by_hash(sha256("a secret")) is None
    begin(store, "e1")
    assert store.events("e1") == events(1, 1)
    assert store.tokens("e1") == []
    assert store.past_command("e1", "gm", "k1") is None
    assert store.events("e2") == events(1, 2)
    assert store.past_command("e2", "gm", "k1") is not None


def test_tokens_are_found_by_the_hash_of_their_secret(store: Store) -> None:
    gm, player = token(), token("p1", "another", role="player", combatants=("razor",), created=START + 1)
    begin(store, "e1", [gm])
    begin(store, "e2", [token("gm", "elsewhere")])
    store.add_token("e1", player)
    assert store.token_by_hash(player.hash) == ("e1", player)
    assert store.token_by_hash(sha256("elsewhere")) == ("e2", token("gm", "elsewhere"))
    assert store.tokens("e1") == [gm, player]
    for again in (token("p1", "fresh"), token("p2", "another")):
        with pytest.raises(DatabaseError):
            store.add_token("e1", again)


def test_a_token_is_revoked_once(store: Store) -> None:
    begin(store, "e1", [token()])
    begin(store, "e2", [token("gm", "elsewhere")])
    assert store.revoke("e1", "gm", START + 3)
    assert not store.revoke("e1", "gm", START + 4)
    assert store.token_by_hash(sha256("a secret")) == ("e1", token(revoked=START + 3))
    assert not store.rotate("e1", "gm", sha256("fresh"))
    assert store.tokens("e2") == [token("gm", "elsewhere")]


def test_a_rotated_token_has_another_secret(store: Store) -> None:
    begin(store, "e1", [token(), token("p1", "another")])
    assert store.rotate("e1", "gm", sha256("fresh"))
    assert store.token_by_hash(sha256("a secret")) is None
    assert store.token_by_hash(sha256("fresh")) == ("e1", token(hash=sha256("fresh")))
    with pytest.raises(DatabaseError):
        store.rotate("e1", "gm", sha256("another"))
    assert store.token_by_hash(sha256("fresh")) is not None


def test_what_was_written_is_there_after_reopening(kept: Kept) -> None:
    store = kept.store
    begin(store, tokens=[token(), token("p1", "another", role="player", combatants=("razor",))])
    go_on(store, 1, count=3, key=key(), snapshot=Snapshot(4, "state"), deadline=START + 9, now=START + 2)
    begin(store, "e2", [token("gm", "of the second")])
    store.add_token("e1", token("late", "a third"))
    store.rotate("e1", "gm", sha256("fresh"))
    store.revoke("e1", "p1", START + 7)
    begin(store, "e3")
    store.delete("e3")
    gm = store.tokens("e2")[0]
    name = store.sessions.renew("", "e2", gm, START)
    name = store.sessions.renew(name, "e1", store.tokens("e1")[0], START)
    rows, tokens, shown = store.rows(), store.tokens("e1"), store.sessions.shown(name)
    assert {one.encounter for one in shown} == {"e1", "e2"}
    store.close()
    again = kept.again()
    assert again.rows() == rows
    assert again.events("e1") == events(1, 4)
    assert again.snapshot("e1") == Snapshot(4, "state")
    assert again.snapshot("e1", 3) == Snapshot(1, '{"at":1}')
    assert again.seed("e1") == SEED
    assert again.tokens("e1") == tokens
    assert again.token_by_hash(sha256("fresh")) == ("e1", next(one for one in tokens if one.id == "gm"))
    assert again.token_by_hash(sha256("a secret")) is None
    assert again.past_command("e1", key().token, key().key) == store.past_command(
        "e1", key().token, key().key
    )
    assert sorted(again.sessions.shown(name)) == sorted(shown)
    again.sessions.forget(name, "e2")
    assert [one.encounter for one in again.sessions.shown(name)] == ["e1"]
    go_on(again, 4)
    assert again.events("e1", after=4) == events(5, 5)


def test_a_session_ends_with_its_fight_and_its_former_name_is_worth_nothing(store: Store) -> None:
    begin(store, tokens=[token()])
    first = store.sessions.renew("", "e1", token(), START)
    second = store.sessions.renew(first, "e1", token(), START)
    assert store.sessions.shown(first) == []
    assert [one.encounter for one in store.sessions.shown(second)] == ["e1"]
    store.delete("e1")
    assert store.sessions.shown(second) == []


def test_what_the_journal_refuses_has_not_happened() -> None:
    full = False

    def journal(encounter: str, line: str) -> None:
        assert json.loads(line)["encounter"] == encounter
        if full:
            raise DatabaseError("there is no room left")

    store = MemoryStore(journal)
    begin(store, tokens=[token()])
    full = True
    before = store.rows(), store.events("e1"), store.tokens("e1")
    for write in (
        lambda: go_on(store, 1, key=key()),
        lambda: begin(store, "e2"),
        lambda: store.revoke("e1", "gm", START),
        lambda: store.add_token("e1", token("p1", "another")),
        lambda: store.sessions.renew("", "e1", token(), START),
        lambda: store.delete("e1"),
    ):
        with pytest.raises(DatabaseError, match="no room"):
            write()
    assert (store.rows(), store.events("e1"), store.tokens("e1")) == before
    assert store.past_command("e1", key().token, key().key) is None


@pytest.mark.parametrize("line", ["", "{", "[]", '{"encounter":"e1","what":"append","row":[],"events":[]}'])
def test_lines_that_are_no_journal_are_refused(line: str) -> None:
    lines: list[str] = []
    begin(MemoryStore(lambda encounter, written: lines.append(written)))
    with pytest.raises(DatabaseError, match="line 2"):
        MemoryStore(None, [*lines, line])


def test_a_journal_with_an_event_missing_is_refused() -> None:
    lines: list[str] = []
    store = MemoryStore(lambda encounter, line: lines.append(line))
    begin(store)
    for seen in (1, 2, 3):
        go_on(store, seen)
    assert MemoryStore(None, lines).rows() == store.rows()
    with pytest.raises(DatabaseError, match="line 2"):
        MemoryStore(None, [lines[0], *lines[2:]])


def test_closing_twice_does_no_harm(store: Store) -> None:
    store.close()
    store.close()


def test_ten_thousand_events_are_read_in_order(store: Store) -> None:
    begin(store)
    go_on(store, 1, count=9_999)
    read = store.events("e1")
    assert len(read) == 10_000
    assert [one.version for one in read] == list(range(1, 10_001))
    assert isinstance(read[-1], StoredEvent)


def test_an_sqlite_file_is_kept_as_safely_as_can_be(tmp_path: object) -> None:
    with closing(SqlStore(f"sqlite:///{tmp_path}/x.db")) as store:
        store.migrate()
        for using in (store._database.reading, store._database.writing):
            with using() as connection:
                pragmas = [
                    connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                    for name in ("journal_mode", "synchronous", "foreign_keys")
                ]
            assert pragmas == ["wal", 2, 1]
    with closing(sqlite3.connect(f"{tmp_path}/x.db")) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
