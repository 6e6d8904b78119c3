"""What can be written. Changes that are written together are kept together or not at all."""

from dataclasses import dataclass, field
from typing import TypeAlias

from .rows import GameRow, GuestRow, PlayedRow, ReviewRow, TokenKind, TokenRow


@dataclass(frozen=True, slots=True)
class AddGuest:
    """A new guest."""

    guest: GuestRow


@dataclass(frozen=True, slots=True)
class RenameGuest:
    """A guest has chosen another name."""

    guest: str
    name: str


@dataclass(frozen=True, slots=True)
class SeeGuest:
    """A guest, if still there, was seen at some moment."""

    guest: str
    at: float


@dataclass(frozen=True, slots=True)
class ForgetGuest:
    """A guest goes, with all tokens and chairs, their links, reviews, and what came of games; games stay."""

    guest: str


@dataclass(frozen=True, slots=True)
class AddPlayed:
    """What came of a game for a guest."""

    played: PlayedRow


@dataclass(frozen=True, slots=True)
class DropPlayed:
    """What came of all games of a guest is forgotten; the guest stays, and so do the games."""

    guest: str


@dataclass(frozen=True, slots=True)
class AddReview:
    """A guest looks back at a game."""

    review: ReviewRow


@dataclass(frozen=True, slots=True)
class FinishReview:
    """What was found in a review, if it is still there."""

    review: str = field(repr=False)
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DropReview:
    """A review is forgotten, and its link leads nowhere."""

    review: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AddGame:
    """A new game, with its seed."""

    game: GameRow
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class UpdateGame:
    """What lists say of a game from now on; when it was created stays."""

    game: GameRow


@dataclass(frozen=True, slots=True)
class DeleteGame:
    """A game goes with all that belongs to it: the only change that ever takes an event away."""

    game: str


@dataclass(frozen=True, slots=True)
class AppendEvent:
    """The next event of a game; its place in the chain is computed when it is written."""

    game: str
    seq: int
    command_id: str
    seat: int | None
    body: str = field(repr=False)
    engine: str


@dataclass(frozen=True, slots=True)
class AddToken:
    """A token that somebody was given."""

    token: TokenRow


@dataclass(frozen=True, slots=True)
class DropTokens:
    """The tokens of a kind are worth nothing any more: those of one chair, or of all."""

    game: str
    kind: TokenKind
    chair: int | None = None


@dataclass(frozen=True, slots=True)
class AssignSeat:
    """A guest takes a chair that nobody holds."""

    game: str
    chair: int
    guest: str


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Nobody holds the chair any more."""

    game: str
    chair: int


@dataclass(frozen=True, slots=True)
class Ban:
    """A guest may not join the game any more."""

    game: str
    guest: str


@dataclass(frozen=True, slots=True)
class Unban:
    """Whoever was barred from a game may join it again."""

    game: str


GuestChange: TypeAlias = AddGuest | RenameGuest | SeeGuest | ForgetGuest | AddPlayed | DropPlayed
ReviewChange: TypeAlias = AddReview | FinishReview | DropReview
AccessChange: TypeAlias = AddToken | DropTokens | AssignSeat | FreeSeat | Ban | Unban
"""Who may do what at a game."""
Change: TypeAlias = (
    AppendEvent | UpdateGame | AddGame | DeleteGame | GuestChange | AccessChange | ReviewChange
)
FORGETTING = (ForgetGuest, DropPlayed, DropReview, DeleteGame)
"""What takes rows away for good: nothing of them may stay on the disk."""
