"""The database schema, in portable SQLAlchemy; docs/store.md explains the tables."""

from sqlalchemy import (
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Names all constraints, so that migrations can refer to them."""

GUEST = Table(
    "guest",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
)

GAME = Table(
    "game",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("phase", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("waiting", Integer, nullable=False),
    Column("deadline", Double),
    Column("seq", Integer, nullable=False),
    Column("summary", Text, nullable=False),
    Column("access", Integer, nullable=False, server_default="0"),
    Index(None, "phase", "visibility", "created_at"),
)
# The PostgreSQL condition is only in the migration: naming it here would load its dialect at every start.
Index("ix_game_deadline", GAME.c.deadline, sqlite_where=GAME.c.deadline.is_not(None))

GAME_ROW = [column for column in GAME.c if column.name != "access"]
"""The columns of a ``GameRow``. ``access`` counts changes of who may do what; it is not exported."""

SECRET = Table(
    "secret",
    METADATA,
    Column("game", Text, ForeignKey("game.id"), primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)

EVENT = Table(
    "event",
    METADATA,
    Column("game", Text, ForeignKey("game.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("command_id", Text, nullable=False),
    Column("seat", Integer),
    Column("body", Text, nullable=False),
    Column("engine", Text, nullable=False),
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    UniqueConstraint("game", "command_id"),
)

TOKEN = Table(
    "token",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("chair", Integer),
    Column("guest", Text, ForeignKey("guest.id"), index=True),
    Column("created_at", Double, nullable=False),
    Index(None, "game", "kind"),
)

HOLDING = Table(
    "holding",
    METADATA,
    Column("game", Text, ForeignKey("game.id"), primary_key=True),
    Column("chair", Integer, primary_key=True, autoincrement=False),
    Column("guest", Text, ForeignKey("guest.id"), nullable=False, index=True),
)

BAN = Table(
    "barred",
    METADATA,
    Column("game", Text, ForeignKey("game.id"), primary_key=True),
    Column("guest", Text, ForeignKey("guest.id"), primary_key=True, index=True),
    Column("missed", Integer),
)

REVIEW = Table(
    "review",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("guest", Text, ForeignKey("guest.id"), nullable=False, index=True),
    Column("subject", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("record", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("uq_review_guest_subject", "guest", "subject", unique=True),
)

EXPIRED = Table(
    "expired",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("at", Double, nullable=False, index=True),
)

PLAYED = Table(
    "played",
    METADATA,
    Column("guest", Text, ForeignKey("guest.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("ended_at", Double, nullable=False),
    Column("body", Text, nullable=False),
)

LEASE = Table(
    "lease",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", Double, nullable=False),
    Column("progress", Integer, nullable=False, server_default="0"),
)

TICKET = Table(
    "ticket",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("until", Double, nullable=False, index=True),
)
