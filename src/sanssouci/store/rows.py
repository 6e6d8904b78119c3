"""The rows of the tables. Secret fields are not in a row's repr, so that no log can show them."""

from dataclasses import dataclass, field
from enum import StrEnum
from math import inf

from pydantic import ConfigDict

LAST_MOMENT = 253_402_300_800.0
"""The year 10000, in seconds: the end of the range of ``datetime``, so a later time is damage."""


PLACES = range(-1, 4)
"""The chairs of a table, counted from 0; -1 is the place of its owner."""


class Row:
    """The base of all rows: says how a row of an export is read from JSON."""

    __slots__ = ()
    __pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False, val_json_bytes="hex")


class TokenKind(StrEnum):
    """What the holder of a token may do."""

    GUEST = "guest"
    SEAT = "seat"
    JOIN = "join"
    WATCH = "watch"


@dataclass(frozen=True, slots=True)
class GuestRow(Row):
    """A person who has chosen a name."""

    id: str
    name: str
    created_at: float
    seen_at: float
    """The day of the guest's last request."""


@dataclass(frozen=True, slots=True)
class GameRow(Row):
    """The current state of a game, as far as lists show it."""

    id: str
    created_at: float
    updated_at: float
    phase: str
    """``lobby``, ``picking``, ``playing`` or ``over``."""
    visibility: str
    waiting: int
    """A bit for each chair that has to act, except for people who are away."""
    deadline: float | None
    seq: int
    """The seq of the last event; -1 before the first."""
    summary: str


@dataclass(frozen=True, slots=True)
class GameVersion:
    """Changes with everything that a server keeps of a game in memory."""

    seq: int
    access: int
    """Counts the changes of who may do what, which are not events."""


@dataclass(frozen=True, slots=True)
class EventRow(Row):
    """One event of a game, with its place in the chain of hashes."""

    game: str
    seq: int
    command_id: str
    seat: int | None
    """The seat that acted, if one did."""
    body: str = field(repr=False)
    engine: str
    """The version of the program that wrote the event."""
    prev_hash: str = field(repr=False)
    hash: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TokenRow(Row):
    """The SHA-256 of a token; ``game`` is empty for a guest's own token."""

    hash: str = field(repr=False)
    game: str
    kind: TokenKind
    chair: int | None
    guest: str | None
    created_at: float


@dataclass(frozen=True, slots=True)
class HoldingRow(Row):
    """The guest who holds a chair."""

    game: str
    chair: int
    guest: str


@dataclass(frozen=True, slots=True)
class BanRow(Row):
    """A guest's ban from a game, or the count of missed shuffles that leads to one."""

    game: str
    guest: str
    missed: int | None = None
    """How many shuffles were given up because of the guest; None if the owner has removed the guest."""


@dataclass(frozen=True, slots=True)
class PlayedRow(Row):
    """The result of a game for a guest; it outlives the game."""

    guest: str
    game: str
    ended_at: float
    body: str


@dataclass(frozen=True, slots=True)
class ReviewRow(Row):
    """A review of a finished game, visible to anyone who knows its id."""

    id: str = field(repr=False)
    guest: str
    subject: str
    """The hash of the record, so that the same game is the same subject."""
    created_at: float
    record: str = field(repr=False)
    body: str = field(repr=False)
    """The finished review; empty until then."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A game as a server keeps it in memory, all of the same moment."""

    game: GameRow
    access: int
    events: list[EventRow]
    """Perhaps only the last ones."""
    seed: bytes = field(repr=False)
    holdings: list[HoldingRow]
    tokens: list[TokenRow]


@dataclass(frozen=True, slots=True)
class LatestEvents:
    """The last events of a game."""

    access: int
    """How often rights at the table have changed."""
    events: list[EventRow]


@dataclass(frozen=True, slots=True)
class HeldGame:
    """A game with the chairs that a guest holds in it."""

    game: GameRow
    chairs: tuple[int, ...]


OpenTablesCursor = tuple[float, str]
"""A cursor in the list of open games: when a game was created, and its id."""
OwnTablesCursor = tuple[int, float, str]
"""A cursor in the list of a guest's games: whether one awaits the guest (1 or 0), its last change, its id."""
FIRST_OPEN: OpenTablesCursor = (inf, "")
FIRST_OWN: OwnTablesCursor = (2, inf, "")
