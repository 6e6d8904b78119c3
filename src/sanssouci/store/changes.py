"""The changes that can be written to a data file. One write makes all of its changes or none."""

from dataclasses import dataclass, field
from typing import TypeAlias

from .rows import BanRow, GameRow, GuestRow, HoldingRow, PlayedRow, ReviewRow, TokenKind, TokenRow

AddableRow: TypeAlias = GuestRow | TokenRow | HoldingRow | BanRow | PlayedRow | ReviewRow


@dataclass(frozen=True, slots=True)
class Add:
    """Insert a row. Games and events have their own changes."""

    row: AddableRow


@dataclass(frozen=True, slots=True)
class AddGame:
    game: GameRow
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class UpdateGame:
    """Replace the row of a game, except for ``created_at``; conflicts if its access has changed.

    So a command is not executed if its caller has lost the right to it at another server.
    """

    game: GameRow
    access: int = 0
    """``GameVersion.access`` when the caller's rights were checked."""
    changes_access: bool = False
    """Whether the same write changes who may do what."""


@dataclass(frozen=True, slots=True)
class ChangeAccess:
    """Announce that the same write changes who may do what; conflicts like ``UpdateGame``."""

    game: str
    access: int


@dataclass(frozen=True, slots=True)
class DeleteGame:
    """Delete a game with everything that belongs to it: the only change that deletes events."""

    game: str


@dataclass(frozen=True, slots=True)
class ExpireGame:
    """Delete a game like ``DeleteGame``, and remember for 30 days that it has expired."""

    game: str
    at: float
    seq: int | None = None
    """The last event that the caller knows; conflicts if there is a later one."""


@dataclass(frozen=True, slots=True)
class AppendEvent:
    """Append the next event of a game; its hash is computed when it is written."""

    game: str
    seq: int
    command_id: str
    seat: int | None
    body: str = field(repr=False)
    engine: str


@dataclass(frozen=True, slots=True)
class RenameGuest:
    guest: str
    name: str


@dataclass(frozen=True, slots=True)
class SeeGuest:
    """Update when a guest was last seen; does nothing if the guest is gone."""

    guest: str
    at: float


@dataclass(frozen=True, slots=True)
class ForgetGuest:
    """Delete a guest with all tokens, chairs, seat links, reviews and results; games stay."""

    guest: str


@dataclass(frozen=True, slots=True)
class DropPlayed:
    """Delete all results of a guest; the guest and the games stay."""

    guest: str


@dataclass(frozen=True, slots=True)
class FinishReview:
    """Store a finished review; does nothing if the review is gone, or was finished before."""

    review: str = field(repr=False)
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DropReview:
    review: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DropReviewOf:
    """Delete a guest's review of a game, also if its row is damaged."""

    guest: str
    subject: str


@dataclass(frozen=True, slots=True)
class DropTokens:
    """Revoke the tokens of a kind, of one chair or of all."""

    game: str
    kind: TokenKind
    chair: int | None = None


@dataclass(frozen=True, slots=True)
class FreeChair:
    game: str
    chair: int


@dataclass(frozen=True, slots=True)
class SetBan:
    """Insert or replace a ``BanRow``."""

    game: str
    guest: str
    missed: int | None = None


@dataclass(frozen=True, slots=True)
class LiftBans:
    """Lift all bans of a game, and forget which shuffles were given up."""

    game: str


@dataclass(frozen=True, slots=True)
class Lease:
    """Let one server work on a game or a review until a time; conflicts while another one does."""

    game: str = field(repr=False)
    """The game, or the review, whose id is secret."""
    holder: str
    now: float
    until: float


@dataclass(frozen=True, slots=True)
class RenewLease:
    """Change the end of a server's lease; conflicts if it has lost the lease, or the work is done."""

    game: str = field(repr=False)
    holder: str
    until: float
    progress: int


@dataclass(frozen=True, slots=True)
class EndLease:
    """Let other servers work on a game at once."""

    game: str = field(repr=False)
    holder: str


@dataclass(frozen=True, slots=True)
class AddTicket:
    """Keep a ticket, and delete those that have expired."""

    hash: str = field(repr=False)
    body: str = field(repr=False)
    now: float
    until: float


@dataclass(frozen=True, slots=True)
class UseTicket:
    """Delete a ticket; conflicts if it was used before."""

    hash: str = field(repr=False)


AccessChange: TypeAlias = Add | DropTokens | FreeChair | SetBan | LiftBans
"""Changes to the permissions of guests in a game."""
Change: TypeAlias = (
    AppendEvent
    | UpdateGame
    | ChangeAccess
    | AddGame
    | DeleteGame
    | ExpireGame
    | AccessChange
    | RenameGuest
    | SeeGuest
    | ForgetGuest
    | DropPlayed
    | FinishReview
    | DropReview
    | DropReviewOf
    | Lease
    | RenewLease
    | EndLease
    | AddTicket
    | UseTicket
)
DELETIONS = (ForgetGuest, DropPlayed, DropReview, DropReviewOf, DeleteGame, ExpireGame)
"""Changes after which no trace of the deleted rows may stay on the disk, not even in the log."""


def stored_bytes(change: Change) -> int:
    """By how much a change enlarges the data file, indexes included: a bound, not an exact figure."""
    match change:
        case AppendEvent(body=text):
            return 400 + len(text) * 5 // 4
        case AddGame(game):
            return 600 + len(game.summary) * 5 // 4
        case Add(ReviewRow(record=text)) | Add(PlayedRow(body=text)) | FinishReview(body=text):
            return 400 + len(text) * 5 // 4
        case Add() | SetBan():
            return 250
        case _:
            return 0
