"""What came of the games of a guest."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Of games that ended before nothing is known."""
    op.create_table(
        "played",
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("ended_at", sa.Double, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guest.id"], name="fk_played_guest"),
        sa.PrimaryKeyConstraint("guest", "game", name="pk_played"),
    )
