"""The greedy player: always legal, exact on the last turn, and much better than random."""

from dataclasses import replace

import numpy as np
import pytest

from sanssouci.dealer import parse_seed
from sanssouci.editions import shipped_boards
from sanssouci.kernel import (
    COMPILES,
    GREEDY,
    PART_FIELDS,
    STEWARD,
    WINNERS_FIELD,
    GameSetup,
    best_turn,
    play_series,
)
from sanssouci.rules import LEAVES, Garden, State, Turn, Variant
from sanssouci.rules.state import final_score, turn_score

from ..helpers import a_state, cards, garden, squares
from .tables import some_games, some_states
from .test_rollouts import determinized

LAST = 34
"""The last turn of the first of two seats."""


def final_total(state: State, turn: Turn) -> int:
    """The final points of the seat to move if this is its last turn."""
    seat = state.to_move
    own, score = state.gardens[seat], turn_score(state.gardens[seat], state.scores[seat], turn)
    return final_score(own.after(turn), score, state.missions[seat]).total


def last_turn(own: Garden, hand: str, tiles: str, missions: tuple[int, int] = (0, 1)) -> State:
    """A state in which the first of two seats has one card and one turn left."""
    state = a_state(own, hand, tiles)
    return replace(
        state, turn=LAST, piles=(0, 0), hands=(cards(hand), state.hands[1]), missions=(missions, (7, 8))
    )


@pytest.mark.parametrize("policy", [GREEDY, STEWARD])
def test_every_turn_is_legal(policy: int) -> None:
    """R14-R20, R34-R36: greedy plays one of the options, in every variant and round."""
    for state in some_states(1):
        view = state.view(state.to_move)
        assert best_turn(view, policy) in view.options()


@pytest.mark.parametrize("policy", [GREEDY, STEWARD])
def test_the_last_turn_is_optimal(policy: int) -> None:
    """R21, R25-R27, R30-R37: on its last turn greedy plays a turn with the most points."""
    compared = 0
    for states in some_games(6):
        seats = states[0].variant.seats
        for state in states[-1 - seats : -1]:
            totals = [final_total(state, turn) for turn in state.options()]
            assert final_total(state, best_turn(state.view(state.to_move), policy)) == max(totals)
            compared += max(totals) > min(totals)
    assert compared >= 300


def test_a_complete_row_is_taken() -> None:
    """R25: a tile that completes row 2 is worth 8, more than any noble could score here."""
    own = garden("""
        NNNNNNNNN
        ####.####
        .........
        .........
        .........
        .........
    """)
    turn = best_turn(last_turn(own, "*", "efghiabcdf").view(0))
    assert (turn.space, turn.square) == (0, 13) and turn.noble is not None


def test_a_noble_is_moved_where_it_counts_twice() -> None:
    """R21, R27: of two nobles that could go to row 2, the one with a mission goes."""
    own = garden("""
        #########
        ##.......
        .........
        .........
        .........
        .........
    """)
    turn = best_turn(last_turn(own, "*", "iiiiiiiiii", missions=(1, 4)).view(0))
    assert turn.noble == 10
    turn = best_turn(last_turn(own, "*", "iiiiiiiiii", missions=(0, 4)).view(0))
    assert turn.noble == 9


def test_the_boar_is_driven_out() -> None:
    """R36, R37: the tile goes on the trapped boar, for 4 points and no loss."""
    own = garden("""
        NNNNNNNNN
        #########
        #########
        ####b####
        #########
        .....####
    """)
    own = replace(own, nobles=squares("a5 b5 c5 d5 e5 f6 g6 h6 i6"))
    turn = best_turn(last_turn(own, "*", "aaaaeabcdf").view(0))
    assert (turn.square, turn.boar) == (31, LEAVES)


def test_equal_views_give_equal_turns() -> None:
    """R11, R12: greedy's turn does not depend on the others' hands and missions."""
    differing = 0
    for number, state in enumerate(some_states(19)):
        view = state.view(state.to_move)
        other = determinized(view, number).state
        differing += other != state
        assert best_turn(other.view(state.to_move)) == best_turn(view)
    assert differing > 50


def test_only_the_seat_to_move_gets_a_turn() -> None:
    """R1: another seat, a spectator and a finished game are refused."""
    game = some_games()[0]
    for view in (game[0].view(1), game[1].view(0), game[0].view(None), game[-1].view(0)):
        with pytest.raises(ValueError, match="not the turn"):
            best_turn(view)


@pytest.mark.parametrize("seat", [0, 1])
def test_greedy_beats_random(seat: int) -> None:
    """Greedy wins 999 of 1000 games from either seat, with a mean of at least 70 points."""
    players = ("greedy", "random") if seat == 0 else ("random", "greedy")
    setup = GameSetup.of(Variant(2), shipped_boards("reference"))
    chunks = play_series(setup, parse_seed("8"), players, 1_500 if COMPILES else 20)
    results = np.concatenate([chunk.results[:, seat] for chunk in chunks])
    assert (results[:, WINNERS_FIELD] == 1).mean() >= 0.999
    assert results[:, :PART_FIELDS].sum(1).mean() >= 70


@pytest.mark.parametrize("seat", [0, 1])
def test_steward_beats_greedy(seat: int) -> None:
    """Steward wins seven of eight games from either seat, by a mean of ten points."""
    players = ("steward", "greedy") if seat == 0 else ("greedy", "steward")
    setup = GameSetup.of(Variant(2), shipped_boards("reference"))
    chunks = play_series(setup, parse_seed("8"), players, 1_500 if COMPILES else 20)
    results = np.concatenate([chunk.results for chunk in chunks])
    assert (results[:, seat, WINNERS_FIELD] == 1).mean() >= 0.875
    scores = results[:, :2, :PART_FIELDS].sum(2).mean(0)
    assert scores[seat] - scores[1 - seat] >= 10
