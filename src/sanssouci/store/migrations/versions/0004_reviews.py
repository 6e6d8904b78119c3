"""Reviews of games, each under the id that is its link."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """There are none yet."""
    op.create_table(
        "review",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guest.id"], name="fk_review_guest"),
        sa.PrimaryKeyConstraint("id", name="pk_review"),
    )
    op.create_index("ix_review_guest", "review", ["guest"])
