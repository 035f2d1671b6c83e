"""Encounters, their events, snapshots, commands and tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "encounters",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("closed", sa.BigInteger),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("seed", sa.LargeBinary, nullable=False),
    )
    op.create_index("encounters_deadline", "encounters", ["deadline"])
    for name in ("events", "snapshots"):
        op.create_table(
            name,
            _encounter(),
            sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
            sa.Column("body", sa.Text, nullable=False),
        )
    op.create_table(
        "commands",
        _encounter(),
        sa.Column("token", sa.Text, primary_key=True),
        sa.Column("idempotency_key", sa.Text, primary_key=True),
        sa.Column("body_hash", sa.Text, nullable=False),
        sa.Column("first_version", sa.Integer, nullable=False),
        sa.Column("last_version", sa.Integer, nullable=False),
    )
    op.create_table(
        "tokens",
        _encounter(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("combatants", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.BigInteger),
        sa.UniqueConstraint("hash", name="tokens_hash"),
    )


def downgrade() -> None:
    for name in ("tokens", "commands", "snapshots", "events", "encounters"):
        op.drop_table(name)


def _encounter() -> sa.Column[str]:
    return sa.Column(
        "encounter", sa.Text, sa.ForeignKey("encounters.id", ondelete="CASCADE"), primary_key=True
    )
