"""What several servers on one PostgreSQL database need to know of each other."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_KEYS = {
    "guest": ("id",),
    "game": ("id", "phase", "visibility"),
    "secret": ("game",),
    "event": ("game", "command_id"),
    "token": ("hash", "game", "kind", "guest"),
    "holding": ("game", "guest"),
    "barred": ("game", "guest"),
    "played": ("guest", "game"),
    "review": ("id", "guest"),
    "expired": ("game",),
}


def upgrade() -> None:
    """Games count changes of who may do what; servers lease due games; tickets are valid at every server."""
    op.add_column("game", sa.Column("access", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "lease",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_lease"),
    )
    op.create_table(
        "ticket",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_ticket"),
    )
    op.create_index("ix_ticket_until", "ticket", ["until"])
    if op.get_bind().dialect.name == "postgresql":
        _compare_bytes()


def _compare_bytes() -> None:
    """Sort ids as SQLite does, so that lists and exports have the same order on both."""
    for table, columns in _KEYS.items():
        for column in columns:
            op.execute(f'ALTER TABLE {table} ALTER COLUMN {column} TYPE text COLLATE "C"')
