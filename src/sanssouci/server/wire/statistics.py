"""What a guest has played."""

from typing import Annotated, Literal

from pydantic import Field

from .game_view import Garden, Score
from .scalars import Edition, Expansion, Moment, SeatNumber, TableText, WireDict


class SeatTotal(WireDict):
    """A seat of a game that was played."""

    player: str | None
    """Which computer player; null for a person."""
    total: int
    """Its points."""


class Ended(WireDict):
    """How a game ended for a guest."""

    edition: Edition
    """Which edition was played."""
    expansions: list[Expansion]
    """Which expansions were played."""
    manner: Literal["played", "conceded"]
    """To the last turn, or until only computers were left; then points are as they stood."""
    seat: SeatNumber
    """Your seat in turn order."""
    winners: list[SeatNumber]
    """The seats that have won; several share it."""
    conceded: bool
    """Whether you gave up."""
    taken_back: Annotated[int, Field(ge=0)]
    """How many turns were taken back."""
    seats: Annotated[list[SeatTotal], Field(min_length=2, max_length=4)]
    """In turn order."""
    score: Score
    """Your points by part."""


class Outcome(Ended):
    """The same with the garden, as it is kept."""

    garden: Garden
    """Your garden at the end."""


class PlayedGame(Ended):
    """A game that you have played."""

    table: TableText
    """Where."""
    ended_at: Moment
    """When it ended."""


class BestGarden(WireDict):
    """The garden of your best game."""

    table: TableText
    """Which game."""
    garden: Garden
    """The garden at its end."""


class StatisticsAnswer(WireDict):
    """What you have played."""

    games: list[PlayedGame]
    """At most a thousand, the last one first."""
    best: BestGarden | None
    """Of the game with the most points that you played to its end, if there is one."""


class DeletedAnswer(WireDict):
    """Your statistics are deleted."""

    deleted: bool
    """Always true."""
