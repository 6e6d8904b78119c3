"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Guests, games with their secrets and events, and who may do what."""
    _add_guest()
    _add_game()
    _add_secret()
    _add_event()
    _add_token()
    _add_holding()


def _add_guest() -> None:
    op.create_table(
        "guest",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_guest"),
    )


def _add_game() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("waiting", sa.Integer, nullable=False),
        sa.Column("deadline", sa.Double),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
    )
    op.create_index(
        "ix_game_phase_visibility_created_at",
        "game",
        ["phase", "visibility", "created_at"],
    )
    op.create_index(
        "ix_game_deadline",
        "game",
        ["deadline"],
        sqlite_where=sa.text("deadline IS NOT NULL"),
        postgresql_where=sa.text("deadline IS NOT NULL"),
    )


def _add_secret() -> None:
    op.create_table(
        "secret",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_secret_game"),
        sa.PrimaryKeyConstraint("game", name="pk_secret"),
    )


def _add_event() -> None:
    op.create_table(
        "event",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("engine", sa.Text, nullable=False),
        sa.Column("prev_hash", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_event_game"),
        sa.PrimaryKeyConstraint("game", "seq", name="pk_event"),
        sa.UniqueConstraint("game", "command_id", name="uq_event_game_command_id"),
    )


def _add_token() -> None:
    op.create_table(
        "token",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("chair", sa.Integer),
        sa.Column("guest", sa.Text),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guest.id"], name="fk_token_guest"),
        sa.PrimaryKeyConstraint("hash", "game", name="pk_token"),
    )
    op.create_index("ix_token_game_kind", "token", ["game", "kind"])
    op.create_index("ix_token_guest", "token", ["guest"])


def _add_holding() -> None:
    op.create_table(
        "holding",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("chair", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_holding_game"),
        sa.ForeignKeyConstraint(["guest"], ["guest.id"], name="fk_holding_guest"),
        sa.PrimaryKeyConstraint("game", "chair", name="pk_holding"),
    )
    op.create_index("ix_holding_guest", "holding", ["guest"])
