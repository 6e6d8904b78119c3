"""A game in which chance is a player: every draw, also those of the set-up, is an explicit outcome.

The draws come in this order: for each seat its garden board, then the sides; two missions for each seat; the
reward boards and sides; two cards for each seat; the ten tiles of the display. After every turn the tile that
refills the display is drawn, then the card, as long as there are any.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from sanssouci.rules import (
    CARDS_OF_A_SEAT,
    COLUMNS,
    DISPLAYED,
    HAND,
    Chance,
    State,
    Turn,
    members,
    opening,
    set_of,
)

from .game import Settings
from .stages import Chosen, legal_actions, turn_of

GARDEN, GARDEN_SIDE, MISSION, REWARD, REWARD_SIDE, CARD, TILE = (
    "garden",
    "garden side",
    "mission",
    "reward board",
    "reward side",
    "card",
    "tile",
)
HIDDEN = (MISSION, CARD)
"""Draws that only their seat sees."""
SHARED = -1
"""Stands for the seat of draws that belong to all."""


class Draw(NamedTuple):
    """One outcome of chance."""

    kind: str
    seat: int
    outcome: int


class Event(NamedTuple):
    """A draw or a turn, in the order of the game."""

    draw: Draw | None
    turn: Turn | None
    seat: int


@dataclass(frozen=True, slots=True)
class ChanceGame:
    """A position of the game; every step gives a new one."""

    settings: Settings
    events: tuple[Event, ...] = ()
    state: State | None = None
    """The state of the game; None while it is dealt."""
    chosen: Chosen = ()
    pending: Turn | None = None
    """A turn that has been decided and waits for its draws."""

    def __deepcopy__(self, memo: object) -> "ChanceGame":
        return self  # nothing in it ever changes

    @property
    def over(self) -> bool:
        return self.state is not None and self.state.over

    @property
    def to_move(self) -> int | None:
        """The seat that must decide; None if chance must, or the game is over."""
        if self.state is None or self.pending is not None or self.state.over:
            return None
        return self.state.to_move

    def legal(self) -> tuple[int, ...]:
        """The legal stage actions of the seat to move."""
        assert self.state is not None
        return legal_actions(self.state.options(), self.chosen)

    def outcomes(self) -> dict[int, Fraction]:
        """The possible outcomes of the next draw, with their probabilities."""
        weights = self._weights(*self._next_draw())
        return {outcome: Fraction(weight, sum(weights.values())) for outcome, weight in weights.items()}

    def step(self, action: int) -> "ChanceGame":
        """The position after an action of the seat to move, or after an outcome of chance."""
        if self.to_move is None:
            return self._drawn(action)
        assert self.state is not None
        chosen = (*self.chosen, action)
        turn = turn_of(self.state.options(), chosen)
        if turn is None:
            return replace(self, chosen=chosen)
        event = Event(None, turn, self.state.to_move)
        return replace(self, events=(*self.events, event), chosen=(), pending=turn)._settled()

    def _drawn(self, outcome: int) -> "ChanceGame":
        kind, seat = self._next_draw()
        if outcome not in self._weights(kind, seat):
            raise ValueError(f"chance cannot draw {outcome} now")
        events = (*self.events, Event(Draw(kind, seat, outcome), None, seat))
        return replace(self, events=events)._settled()

    def _settled(self) -> "ChanceGame":
        """The position with everything applied whose draws are complete."""
        if self._missing_draws():
            return self
        if self.state is None:
            return replace(self, state=self._opening())
        assert self.pending is not None
        drawn = {
            event.draw.kind: event.draw.outcome for event in self._since_turn() if event.draw is not None
        }
        state = self.state.play(self.pending, Chance(drawn.get(TILE), drawn.get(CARD)))
        return replace(self, state=state, pending=None)

    def _next_draw(self) -> tuple[str, int]:
        return self._missing_draws()[0]

    def _missing_draws(self) -> list[tuple[str, int]]:
        """The kind and the seat of every draw that is still to come before the next decision."""
        if self.state is None:
            return setup_draws(self.settings)[len(self.events) :]
        if self.pending is None:
            return []
        seat = self.state.to_move
        wanted = [(TILE, SHARED)] * any(self.state.pouch) + [(CARD, seat)] * bool(self.state.piles[seat])
        return wanted[len(self._since_turn()) :]

    def _since_turn(self) -> tuple[Event, ...]:
        """The draws after the turn that waits for them."""
        last = max(place for place, event in enumerate(self.events) if event.turn is not None)
        return self.events[last + 1 :]

    def _weights(self, kind: str, seat: int) -> dict[int, int]:
        """How often each outcome of a draw is left in its pile."""
        boards = self.settings.boards
        if kind in (GARDEN, REWARD):
            count = len(boards.gardens if kind == GARDEN else boards.rewards)
            taken = [event.draw.outcome for event in self.events if event.draw and event.draw.kind == kind]
            return {board: 1 for board in range(count) if board not in taken}
        if kind in (GARDEN_SIDE, REWARD_SIDE):
            board = self._seat_draws(GARDEN if kind == GARDEN_SIDE else REWARD, seat)[0]
            sides = (boards.gardens if kind == GARDEN_SIDE else boards.rewards)[board].sides
            return dict.fromkeys(range(len(sides)), 1)
        if kind == MISSION:
            dealt = {event.draw.outcome for event in self.events if event.draw and event.draw.kind == MISSION}
            return dict.fromkeys([column for column in COLUMNS if column not in dealt], 1)
        if kind == CARD:
            pile = self.settings.variant.deck & ~set_of(self._seat_draws(CARD, seat))
            return dict.fromkeys(members(pile), 1)
        shown = self._seat_draws(TILE, SHARED)
        of_each = self.settings.variant.tiles_per_motif
        left = {motif: of_each - shown.count(motif) for motif in COLUMNS}
        return {motif: count for motif, count in left.items() if count}

    def _seat_draws(self, kind: str, seat: int) -> tuple[int, ...]:
        """The outcomes of a kind that a seat has drawn, in order."""
        draws = (event.draw for event in self.events if event.draw is not None)
        return tuple(draw.outcome for draw in draws if draw.kind == kind and draw.seat == seat)

    def _opening(self) -> State:
        variant, boards = self.settings.variant, self.settings.boards
        seats = range(variant.seats)

        def side(board_kind: str, side_kind: str, seat: int) -> int:
            all_boards = boards.gardens if board_kind == GARDEN else boards.rewards
            (board,), (picked,) = self._seat_draws(board_kind, seat), self._seat_draws(side_kind, seat)
            return all_boards[board].sides[picked]

        return opening(
            variant,
            tuple(side(GARDEN, GARDEN_SIDE, seat) for seat in seats),
            tuple(self._seat_draws(MISSION, seat) for seat in seats),
            tuple(set_of(self._seat_draws(CARD, seat)) for seat in seats),
            self._seat_draws(TILE, SHARED),
            tuple(side(REWARD, REWARD_SIDE, seat) for seat in seats) if variant.rewards else (),
        )

    def resampled(self, seat: int, below: Callable[[int], int]) -> list[int]:
        """The outcomes of all draws so far, with those dealt again that a seat has not seen.

        ``below(n)`` draws a number from 0 to n - 1. Every deal that fits what the seat has seen is equally
        likely.
        """
        seats = self.settings.variant.seats
        others = [other for other in range(seats) if other != seat]
        missions = [column for column in COLUMNS if column not in self._seat_draws(MISSION, seat)]
        decks = {other: self._possible_deck(other, below) for other in others}
        found = []
        for event in self.events:
            if event.draw is None:
                continue
            kind, owner, outcome = event.draw
            if owner in others and kind == MISSION:
                outcome = missions.pop(below(len(missions)))
            elif owner in others and kind == CARD:
                outcome = decks[owner].pop(0)
            found.append(outcome)
        return found

    def _possible_deck(self, seat: int, below: Callable[[int], int]) -> list[int]:
        """A deck of a seat in an order that allows the cards it has played.

        The i-th card played was among the first i + 1 of the deck. Two of those places are free when the
        cards played before have theirs, so each such order is equally likely.
        """
        played = [event.turn.card for event in self.events if event.turn is not None and event.seat == seat]
        deck: list[int | None] = [None] * CARDS_OF_A_SEAT
        for number, card in enumerate(played):
            free = [place for place, there in enumerate(deck[: number + HAND]) if there is None]
            deck[free[below(len(free))]] = card
        rest = [card for card in members(self.settings.variant.deck) if card not in played]
        return [rest.pop(below(len(rest))) if card is None else card for card in deck]


def setup_draws(settings: Settings) -> list[tuple[str, int]]:
    """The draws of the set-up in their order: kind and seat."""
    seats = range(settings.variant.seats)
    boards = [(GARDEN, seat) for seat in seats] + [(GARDEN_SIDE, seat) for seat in seats]
    missions = [(MISSION, seat) for seat in seats for _ in range(2)]
    rewards = [(REWARD, seat) for seat in seats] + [(REWARD_SIDE, seat) for seat in seats]
    cards = [(CARD, seat) for seat in seats for _ in range(HAND)]
    return [*boards, *missions, *(rewards if settings.variant.rewards else ()), *cards] + [
        (TILE, SHARED)
    ] * DISPLAYED


MOST_OUTCOMES = 20
"""More than any draw has: 18 cards, 9 motifs, 9 missions, or the boards of a set."""
