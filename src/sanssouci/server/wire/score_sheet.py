"""What a real table comes to, and what a set of boards holds."""

from typing import Annotated

from pydantic import Field

from .errors import ErrorBody
from .game_view import Marks
from .scalars import Card, Hash, SeatNumber, Square, WireDict

Points = Annotated[int | None, Field(description="Of the track; null where it cannot be told apart.")]


class SeatScore(WireDict):
    """The points of a seat at a real table."""

    total: int
    """The track and all that the end adds."""
    track: int
    """What was scored on the way, as entered."""
    track_nobles: Points
    track_rewards: Points
    track_boar: Points
    rows: int
    """Complete rows (R25)."""
    columns: int
    """Complete columns (R26)."""
    missions: int
    """Those missions that are told (R27)."""
    boar: int
    """What the boar costs at the end (R37): 0 or less."""
    gardeners: int
    """They break a tie (R28)."""
    built: int
    """How many squares are built."""
    refusals: list[ErrorBody]
    """What cannot be, each with its rule; the points are told anyway."""


class ScoresAnswer(WireDict):
    """What a real table comes to."""

    seats: list[SeatScore]
    """In the order in which they were entered."""
    tied: list[SeatNumber]
    """The seats with the most points."""
    winners: list[SeatNumber]
    """R28: of those the ones with the most gardeners; several share the victory. Nobody, as long as something
    is refused."""
    finished: bool
    """Whether these can be the gardens of a game's end, and all missions are told; if not, the points are
    those of a game that would end now."""
    built_least: int
    """How many squares are built at the end, at least."""
    built_most: int
    """The same at most; less only where a reward board hides some."""


class BoardsAnswer(WireDict):
    """A set of boards that can be played on."""

    name: str
    """Its name."""
    sha256: Hash
    """The hash of its contents."""
    boar_can_start: bool
    """Whether the wild boar can be played without rewards: e4 is free (R34)."""
    pairs: list[Card]
    """The eight colour cards that every seat has."""
    gardens: list[list[list[Square]]]
    """Per board, per side: the printed squares of rows 2-6."""
    rewards: list[list[Marks]]
    """Per board, per side: the marks."""
