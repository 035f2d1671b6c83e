"""Alembic runs this file. The connection, with its transaction begun, comes from fracas.encounters.migrating."""

from __future__ import annotations

from alembic import context

from fracas.encounters.tables import SCHEMA_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=SCHEMA_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
