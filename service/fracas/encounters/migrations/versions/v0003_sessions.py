"""Sessions of browsers: which tokens of fights they have shown."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("encounter", sa.Text, sa.ForeignKey("encounters.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("sessions_created", "sessions", ["created"])


def downgrade() -> None:
    op.drop_table("sessions")
