"""Games played by the rules, as arrays of the kernel."""

from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import cast

import numpy as np

from sanssouci.dealer import BulkGame, prepare
from sanssouci.editions import load_edition
from sanssouci.kernel import RESULT_FIELDS, SIZE, Batch, GameSetup, Ints, encode
from sanssouci.kernel.dealing import load_deal
from sanssouci.players import RandomPlayer
from sanssouci.rules import EDITIONS, ROW_1, Deal, Result, SetupView, State, Variant, View, stroll

from ..helpers import VARIANTS, odd_deal, random_states, stream

SEED = bytes(range(32))
NO_BOARDS = np.full((4, 4), -1, np.int64)


@dataclass(frozen=True)
class Played:
    """A game between random players, played by the rules; every seat uses its ``bulk/1`` stream."""

    deal: Deal
    boards: Ints
    """``[4, 4]``, as in ``Batch``."""
    states: list[State]
    codes: Ints
    """``[turns]``"""
    rows: Ints
    """``[turns + 1, SIZE]``"""

    @property
    def result(self) -> Ints:
        """``[4, RESULT_FIELDS]``"""
        return rules_result(self.states[-1], self.boards)


def rules_result(state: State, boards: Ints) -> Ints:
    """``[4, RESULT_FIELDS]``: the result of a finished game by the rules; 0 for missing seats."""
    fields = np.zeros((4, RESULT_FIELDS), np.int64)
    result = Result.of(state)
    for seat, score in enumerate(result.scores):
        winners = len(result.winners) if seat in result.winners else 0
        fields[seat] = [*score.parts().values(), result.gardeners[seat], winners, *boards[seat]]
    return fields


def play_through_rules(deal: Deal, boards: Ints, players: list[RandomPlayer]) -> Played:
    table = _Table(deal.variant)
    states, codes = [deal.start()], []
    table.write(states[0])
    while not states[-1].over:
        state = states[-1]
        turn = players[state.to_move].decide(cast(View, state))  # a state has the options of its view
        states.append(state.play(turn, deal.chance(state.turn)))
        codes.append(encode(turn))
        table.write(states[-1])
    return Played(deal, boards, states, np.array(codes, np.int64), table.rows())


class _Table:
    """A second implementation of ``kernel.flatten``; fast, because only changed seats are rewritten."""

    def __init__(self, variant: Variant) -> None:
        expansions = variant.rewards + 2 * variant.wild_boar
        self._end = (variant.deck, EDITIONS.index(variant.edition), expansions, 0)
        self._seats = variant.seats
        self._known: list[tuple[object, ...]] = [()] * variant.seats
        self._written: list[tuple[int, ...]] = [()] * variant.seats
        self._values: list[tuple[int, ...]] = []

    def write(self, state: State) -> None:
        pouch = 0
        for count in reversed(state.pouch):
            pouch = pouch << 4 | count
        seats = zip(state.gardens, state.scores, state.hands, state.piles, state.missions, strict=True)
        for seat, known in enumerate(seats):
            if known != self._known[seat]:
                garden, score, hand, pile, missions = known
                self._known[seat] = known
                self._written[seat] = (
                    garden.printed,
                    garden.built,
                    stroll(ROW_1, garden.built),
                    garden.gardeners,
                    garden.nobles,
                    garden.boar,
                    garden.marks,
                    hand,
                    pile,
                    *missions,
                    *(score.nobles, score.rewards, score.boar, score.rows, score.columns, score.missions),
                    *(0, 0, 0),
                )
        self._values.append((self._seats, state.turn, state.display, pouch, *self._end))
        self._values += self._written

    def rows(self) -> Ints:
        width = 8 + 20 * self._seats
        values = np.fromiter(chain.from_iterable(self._values), np.int64).reshape(-1, width)
        return np.pad(values, ((0, 0), (0, SIZE - width)))


def game_on_boards(variant: Variant, number: int) -> Played:
    """Game ``number`` of ``SEED`` on the boards of the variant's edition."""
    chance = BulkGame(SEED, number)
    players = [RandomPlayer(chance.stream(seat)) for seat in range(variant.seats)]

    def pick(seat: int, view: SetupView) -> int:
        return players[seat].pick(view)

    deal, dealt = prepare(variant, load_edition(variant.edition).boards, chance.dealer(), pick)
    boards = NO_BOARDS.copy()
    picked = (dealt.gardens, dealt.garden_sides, dealt.rewards, dealt.reward_sides)
    for field, of_seats in enumerate(picked):
        boards[: len(of_seats), field] = of_seats
    return play_through_rules(deal, boards, players)


def game_on_odd_boards(variant: Variant, number: int) -> Played:
    """A game on boards outside any set; the players draw as in game ``number`` of ``SEED``."""
    chance = BulkGame(SEED, number)
    players = [RandomPlayer(chance.stream(seat)) for seat in range(variant.seats)]
    deal = odd_deal(variant, stream(number))
    return play_through_rules(deal, NO_BOARDS, players)


def game_setup(variant: Variant) -> GameSetup:
    """The setup of the variant's edition."""
    return GameSetup.of(variant, load_edition(variant.edition).boards)


def batch_of(games: list[Played]) -> Batch:
    """A batch with the games before their first turn."""
    loaded = [load_deal(game.deal) for game in games]
    states, decks, tiles = (np.array(arrays) for arrays in zip(*loaded, strict=True))
    return Batch(
        game_setup(games[0].deal.variant), states, decks, tiles, np.array([game.boards for game in games])
    )


@cache
def some_games(each: int = 2) -> tuple[list[State], ...]:
    """All states of some random games on odd boards, in every variant; cached for all tests."""
    return tuple(
        random_states(odd_deal(variant, stream(1000 * each + number)), stream(77 + number))
        for variant in VARIANTS
        for number in range(each)
    )


def some_states(step: int, each: int = 2) -> list[State]:
    """Every ``step``-th state of those games before their end, so that seats and rounds alternate."""
    states = [state for game in some_games(each) for state in game[:-1]]
    return states[::step]
