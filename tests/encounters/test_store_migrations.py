"""A database comes to the schema that this code expects, from nothing, repeatedly, and when several start at once."""

from __future__ import annotations

import importlib.resources
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from stored_fights import at_once, begin, events

from fracas.encounters.migrating import MIGRATIONS, upgrade_to
from fracas.encounters.sql_store import SqlStore
from fracas.encounters.tables import METADATA, SCHEMA, SCHEMA_TABLE
from fracas.errors import DatabaseError, StaleVersionError


def _ask(store: SqlStore, statement: str) -> object:
    with store._database.reading() as connection:
        return connection.scalar(sa.text(statement))


def test_the_migrations_make_the_tables_that_the_code_knows(store: SqlStore) -> None:
    with store._database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": SCHEMA_TABLE})
        assert compare_metadata(context, METADATA) == []
        found = sa.inspect(connection)
        for name in ("events", "snapshots"):
            assert found.get_pk_constraint(name)["constrained_columns"] == ["encounter", "version"]
    assert _ask(store, f"SELECT version_num FROM {SCHEMA_TABLE}") == SCHEMA


def test_the_code_expects_the_newest_migration() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_heads() == [SCHEMA]


def test_before_migrating_there_is_a_clear_error(database_url: str) -> None:
    with closing(SqlStore(database_url)) as store, pytest.raises(DatabaseError, match="encounters"):
        store.rows()


def test_migrating_again_changes_nothing(store: SqlStore) -> None:
    begin(store)
    store.migrate()
    store.migrate()
    assert store.events("e1") == events(1, 1)


def test_migrating_what_is_up_to_date_does_not_load_alembic(store: SqlStore, database_url: str) -> None:
    program = f"""
import sys
from fracas.encounters.sql_store import SqlStore
store = SqlStore({database_url!r})
store.migrate()
store.close()
print("alembic" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_processes_that_migrate_at_once_wait_for_each_other(database_url: str) -> None:
    at_once([[database_url, "migrate"]] * 3)
    with closing(SqlStore(database_url)) as store:
        assert _ask(store, f"SELECT count(*) FROM {SCHEMA_TABLE}") == 1
        begin(store)


def test_a_schema_that_is_newer_than_the_code_is_refused(store: SqlStore, database_url: str) -> None:
    with store._database.writing() as connection:
        connection.execute(sa.text(f"UPDATE {SCHEMA_TABLE} SET version_num = '9999'"))
    with closing(SqlStore(database_url)) as other, pytest.raises(DatabaseError) as caught:
        other.migrate()
    assert re.search(rf"has schema '9999'.* none newer than '{SCHEMA}'.*or a later one", caught.value.message)
    assert _ask(store, f"SELECT version_num FROM {SCHEMA_TABLE}") == "9999"


def test_tables_of_another_program_are_left_alone(database_url: str) -> None:
    with closing(SqlStore(database_url)) as store:
        with store._database.writing() as connection:
            connection.execute(sa.text("CREATE TABLE events (theirs INTEGER)"))
        with pytest.raises(DatabaseError, match="events"):
            store.migrate()
        with store._database.reading() as connection:
            assert sa.inspect(connection).get_table_names() == ["events"]


def test_the_migrations_are_inside_the_package() -> None:
    folder = importlib.resources.files("fracas.encounters")
    assert Path(str(folder)) / "migrations" == MIGRATIONS
    assert (MIGRATIONS / "env.py").is_file()


def test_a_folder_with_a_percent_sign_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    from fracas.encounters import migrating

    copy = tmp_path / "100%(here)s"
    shutil.copytree(MIGRATIONS, copy)
    monkeypatch.setattr(migrating, "MIGRATIONS", copy)
    with closing(SqlStore(str(tmp_path / "x.db"))) as store:
        store.migrate()
        begin(store)


def test_fights_of_the_first_schema_are_kept(database_url: str) -> None:
    """As release 0.2.0 stored them: without hashes, and with one seed each."""
    kind = "BYTEA" if database_url.startswith("postgres") else "BLOB"
    with closing(SqlStore(database_url)) as store:
        with store._database.writing() as connection:
            upgrade_to(connection, "0001")
        with store._database.writing() as connection:
            for statement in (
                "INSERT INTO encounters (id, title, ruleset, version, created, updated, seed) "
                "VALUES ('e1', 'Ambush', 'sr4', 1, 5, 6, CAST('0123456789abcdef' AS " + kind + "))",
                """INSERT INTO events VALUES ('e1', 1, '{"n": 1}')""",
            ):
                connection.execute(sa.text(statement.replace(":", "\\:")))
        store.migrate()
        row = store.row("e1")
        assert row is not None
        assert (row.title, row.version, row.updated, row.head) == ("Ambush", 1, 6, "")
        assert store.seed("e1") == b"0123456789abcdef"
        store.append("e1", 1, events(2, 2), deadline=None, now=7, was="any", head="ab")
        assert store.events("e1")[1:] == events(2, 2)
        row = store.row("e1")
        assert row is not None
        assert row.head == "ab"
        with pytest.raises(StaleVersionError):
            store.append("e1", 2, events(3, 3), deadline=None, now=8, was="other", head="cd")
