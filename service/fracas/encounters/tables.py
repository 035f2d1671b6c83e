"""The tables of the store. A change here needs a new migration, see migrations/versions."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA = "0003"
"""The newest migration; that is, what this code expects to find."""

SCHEMA_TABLE = "fracas_schema"
"""Where Alembic writes down which migration a database has. Not its usual name, so that another program with
migrations of its own may live in the same database."""

METADATA = MetaData()


def _encounter() -> Column[str]:
    return Column("encounter", Text, ForeignKey("encounters.id", ondelete="CASCADE"), primary_key=True)


def _version() -> Column[int]:
    return Column("version", Integer, primary_key=True, autoincrement=False)


ENCOUNTERS = Table(
    "encounters",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("closed", BigInteger),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("deadline", BigInteger),
    Column("seed", LargeBinary, nullable=False),
    Column("head", Text, nullable=False, server_default=""),
    Index("encounters_deadline", "deadline"),
)

FORMER_SEEDS = Table(
    "former_seeds",
    METADATA,
    _encounter(),
    _version(),
    Column("seed", LargeBinary, nullable=False),
)
"""Seeds whose place another has taken, by the version of the event that committed to that other one."""

EVENTS = Table("events", METADATA, _encounter(), _version(), Column("body", Text, nullable=False))

SNAPSHOTS = Table("snapshots", METADATA, _encounter(), _version(), Column("body", Text, nullable=False))

COMMANDS = Table(
    "commands",
    METADATA,
    _encounter(),
    Column("token", Text, primary_key=True),
    Column("idempotency_key", Text, primary_key=True),
    Column("body_hash", Text, nullable=False),
    Column("first_version", Integer, nullable=False),
    Column("last_version", Integer, nullable=False),
)

TOKENS = Table(
    "tokens",
    METADATA,
    _encounter(),
    Column("id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("combatants", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("revoked", BigInteger),
    UniqueConstraint("hash", name="tokens_hash"),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("session", Text, primary_key=True),
    _encounter(),
    Column("token", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("sessions_created", "created"),
)
