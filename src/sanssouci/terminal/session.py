"""A game in progress at a terminal: who sits where, what was picked and played so far."""

from dataclasses import dataclass

from sanssouci.dealer import BulkGame, FairDealer, Preparation, Stream, write_boards_dealt, write_fair
from sanssouci.editions import BoardSet
from sanssouci.notation import Record, write_result, write_turn
from sanssouci.players import (
    BrokenPlayer,
    Budget,
    ExternalEngine,
    Guard,
    UnavailablePlayer,
    make_player,
    stop_engines,
)
from sanssouci.rules import Result, Setup, State, Turn, Variant

PERSON = "person"
_CHANCES = 3
"""How often a program may fail before it is asked no more: one that hangs must not stall a game."""
_BEFORE_THE_GAME = 1_000_000
"""The number of the stream for picks; turns use their own number."""


@dataclass(frozen=True)
class Seat:
    """Who sits at a place: a person, or a computer player by name, or a program that was typed."""

    name: str
    player: str | ExternalEngine

    @property
    def is_person(self) -> bool:
        """Whether someone at the terminal decides for it."""
        return self.player == PERSON


class Session:
    """The game so far. ``pick`` and ``play`` are the only ways on; seed, picks and turns give it again."""

    def __init__(
        self, variant: Variant, boards: BoardSet, seats: tuple[Seat, ...], dealer: FairDealer
    ) -> None:
        self.variant = variant
        self.boards = boards
        self.seats = seats
        self.dealer = dealer
        self.budget = Budget()
        """What a computer player may spend on a turn."""
        self.turns: list[Turn] = []
        self.states: list[State] = []
        self._programs: dict[int, Guard] = {}
        self._preparation = Preparation(variant, boards, dealer)
        self._begin_if_dealt()

    @property
    def setup(self) -> Setup:
        """The set-up, with the sides picked so far."""
        return self._preparation.setup

    @property
    def state(self) -> State:
        """The state now; only once the game has begun."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """Whether the last turn has been played."""
        return bool(self.states) and self.state.over

    def seats_to_pick(self) -> list[int]:
        """The seats that have a side to pick now; none once the game has begun."""
        return self._preparation.seats_to_pick()

    def pick(self, seat: int, side: int) -> None:
        """A seat picks a side."""
        self._preparation.pick(seat, side)
        self._begin_if_dealt()

    def play(self, turn: Turn) -> State:
        """Play a turn of the seat to move; chance answers."""
        deal = self._preparation.deal
        assert deal is not None, "sides are picked before the first turn"
        self.states.append(self.state.play(turn, deal.chance(self.state.turn)))
        self.turns.append(turn)
        return self.state

    def computer(self, seat: int) -> Guard:
        """The computer player of a seat; what it draws follows from seed and turn, also after a resume.

        A program plays on for the whole game; others are made anew for every turn.
        """
        if seat not in self._programs:
            number = self.state.turn if self.states else _BEFORE_THE_GAME
            guard = _guard(
                self.seats[seat].player, BulkGame(self.dealer.seed, number).stream(seat), self.budget
            )
            if isinstance(self.seats[seat].player, str):
                return guard
            self._programs[seat] = guard
        return self._programs[seat]

    def dismiss(self) -> None:
        """Programs hear how the game ended; from one that is not over they are sent away."""
        for guard in self._programs.values():
            guard.finish(Result.of(self.state) if self.over else None)
        stop_engines()

    def record(self) -> Record:
        """The record of the game so far; it shows everything that is hidden."""
        deal = self._preparation.deal
        assert deal is not None, "a record begins after the sides were picked"
        return Record(
            deal,
            tuple({"name": seat.name, "player": str(seat.player)} for seat in self.seats),
            tuple(map(write_turn, self.turns)),
            write_result(Result.of(self.state)) if self.over else None,
            write_fair(self.dealer),
            write_boards_dealt(self._preparation.dealt_boards()),
        )

    def _begin_if_dealt(self) -> None:
        if self._preparation.deal is not None and not self.states:
            self.states.append(self._preparation.deal.start())


def _guard(player: str | ExternalEngine, stream: Stream, budget: Budget) -> Guard:
    """A computer player that the game does not stop for: after a fault it is asked again next time."""
    try:
        return Guard(make_player(player, stream, budget), chances=_CHANCES)
    except BrokenPlayer as error:
        return Guard(UnavailablePlayer(error), chances=_CHANCES)
