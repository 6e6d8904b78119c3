"""A game in progress at a terminal: seats, picks and turns so far."""

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
"""Faults after which a program is no longer asked, so that one that hangs does not stall the game."""
_BEFORE_THE_GAME = 1_000_000
"""The number of the random stream for picks; turns use their own number."""


@dataclass(frozen=True)
class Seat:
    """A person, a computer player by name, or a program from the command line."""

    name: str
    player: str | ExternalEngine

    @property
    def is_person(self) -> bool:
        return self.player == PERSON


class Session:
    """The game so far, changed only by ``pick`` and ``play``; seed, picks and turns reproduce it."""

    def __init__(
        self, variant: Variant, boards: BoardSet, seats: tuple[Seat, ...], dealer: FairDealer
    ) -> None:
        self.variant = variant
        self.boards = boards
        self.seats = seats
        self.dealer = dealer
        self.budget = Budget()
        """The budget of a computer player for a turn."""
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
        """The current state; only after the setup."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        return bool(self.states) and self.state.over

    def seats_to_pick(self) -> list[int]:
        """The seats that have to pick a side now; empty after the setup."""
        return self._preparation.seats_to_pick()

    def pick(self, seat: int, side: int) -> None:
        self._preparation.pick(seat, side)
        self._begin_if_dealt()

    def play(self, turn: Turn) -> State:
        """Play a turn for the seat to move; the dealer draws."""
        deal = self._preparation.deal
        assert deal is not None, "sides are picked before the first turn"
        self.states.append(self.state.play(turn, deal.chance(self.state.turn)))
        self.turns.append(turn)
        return self.state

    def computer(self, seat: int) -> Guard:
        """The computer player of a seat; its random numbers follow from seed and turn, also after a resume.

        A program runs for the whole game; other players are created for every turn.
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
        """Tell programs the result, or stop them if the game is not over."""
        for guard in self._programs.values():
            guard.finish(Result.of(self.state) if self.over else None)
        stop_engines()

    def record(self) -> Record:
        """The record of the game so far, including hidden information."""
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
    """A guarded player: a fault does not end the game, and it is asked again next time."""
    try:
        return Guard(make_player(player, stream, budget), chances=_CHANCES)
    except BrokenPlayer as error:
        return Guard(UnavailablePlayer(error), chances=_CHANCES)
