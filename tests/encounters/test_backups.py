"""Backups: all fights in one file, made while a service uses the database, and put back into any database."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from audited_logs import changed, log_of, noticed, rechained
from table_play import START, OpenTable, Table, empty_store

from fracas.encounters.audit import verify
from fracas.encounters.backups import back_up, restore
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.encounters.sql_store import SqlStore
from fracas.encounters.transcript import written
from fracas.errors import DatabaseError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    table.join("rook", id="rook")
    table.do("contribute", Author("player", "p", "Ada", frozenset(("rook",))), entropy="one")
    table.do("begin-turn")
    return table


def url(table: Table) -> str:
    assert table.store.file is not None
    return str(table.store.file)


def faces(table: Table) -> object:
    return table.do("begin-turn", force=True).data["rolls"][0]["answers"][-1][1][0][0]


def test_a_backup_is_one_private_file_with_everything(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    assert back_up(url(table), file) == 1  # while the table has it open
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith((".backup", "backup"))] == [
        "backup.db"
    ]
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with closing(SqlStore(str(file))) as store:
        assert store.events(table.id) == table.store.events(table.id)
        assert store.seed(table.id) == table.store.seed(table.id)
        assert store.tokens(table.id) == table.store.tokens(table.id)
    with pytest.raises(DatabaseError, match="exists already"):
        back_up(url(table), file)
    with pytest.raises(DatabaseError, match="there is no database"):
        back_up(str(tmp_path / "elsewhere.db"), tmp_path / "other.db")
    assert not (tmp_path / "elsewhere.db").exists()
    with pytest.raises(DatabaseError, match="no folder"):
        back_up(url(table), tmp_path / "nowhere" / "backup.db")


def test_a_restored_fight_goes_on_with_other_dice(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    back_up(url(table), file)
    commitment = table.view()["commitment"]
    assert faces(table) is not None
    plan = restore(url(table), file, START, try_only=True)
    assert plan.replaced == (table.id,)
    assert faces(table) is not None  # nothing was changed
    assert restore(url(table), file, START).replaced == (table.id,)
    assert [event.type for event in table.encounters.events(table.id)][-1] == "reseeded"
    view = table.view()
    assert view["commitment"] != commitment
    assert (view["may_contribute"], view["contributions"]) == (True, [])
    table.do("contribute", Author("player", "q", "Ben", frozenset(("rook",))), entropy="two")
    assert table.store.former_seeds(table.id) != [table.store.seed(table.id)]
    assert faces(table) is not None
    table.encounters = table.opened_again()
    table.do("close")
    log = log_of(table)
    report = verify(log)
    assert report.ok, report.first_difference
    assert report.counts["recomputed"] > 0
    assert verify(log, view["commitment"]).ok
    assert verify(log, commitment).ok
    assert not verify(log, "0" * 64).ok
    assert verify(log_of(table, table.observer)).ok
    assert [note.partition(" come")[0] for note in report.notes] == [
        "The dice of seed 1",
        "The dice of seed 2",
    ]
    game, rules = table.encounters.game(table.fight), table.encounters.rules(table.fight)
    text = written(game, rules, table.fight, table.encounters.events(table.id), table.gm)
    assert "the dice come from another seed from now on: restored from a backup" in text
    last = len(log["events"]) - 1
    at = next(number for number, one in enumerate(log["events"]) if one["type"] == "reseeded")
    for path, value in (
        (("events", last, "data", "former", 0), bytes(32).hex()),
        (("events", last, "data", "former"), []),
        (("events", at, "data", "commitment"), commitment),
        (("events", at, "by", "role"), "gm"),
    ):
        assert noticed(rechained(changed(log, path, lambda _, value=value: value))), path


def test_what_is_the_same_stays_and_what_is_closed_keeps_its_seed(table: Table, tmp_path: Path) -> None:
    table.do("close")
    file = tmp_path / "backup.db"
    back_up(url(table), file)
    before = log_of(table)
    assert restore(url(table), file, START).same == (table.id,)
    table.encounters.delete(table.id)
    assert restore(url(table), file, START).added == (table.id,)
    assert log_of(table) == before


def test_fights_that_the_backup_does_not_have_stay(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    back_up(url(table), file)
    new, _ = table.encounters.begin(
        {"ruleset": "sr4", "title": "New", "options": {}, "settings": table.state.settings}
    )
    restore(url(table), file, START)
    assert {row.id for row in table.store.rows()} == {table.id, new.id}


def test_an_open_question_gets_its_time_anew(tmp_path: Path) -> None:
    table = Table(tmp_path, settings={"timeout": 60})
    table.join("rook", id="rook", player=True)
    table.do("set", combatant="rook", dice="hand")
    table.do("begin-turn")
    assert table.steps()
    back_up(url(table), tmp_path / "backup.db")
    table.do("set", combatant="rook", name="Later")
    day = START + 86_400_000
    restore(url(table), tmp_path / "backup.db", day)
    row = table.store.row(table.id)
    assert row is not None
    assert row.deadline == table.fight.deadline == day + 60_000
    table.now = day + 1000
    assert table.encounters.answer_overdue() == 0
    table.now = day + 60_000
    assert table.encounters.answer_overdue() == 1
    table.close()


def test_a_backup_of_the_first_schema_can_be_restored(table: Table, tmp_path: Path) -> None:
    """As release 0.2.0 kept fights: without hashes."""
    file = tmp_path / "old.db"
    back_up(url(table), file)
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(
            "SELECT version, body FROM events WHERE body NOT LIKE '%contributed%'"
        ).fetchall()
        connection.execute("DELETE FROM events")
        connection.execute("DELETE FROM snapshots")
        for number, (_, body) in enumerate(rows[:2], 1):
            plain = {
                name: value for name, value in json.loads(body).items() if name not in ("previous", "salt")
            }
            connection.execute("INSERT INTO events VALUES (?, ?, ?)", (table.id, number, json.dumps(plain)))
        connection.execute("UPDATE encounters SET version = 2")
        connection.execute("ALTER TABLE encounters DROP COLUMN head")
        for later in ("former_seeds", "sessions"):
            connection.execute(f"DROP TABLE IF EXISTS {later}")
        connection.execute("UPDATE fracas_schema SET version_num = '0001'")
        connection.commit()
    other = tmp_path / "other.db"
    other.write_bytes(empty_store())
    assert restore(str(other), file, START).added == (table.id,)
    with closing(SqlStore(str(other))) as store:
        table.encounters = Encounters(table.games, store, lambda: START)
        assert [event.type for event in table.encounters.events(table.id)] == [
            "created",
            "joined",
            "reseeded",
        ]
        table.do("begin-turn")
        table.do("close")
        report = verify(log_of(table))
        assert report.ok, report.first_difference


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_what_is_no_backup_is_refused(table: Table, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "backup.db"
    file.write_bytes(content)
    with pytest.raises(DatabaseError, match=r"no backup|cannot be copied"):
        restore(url(table), file, START)
    with pytest.raises(DatabaseError, match="no file"):
        restore(url(table), tmp_path / "nowhere.db", START)
    assert verify(log_of(table)).ok


def test_from_one_kind_of_database_to_the_other(table: Table, tmp_path: Path, database_url: str) -> None:
    """From SQLite into each, and back from there with a backup of it."""
    first, second = tmp_path / "one.db", tmp_path / "two.db"
    back_up(url(table), first)
    with closing(SqlStore(database_url)) as store:
        store.migrate()
        assert restore(database_url, first, START).added == (table.id,)
        assert back_up(database_url, second) == 1
        with closing(SqlStore(str(second))) as copy:
            assert copy.rows() == store.rows()
            assert copy.events(table.id) == store.events(table.id)
            assert copy.former_seeds(table.id) == store.former_seeds(table.id) == [table.store.seed(table.id)]
            assert copy.seed(table.id) == store.seed(table.id)


def test_who_listens_begins_anew(table: Table, tmp_path: Path) -> None:
    back_up(url(table), tmp_path / "backup.db")
    table.join("guard", name="Lost")
    table.join("guard", name="Lost as well")
    feed = Feed(table.encounters, heartbeat=0.4)
    listener = feed.subscribe(table.id, table.gm)
    while listener.sent < table.fight.history.version:
        assert listener.next()
    restore(url(table), tmp_path / "backup.db", START)
    while (told := listener.next()) is not None:
        assert told == []
    listener.close()
    again = feed.subscribe(table.id, table.gm)
    seen = []
    while again.sent < table.fight.history.version:
        seen += again.next() or []
    assert not any("Lost" in one.text for one in seen)
    assert seen[-1].type == "reseeded"
    again.close()


def test_the_journal_is_folded_in(table: Table) -> None:
    assert table.store.file is not None
    journal = Path(f"{table.store.file}-wal")
    assert journal.stat().st_size > 0
    table.store.fold_journal()
    assert journal.stat().st_size == 0
    copied = table.store.file.with_name("copied.db")
    copied.write_bytes(table.store.file.read_bytes())
    with closing(SqlStore(str(copied))) as store:
        assert store.events(table.id) == table.store.events(table.id)


@pytest.mark.skipif(os.name != "posix", reason="files of Windows have the rights of their folder")
def test_the_file_is_private_also_one_that_was_not(tmp_path: Path) -> None:
    file = tmp_path / "open.db"
    file.write_bytes(b"")
    file.chmod(0o644)
    for path in (file, tmp_path / "new.db"):
        with closing(SqlStore(str(path))) as store:
            store.migrate()
            for one in (path, Path(f"{path}-wal")):
                assert stat.S_IMODE(one.stat().st_mode) == 0o600, one
