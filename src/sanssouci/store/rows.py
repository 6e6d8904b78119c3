"""What is kept, row by row. What may not be seen is not in a row's repr, so that no log can show it."""

from dataclasses import dataclass, field
from enum import StrEnum
from math import inf

LAST_MOMENT = 253_402_300_800.0
"""The year 10000: no calendar shows what comes after, and no server has written it."""


PLACES = range(-1, 4)
"""The chairs of a table, counted from 0, and the place of its owner before them."""


class TokenKind(StrEnum):
    """What the holder of a token may do."""

    GUEST = "guest"
    SEAT = "seat"
    JOIN = "join"
    WATCH = "watch"


@dataclass(frozen=True, slots=True)
class GuestRow:
    """Somebody who has chosen a name."""

    id: str
    name: str
    created_at: float
    seen_at: float
    """When the guest last asked for anything, to the day."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """What lists of games need to know of one."""

    id: str
    created_at: float
    updated_at: float
    phase: str
    """Open games are looked for in ``lobby``; whatever is not ``over`` is unfinished."""
    visibility: str
    waiting: int
    """The chairs that are to act, a bit for each; none for a person who is away."""
    deadline: float | None
    seq: int
    """Of its last event; -1 before the first."""
    summary: str


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event of a game, with its place in the chain of hashes."""

    game: str
    seq: int
    command_id: str
    seat: int | None
    """Who did it, if anybody."""
    body: str = field(repr=False)
    engine: str
    """The version of the program that decided it."""
    prev_hash: str = field(repr=False)
    hash: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token that somebody holds, as its SHA-256; a guest's own token has the game ``""``."""

    hash: str = field(repr=False)
    game: str
    kind: TokenKind
    chair: int | None
    guest: str | None
    created_at: float


@dataclass(frozen=True, slots=True)
class HoldingRow:
    """Which guest holds which chair."""

    game: str
    chair: int
    guest: str


@dataclass(frozen=True, slots=True)
class BanRow:
    """A guest who may not join a game any more."""

    game: str
    guest: str


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """What came of a game for a guest; it stays with the guest, also when the game is pruned."""

    guest: str
    game: str
    ended_at: float
    body: str


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A game that a guest looks back at; whoever knows its id may see it."""

    id: str = field(repr=False)
    guest: str
    subject: str
    """The hash of the record: the same game is the same subject."""
    created_at: float
    record: str = field(repr=False)
    body: str = field(repr=False)
    """What was found; empty until all is."""


@dataclass(frozen=True, slots=True)
class HeldGame:
    """A game of a guest, with the chairs that the guest holds there."""

    game: GameRow
    chairs: tuple[int, ...]


OpenPlace = tuple[float, str]
"""A place in the list of open games: when the game there was created, and its id."""
OwnPlace = tuple[int, float, str]
"""A place in the list of a guest's games: whether it waits (1 or 0), when it last moved, and its id."""
FIRST_OPEN: OpenPlace = (inf, "")
FIRST_OWN: OwnPlace = (2, inf, "")
