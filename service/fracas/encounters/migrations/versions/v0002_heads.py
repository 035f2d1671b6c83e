"""The hash of each encounter's last event, and the seeds whose place another has taken."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("encounters", sa.Column("head", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "former_seeds",
        sa.Column("encounter", sa.Text, sa.ForeignKey("encounters.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("former_seeds")
    op.drop_column("encounters", "head")
