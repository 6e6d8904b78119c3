"""Many games side by side, stepped from Python: legal turns out, chosen turns in."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sanssouci.dealer import Seed, check_seed
from sanssouci.rules import ROUNDS

from .compiler import entry, ignore_overflow
from .dealing import BOARD_FIELDS, MOST_CARDS, MOST_TILES, NO_BOARD, deal
from .game_setup import GameSetup
from .games import RESULT_FIELDS, fill_result
from .keys import game_keys
from .layout import HEADER, MOST_SEATS, SEAT_SIZE, SEATS, SIZE, TURN, Ints
from .masks import Masks, option_masks
from .options import count_turns, fill_turns, is_legal
from .play import answer, next_card, next_tile, play, score_the_end
from .rng import STREAMS, Words, open_streams


class LegalTurns(NamedTuple):
    """The legal turns of every game, one list after the other."""

    turns: Ints
    """``[N]``: codes; those of game ``g`` are ``turns[starts[g] : starts[g + 1]]``."""
    starts: Ints
    """``[B + 1]``"""

    def of(self, game: int) -> Ints:
        """The turns of one game, in the order of ``rules.Options``."""
        return self.turns[self.starts[game] : self.starts[game + 1]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Games of one setup that are played in step. Read the arrays freely; only ``step`` writes them."""

    setup: GameSetup
    states: Ints
    """``[B, SIZE]``"""
    decks: Ints
    """``[B, 72]``: the cards of each seat in the order they come up; hidden from players."""
    tiles: Ints
    """``[B, 81]``: the tiles in the order they come up; hidden from players."""
    boards: Ints
    """``[B, 4, 4]``: for each seat its garden board, the side, its reward board, the side; -1 for none."""

    @classmethod
    def deal(cls, setup: GameSetup, seed: Seed, games: int, first: int = 1) -> "Batch":
        """Games ``first``, ``first`` + 1, … of a seed; the seats pick their sides at random."""
        check_seed(seed)
        if games < 1:
            raise ValueError(f"a batch has at least one game, not {games}")
        boards = np.full((games, MOST_SEATS, BOARD_FIELDS), NO_BOARD, np.int64)
        states, decks = np.empty((games, SIZE), np.int64), np.zeros((games, MOST_CARDS), np.int64)
        tiles = np.zeros((games, MOST_TILES), np.int64)
        with ignore_overflow():
            keys = game_keys(seed, first, games)
            _deal_all(keys, setup.header, setup.gardens, setup.rewards, states, decks, tiles, boards)
        return cls(setup, states, decks, tiles, boards)

    @property
    def turn(self) -> int:
        """How many turns have been played, in every game."""
        return int(self.states[0, TURN])

    @property
    def over(self) -> bool:
        """Whether the last turn has been played."""
        return self.turn >= self.setup.turns

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return self.turn % self.setup.variant.seats

    def legal_turns(self) -> LegalTurns:
        """Every legal turn of every game."""
        starts = np.zeros(len(self.states) + 1, np.int64)
        count_turns(self.states, starts[1:])
        np.cumsum(starts, out=starts)
        turns = np.empty(starts[-1], np.int64)
        if len(turns):
            fill_turns(self.states, turns)
        return LegalTurns(turns, starts)

    def masks(self) -> Masks:
        """The legal choices of every game, stage by stage."""
        return option_masks(self.states)

    def step(self, turns: npt.ArrayLike) -> None:
        """Play one turn in every game; ``ValueError`` and no change at all if one of them is not legal.

        ``turns``: ``[B]``, codes (see ``turns``). Tiles and cards are drawn from the deal, and the last turn
        adds the points of the end.
        """
        codes = np.asarray(turns)
        if codes.shape != (len(self.states),) or not np.issubdtype(codes.dtype, np.integer):
            kind = f"{codes.dtype} {codes.shape}"
            raise ValueError(f"{len(self.states)} games need as many turns, whole numbers, not {kind}")
        bad = _step_all(self.states, self.decks, self.tiles, np.ascontiguousarray(codes, np.int64))
        if bad >= 0:
            raise ValueError(f"turn {int(codes[bad])} is not legal in game {bad}")

    def results(self) -> Ints:
        """``[B, 4, RESULT_FIELDS]``: the results, once the games are over; ``ValueError`` before."""
        if not self.over:
            raise ValueError("the games are not over")
        results = np.zeros((len(self.states), MOST_SEATS, RESULT_FIELDS), np.int64)
        _fill_results(self.states, self.boards, results)
        return results


@entry
def _deal_all(
    keys: Words,
    header: Ints,
    gardens: Ints,
    rewards: Ints,
    states: Ints,
    decks: Ints,
    tiles: Ints,
    boards: Ints,
) -> None:
    streams = np.zeros(STREAMS, np.uint64)
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], header[SEATS], streams)
        deal(header, gardens, rewards, streams, states[game], decks[game], tiles[game], boards[game])


@entry
def _step_all(states: Ints, decks: Ints, tiles: Ints, turns: Ints) -> int:
    """Play a turn in every game and return -1, or play none and return the first game with an illegal one."""
    # All turns are checked before the first is played: a batch moves on as a whole or not at all.
    for game in range(states.shape[0]):
        if not is_legal(states[game], turns[game]):
            return game
    for game in range(states.shape[0]):
        state, seats, turn = states[game], states[game, SEATS], states[game, TURN]
        rounds, seat = turn // seats, turn % seats
        at = HEADER + SEAT_SIZE * seat
        play(state, at, turns[game])
        answer(
            state, at, turns[game], next_tile(tiles[game], seats, turn), next_card(decks[game], seat, rounds)
        )
        if turn == ROUNDS * seats - 1:
            score_the_end(state)
    return -1


@entry
def _fill_results(states: Ints, boards: Ints, results: Ints) -> None:
    for game in range(states.shape[0]):
        fill_result(states[game], boards[game], results[game])
