"""Lobbies that were deleted because nobody used them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """None has expired yet."""
    op.create_table(
        "expired",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_expired"),
    )
    op.create_index("ix_expired_at", "expired", ["at"])
