"""Bringing a database to the schema that this code expects."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from fracas.encounters.databases import ConflictError, Database
from fracas.encounters.tables import SCHEMA, SCHEMA_TABLE
from fracas.errors import DatabaseError

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"

ADVISORY_LOCK = 0x46524143
"""Under this number PostgreSQL lets one process migrate at a time."""

_one_at_a_time = Lock()  # Alembic keeps what it works on in a global variable


def migrate(database: Database) -> None:
    """Runs the migrations that are missing, all in one transaction; the same at once elsewhere waits.

    Raises:
        DatabaseError: the schema is newer than this code, or something else has tables of these names.
    """
    with database.reading() as connection:
        if _schema(connection) == SCHEMA:
            return
    with _one_at_a_time:
        try:
            with database.writing() as connection:
                if database.postgres:
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK)))
                if (found := _schema(connection)) != SCHEMA:
                    _upgrade(connection, found, database.shown)
        except ConflictError as error:
            raise database.failure(error.reason) from error


def _schema(connection: Connection) -> str | None:
    if not sa.inspect(connection).has_table(SCHEMA_TABLE):
        return None
    found: str | None = connection.scalar(sa.text(f"SELECT version_num FROM {SCHEMA_TABLE}"))
    return found


def upgrade_to(connection: Connection, schema: str) -> None:
    """Runs the migrations up to that of a schema, or to the newest for ``head``."""
    from alembic import command

    command.upgrade(_config(connection), schema)


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection, found: str | None, shown: str) -> None:
    from alembic.script import ScriptDirectory

    config = _config(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise DatabaseError(
            f"the database {shown} has schema {found!r}, and this version of Fracas knows none newer than "
            f"{SCHEMA!r}: use the version that wrote it, or a later one"
        )
    upgrade_to(connection, "head")
