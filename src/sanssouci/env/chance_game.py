"""A game in which chance is a player: every draw, also those of the set-up, is an explicit outcome.

The draws come in this order: for each seat its garden board, then the sides; two missions for each seat; the
reward boards and sides; two cards for each seat; the ten tiles of the display. After every turn the tile that
refills the display is drawn, then the card, as long as there are any.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from sanssouci.kernel import SIZE, decode, flatten, restore
from sanssouci.kernel.layout import PILE, POUCH, seat_at
from sanssouci.kernel.layout import TURN as TURN_FIELD
from sanssouci.kernel.play import NOTHING
from sanssouci.rules import (
    CARDS_OF_A_SEAT,
    COLUMNS,
    DISPLAYED,
    HAND,
    State,
    members,
    opening,
    set_of,
)

from .compiled import (
    CHOSEN,
    CHOSEN_FIELD,
    GAME,
    ILLEGAL,
    MOST_LEGAL,
    STAGE_FIELD,
    UNFINISHED,
    WAITING,
    field_starts,
    fill_output,
    fill_rewards,
    list_actions,
    play_drawn,
    take_action,
)
from .game import Settings
from .observation import Observation
from .spec import ACTIONS, REWARDS, observation_size, stage_of
from .stages import Chosen

GARDEN, GARDEN_SIDE, MISSION, REWARD, REWARD_SIDE, CARD, TILE = (
    "garden",
    "garden side",
    "mission",
    "reward board",
    "reward side",
    "card",
    "tile",
)
"""The kinds of draws."""
TURN: Final = "turn"
HIDDEN = (MISSION, CARD)
"""Draws that only their seat sees."""
SHARED = -1
"""Stands for the seat of draws that belong to all."""
CHANCE, TERMINAL = -1, -4
"""Instead of the seat to move, with the numbers of OpenSpiel."""
MOST_OUTCOMES = 20
"""More than any draw has: 18 cards, 9 motifs, 9 missions, or the boards of a set."""
_NOWHERE = np.empty(0, np.int64)


class Event(NamedTuple):
    """A draw and its outcome, or a turn and its code (``kernel.turns``)."""

    kind: str
    seat: int
    outcome: int


class ChanceGame:
    """A game from its first draw to its end; ``deepcopy`` gives one that goes on by itself."""

    def __init__(self, settings: Settings) -> None:
        seats = settings.variant.seats
        self.settings = settings
        self.events: list[Event] = []
        self.player = CHANCE
        """The seat that must decide, ``CHANCE`` or ``TERMINAL``."""
        self.dealt = False
        self._row = np.zeros(GAME, np.int64)  # from before a turn, until all its draws are known
        self._missing = setup_draws(seats, settings.variant.rewards)
        """The kind and the seat of every draw that is still to come before the next decision."""
        self._weights: dict[int, int] | None = None  # of the next draw, once they are known
        self._legal: list[int] | None = None  # of the seat to move, once they are known
        self._starts, self._size = field_starts(seats), observation_size(seats)
        self._stage_at, self._chosen_at = int(self._starts[STAGE_FIELD]), int(self._starts[CHOSEN_FIELD])
        # A list is copied faster if its zeros are different objects: each copy counts the uses of all.
        blank = -1, np.zeros(self._size, np.uint8), np.zeros(self._size).tolist()
        self._tensors: tuple[tuple[int, Observation, list[float]], ...] = (blank,) * seats
        """Of each seat: how many events there were, its observation then, without choices, and as a list."""

    def __deepcopy__(self, memo: object) -> "ChanceGame":
        other = object.__new__(ChanceGame)
        other.__dict__.update(self.__dict__)
        other.events, other._row = self.events[:], self._row.copy()  # nothing else in it ever changes
        return other

    @property
    def state(self) -> State | None:
        """The state of the game; None while it is dealt."""
        return restore(self._row[:SIZE]) if self.dealt else None

    @property
    def chosen(self) -> Chosen:
        """The stage actions of the unfinished turn."""
        return tuple(self._row[CHOSEN + 1 : CHOSEN + 1 + max(self._row[CHOSEN], 0)].tolist())

    def legal(self) -> list[int]:
        """The legal stage actions of the seat to move, in ascending order."""
        if self._legal is None:
            found = np.empty(MOST_LEGAL, np.int64)
            self._legal = found[: list_actions(self._row, found)].tolist()
        return self._legal[:]

    def observe(self, seat: int) -> Observation:
        """The observation of a seat; it is empty while the game is dealt."""
        found = np.zeros(self._size, np.uint8)
        if self.dealt:
            fill_output(self._row, seat, self._starts, False, found, np.empty(ACTIONS, np.int8))
        return found

    def tensor(self, seat: int) -> list[float]:
        """The observation as numbers.

        Making 1,194 numbers takes longer than playing, so a list is copied and what has changed is written
        into it. Within a turn that is the choices of the seat to move.
        """
        event, seen, numbers = self._tensors[seat]
        if event != len(self.events):
            now, numbers = self.observe(seat), numbers[:]
            now[self._stage_at :] = 0
            changed = np.flatnonzero(now != seen)
            for place, value in zip(changed.tolist(), now[changed].tolist(), strict=True):
                numbers[place] = float(value)
            entry = len(self.events), now, numbers
            self._tensors = (*self._tensors[:seat], entry, *self._tensors[seat + 1 :])
        found = numbers[:]
        if seat == self.player:
            found[self._stage_at + stage_of(self.legal()[0])] = 1.0
            for action in self.chosen:
                found[self._chosen_at + action] = 1.0
        return found

    def rewards(self) -> list[float]:
        """The rewards of the end; zeros before."""
        found = np.zeros(self.settings.variant.seats)
        if self.player == TERMINAL:
            fill_rewards(self._row.copy(), REWARDS.index(self.settings.reward), found)
        return found.tolist()

    def outcomes(self) -> dict[int, Fraction]:
        """The possible outcomes of the next draw, with their probabilities."""
        weights = self.weights()
        return {outcome: Fraction(weight, sum(weights.values())) for outcome, weight in weights.items()}

    def weights(self) -> dict[int, int]:
        """How often each outcome of the next draw is left in its pile; in ascending order."""
        if self._weights is None:
            kind, seat = self._missing[0]
            if not self.dealt:
                self._weights = self._setup_weights(kind, seat)
            elif kind == CARD:
                self._weights = dict.fromkeys(members(int(self._row[seat_at(seat) + PILE])), 1)
            else:
                pouch = int(self._row[POUCH])
                self._weights = {motif: count for motif in COLUMNS if (count := pouch >> 4 * motif & 15)}
        return self._weights

    def step(self, action: int) -> None:
        """Take an action of the seat to move, or draw an outcome of chance."""
        self._legal = None
        if self.player == CHANCE:
            self._draw(action)
            return
        code = int(take_action(self._row, action, _NOWHERE))
        if code == ILLEGAL:
            raise ValueError(f"action {action} is not legal now")
        if code != UNFINISHED:
            seat, row = self.player, self._row
            self.events.append(Event(TURN, seat, code))
            self._missing = ((TILE, SHARED),) * bool(row[POUCH]) + ((CARD, seat),) * bool(
                row[seat_at(seat) + PILE]
            )
            self._row[CHOSEN], self.player = WAITING, CHANCE
            self._settle()

    def _draw(self, outcome: int) -> None:
        if outcome not in self.weights():
            raise ValueError(f"chance cannot draw {outcome} now")
        self.events.append(Event(*self._missing[0], outcome))
        self._missing, self._weights = self._missing[1:], None
        self._settle()

    def _settle(self) -> None:
        """Deal the game or play the turn once all its draws are known."""
        if self._missing:
            return
        if self.dealt:
            drawn, place = {TILE: NOTHING, CARD: NOTHING}, -1
            while self.events[place].kind != TURN:
                drawn[self.events[place].kind] = self.events[place].outcome
                place -= 1
            play_drawn(self._row, self.events[place].outcome, drawn[TILE], drawn[CARD])
        else:
            self._row[:SIZE] = flatten(self._opening())
            self.dealt = True
        turn, variant = int(self._row[TURN_FIELD]), self.settings.variant
        self.player = turn % variant.seats if turn < variant.turns else TERMINAL

    def _setup_weights(self, kind: str, seat: int) -> dict[int, int]:
        boards, variant = self.settings.boards, self.settings.variant
        if kind in (GARDEN_SIDE, REWARD_SIDE):
            board = self._outcomes(GARDEN if kind == GARDEN_SIDE else REWARD, seat)[0]
            sides = (boards.gardens if kind == GARDEN_SIDE else boards.rewards)[board].sides
            return dict.fromkeys(range(len(sides)), 1)
        if kind == CARD:
            return dict.fromkeys(members(variant.deck & ~set_of(self._outcomes(CARD, seat))), 1)
        drawn, of_each = self._outcomes(kind), 1
        pile: tuple[int, ...] | range = COLUMNS
        if kind in (GARDEN, REWARD):
            pile = range(len(boards.gardens if kind == GARDEN else boards.rewards))
        elif kind == TILE:
            of_each = variant.tiles_per_motif
        return {outcome: left for outcome in pile if (left := of_each - drawn.count(outcome))}

    def _outcomes(self, kind: str, seat: int | None = None) -> list[int]:
        """The outcomes of a kind, of one seat or of all, in order."""
        return [
            event.outcome
            for event in self.events
            if event.kind == kind and (seat is None or event.seat == seat)
        ]

    def _opening(self) -> State:
        variant, boards = self.settings.variant, self.settings.boards
        seats = range(variant.seats)

        def side(board_kind: str, side_kind: str, seat: int) -> int:
            all_boards = boards.gardens if board_kind == GARDEN else boards.rewards
            (board,), (picked,) = self._outcomes(board_kind, seat), self._outcomes(side_kind, seat)
            return all_boards[board].sides[picked]

        return opening(
            variant,
            tuple(side(GARDEN, GARDEN_SIDE, seat) for seat in seats),
            tuple(tuple(self._outcomes(MISSION, seat)) for seat in seats),
            tuple(set_of(self._outcomes(CARD, seat)) for seat in seats),
            tuple(self._outcomes(TILE)),
            tuple(side(REWARD, REWARD_SIDE, seat) for seat in seats) if variant.rewards else (),
        )

    def resampled(self, seat: int, below: Callable[[int], int]) -> list[int]:
        """The outcomes of all draws so far, with those dealt again that a seat has not seen.

        ``below(n)`` draws a number from 0 to n - 1. Every deal that fits what the seat has seen is equally
        likely.
        """
        missions = [column for column in COLUMNS if column not in self._outcomes(MISSION, seat)]
        decks = {
            other: self._possible_deck(other, below)
            for other in range(self.settings.variant.seats)
            if other != seat
        }
        found = []
        for kind, owner, outcome in self.events:
            if owner in decks and kind == MISSION:
                found.append(missions.pop(below(len(missions))))
            elif owner in decks and kind == CARD:
                found.append(decks[owner].pop(0))
            elif kind != TURN:
                found.append(outcome)
        return found

    def _possible_deck(self, seat: int, below: Callable[[int], int]) -> list[int]:
        """A deck of a seat in an order that allows the cards it has played.

        The i-th card played was among the first i + 1 of the deck. Two of those places are free when the
        cards played before have theirs, so each such order is equally likely.
        """
        played = [decode(code).card for code in self._outcomes(TURN, seat)]
        deck: list[int | None] = [None] * CARDS_OF_A_SEAT
        for number, card in enumerate(played):
            free = [place for place, there in enumerate(deck[: number + HAND]) if there is None]
            deck[free[below(len(free))]] = card
        rest = [card for card in members(self.settings.variant.deck) if card not in played]
        return [rest.pop(below(len(rest))) if card is None else card for card in deck]


@cache
def setup_draws(seats: int, rewards: bool) -> tuple[tuple[str, int], ...]:
    """The draws of the set-up in their order: kind and seat."""
    each = range(seats)
    boards = [(GARDEN, seat) for seat in each] + [(GARDEN_SIDE, seat) for seat in each]
    missions = [(MISSION, seat) for seat in each for _ in range(2)]
    sides = [(REWARD, seat) for seat in each] + [(REWARD_SIDE, seat) for seat in each]
    cards = [(CARD, seat) for seat in each for _ in range(HAND)]
    return (*boards, *missions, *(sides if rewards else ()), *cards, *((TILE, SHARED),) * DISPLAYED)
