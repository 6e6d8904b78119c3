"""A record step by step, as it is answered."""

from .events import PlayEvent
from .game_view import GameView
from .scalars import Card, SeatNumber, WireDict


class StepSeat(WireDict):
    """Who played on a seat."""

    name: str
    """What the record calls them; the number of the seat if nothing."""
    player: str | None
    """Which computer player; null for people."""


class Step(WireDict):
    """One position, with everything open."""

    game: GameView
    """As a spectator sees it, but with the missions of all seats."""
    hands: list[list[Card]]
    """Per seat its cards."""


class StepsAnswer(WireDict):
    """Every position of a record, and every turn between them."""

    seats: list[StepSeat]
    """In turn order."""
    winners: list[SeatNumber] | None
    """Who won by the rules; null if turns are missing."""
    steps: list[Step]
    """The positions: before the first turn, and after each."""
    tellings: list[PlayEvent]
    """The turns as a table tells them: `seq` is the number of the position that a turn leads to, `chair` the
    seat, `at` 0, and every `draw` is told."""
