"""How many shuffles at a table were given up because of a guest."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Guests that are barred were removed by the owner: nothing was counted before."""
    op.add_column("barred", sa.Column("missed", sa.Integer))
