"""How far a server has got with a review, for the other servers."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Servers of the version before leave the column out."""
    op.add_column("lease", sa.Column("progress", sa.Integer, nullable=False, server_default="0"))
