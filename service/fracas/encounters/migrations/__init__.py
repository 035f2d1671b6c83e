"""Migrations of the store; Alembic runs them, see fracas.encounters.migrating."""
