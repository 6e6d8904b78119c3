"""When a guest was last seen, and who may not join a game any more."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Guests of before were last seen when they came."""
    op.add_column("guest", sa.Column("seen_at", sa.Double, nullable=False, server_default="0"))
    op.execute("UPDATE guest SET seen_at = created_at")
    op.create_table(
        "barred",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_barred_game"),
        sa.ForeignKeyConstraint(["guest"], ["guest.id"], name="fk_barred_guest"),
        sa.PrimaryKeyConstraint("game", "guest", name="pk_barred"),
    )
    op.create_index("ix_barred_guest", "barred", ["guest"])
