"""The changes that can be written to a data file. One write makes all of its changes or none."""

from dataclasses import dataclass, field
from typing import TypeAlias

from .rows import GameRow, GuestRow, PlayedRow, ReviewRow, TokenKind, TokenRow


@dataclass(frozen=True, slots=True)
class AddGuest:
    guest: GuestRow


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
class AddPlayed:
    played: PlayedRow


@dataclass(frozen=True, slots=True)
class DropPlayed:
    """Delete all results of a guest; the guest and the games stay."""

    guest: str


@dataclass(frozen=True, slots=True)
class AddReview:
    review: ReviewRow


@dataclass(frozen=True, slots=True)
class FinishReview:
    """Store a finished review; does nothing if the review is gone."""

    review: str = field(repr=False)
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DropReview:
    review: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AddGame:
    game: GameRow
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class UpdateGame:
    """Replace the row of a game, except for ``created_at``."""

    game: GameRow


@dataclass(frozen=True, slots=True)
class DeleteGame:
    """Delete a game with everything that belongs to it: the only change that deletes events."""

    game: str


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
class AddToken:
    token: TokenRow


@dataclass(frozen=True, slots=True)
class DropTokens:
    """Revoke the tokens of a kind, of one chair or of all."""

    game: str
    kind: TokenKind
    chair: int | None = None


@dataclass(frozen=True, slots=True)
class AssignSeat:
    """Give a free chair to a guest."""

    game: str
    chair: int
    guest: str


@dataclass(frozen=True, slots=True)
class FreeSeat:
    game: str
    chair: int


@dataclass(frozen=True, slots=True)
class Ban:
    game: str
    guest: str


@dataclass(frozen=True, slots=True)
class Unban:
    """Lift all bans of a game."""

    game: str


GuestChange: TypeAlias = AddGuest | RenameGuest | SeeGuest | ForgetGuest | AddPlayed | DropPlayed
ReviewChange: TypeAlias = AddReview | FinishReview | DropReview
AccessChange: TypeAlias = AddToken | DropTokens | AssignSeat | FreeSeat | Ban | Unban
"""Changes to the permissions of guests in a game."""
Change: TypeAlias = (
    AppendEvent | UpdateGame | AddGame | DeleteGame | GuestChange | AccessChange | ReviewChange
)
DELETIONS = (ForgetGuest, DropPlayed, DropReview, DeleteGame)
"""Changes after which no trace of the deleted rows may stay on the disk, not even in the log."""
