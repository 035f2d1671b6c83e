"""Which database a URL names, and a clear word when it cannot be used."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from stored_fights import begin, events, go_on

from fracas.encounters import databases
from fracas.encounters.sql_store import SqlStore
from fracas.errors import DatabaseError, FracasError


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "sqlite+pysqlite:///{}"])
def test_a_file_by_its_path_or_its_url(form: str, tmp_path: Path) -> None:
    path = tmp_path / "fights and 100 % more ü.db"
    with closing(SqlStore(form.format(path.as_posix()).replace("%", "%25" if ":" in form else "%"))) as store:
        store.migrate()
        begin(store)
        assert store.name == str(path)
    assert path.is_file()


def test_a_path_below_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    SqlStore("~/fights.db").close()
    assert (tmp_path / "fights.db").is_file()


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_postgresql_by_its_usual_names(scheme: str, postgres_url: str) -> None:
    with closing(SqlStore(postgres_url.replace("postgresql", scheme))) as store:
        store.migrate()
        begin(store)
        assert store.events("e1") == events(1, 1)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "names no database that lasts"),
        (":memory:", "names no database that lasts"),
        ("sqlite://", "names no database that lasts"),
        ("sqlite:///:memory:", "names no database that lasts"),
        ("mysql://root@localhost/x", "kind 'mysql' .*expected sqlite:///"),
        ("postgresql+asyncpg://localhost/x", "kind 'postgresql.asyncpg' .*expected sqlite:///"),
        ("sqlite+aiosqlite:///x.db", "kind 'sqlite.aiosqlite'"),
        ("postgresql://host:port/x", "cannot be read: expected"),
    ],
)
def test_a_url_that_cannot_be_used(url: str, words: str) -> None:
    with pytest.raises(DatabaseError, match=words) as caught:
        SqlStore(url)
    assert caught.value.code == "database"
    assert isinstance(caught.value, FracasError)


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"there is no folder .*nowhere"):
        SqlStore(str(tmp_path / "nowhere" / "x.db"))


def test_a_folder_instead_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="is a folder"):
        SqlStore(str(tmp_path))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Remember to buy dice. " * 100, "utf-8")
    with pytest.raises(DatabaseError, match="not a database"):
        SqlStore(str(path))
    assert path.read_text("utf-8").startswith("Remember")


def test_a_server_that_is_not_there_and_the_password_stays_secret() -> None:
    with pytest.raises(DatabaseError) as caught:
        SqlStore("postgresql://gm:very-secret@127.0.0.1:9/fights")
    assert "127.0.0.1" in caught.value.message
    assert "very-secret" not in str(caught.value)


def test_without_the_driver_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DatabaseError, match=r"pip install fracas\[postgres\]"):
        SqlStore("postgresql://localhost/x")


def test_another_process_that_never_lets_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "PATIENCE", 0.2)
    path = str(tmp_path / "x.db")
    with closing(SqlStore(path)) as one, closing(SqlStore(path)) as other:
        one.migrate()
        begin(one)
        with one._database.writing(), pytest.raises(DatabaseError, match=r"another process .* 0 seconds"):
            go_on(other, 1)
        assert other.events("e1") == events(1, 1)
        go_on(other, 1)
        assert one.events("e1") == events(1, 2)


def test_a_writer_waits_for_another_process(tmp_path: Path) -> None:
    path = str(tmp_path / "x.db")
    with closing(SqlStore(path)) as one, closing(SqlStore(path)) as other:
        one.migrate()
        begin(one)
        writer = threading.Thread(target=go_on, args=(other, 1))
        with one._database.writing():
            writer.start()
            time.sleep(0.3)
            assert writer.is_alive()
        writer.join(10)
        assert one.events("e1") == events(1, 2)


def test_after_a_failure_nothing_has_changed_and_the_store_goes_on(store: SqlStore) -> None:
    begin(store)

    def delete_and(statement: str) -> None:
        with store._database.writing() as connection:
            connection.exec_driver_sql("DELETE FROM events")
            connection.exec_driver_sql(statement)
            _ = 1 / 0

    with pytest.raises(DatabaseError):
        delete_and("this is no statement")
    assert store.events("e1") == events(1, 1)
    go_on(store, 1)
    with pytest.raises(ZeroDivisionError):
        delete_and("SELECT 1")
    go_on(store, 2)
    assert store.events("e1") == events(1, 3)


def test_a_failure_tells_no_content(store: SqlStore) -> None:
    statement = sa.text("SELECT :dice FROM nowhere")
    with pytest.raises(DatabaseError, match="nowhere") as caught, store._database.reading() as connection:
        connection.execute(statement, {"dice": "a secret"})
    assert "a secret" not in f"{caught.value} {caught.value.__cause__}"
    assert "\n" not in caught.value.message
