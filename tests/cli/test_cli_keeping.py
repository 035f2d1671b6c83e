"""``fracas backup`` and ``fracas restore``."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command import Run
from table_play import Table


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    """A database with a fight, of which an event more is there than in the backup beside it."""
    table = Table(tmp_path)
    table.join("rook")
    file = table.store.file
    table.close()
    assert file is not None
    return file


def versions(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as connection:
        return [version for (version,) in connection.execute("SELECT version FROM encounters")]


def test_there_and_back(run: Run, fight: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    done = run("backup", file, "--database", fight)
    assert (done.status, done.out) == (0, f"{file}: 1 fight\n")
    same = run("restore", file, FRACAS_DATABASE_URL=str(fight))
    assert same.out == "0 fights added, 0 replaced, 1 the same as in the backup\n"
    with closing(sqlite3.connect(fight)) as connection:
        connection.execute("DELETE FROM events WHERE version = 2")
        connection.execute("UPDATE encounters SET version = 1")
        connection.commit()
    asked = run("restore", file, "--database", fight)
    assert asked.status == 1
    assert "1 fight of the database will be as in the backup" in asked.out + asked.err
    assert versions(fight) == [1]
    done = run("restore", file, "--database", fight, "--yes")
    assert done.out == "0 fights added, 1 replaced, 0 the same as in the backup\n"
    assert versions(fight) == [3]


def test_what_cannot_be(run: Run, fight: Path, tmp_path: Path) -> None:
    assert "exists already" in run("backup", fight, "--database", fight).complaint()
    assert "no database" in run("backup", tmp_path / "x.db", "--database", tmp_path / "no.db").complaint()
    (tmp_path / "junk.db").write_bytes(b"junk" * 1000)
    assert "junk.db" in run("restore", tmp_path / "junk.db", "--database", fight).complaint()
