"""Forecasts of turns for every seat: complete, reproducible, and exact at the end."""

from dataclasses import replace

import numpy as np
import pytest

from sanssouci.network import UNIT, compare_turns
from sanssouci.network.forecast import OWN, SLOPES, WIN, _fill_chances
from sanssouci.rules import Chance, Result, State

from .networks import positions, random_layers

SEED = bytes(range(32))
STATES = list(positions(13))


@pytest.mark.parametrize("state", STATES[::5], ids=lambda state: f"{state.variant.seats}-{state.turn}")
def test_every_seat_has_a_forecast(state: State) -> None:
    """Shares of the win add up to 1; other turns, pieces and cancel checks change nothing."""
    layers, seats = random_layers(state.variant.seats), state.variant.seats
    one, two = list(state.options())[:2] if len(state.options()) > 1 else [*state.options()] * 2
    checks: list[int] = []
    for game in (state, state.view(state.to_move)):
        both = compare_turns(game, (one, two), layers, SEED, 4, 3, lambda: checks.append(1))
        assert both.shape == (3, 2, seats, 3) and np.isfinite(both).all()
        assert both[..., 2].sum(axis=-1) == pytest.approx(1) and (both[..., 2] >= 0).all()
        assert (both[:, 1:] == compare_turns(game, (two,), layers, SEED, 4, 3)).all()
        assert (both[0] == compare_turns(game, (one, two), layers, SEED, 4, 1)[0]).all()
    assert len(checks) == 6


def test_the_last_turn_ends_with_the_result() -> None:
    """R28: with all cards open, the forecast of the last turn is the result."""
    found = 0
    for state in positions(1):
        if state.turn == state.variant.turns - 1:
            turn = next(iter(state.options()))
            ((forecast,),) = compare_turns(state, (turn,), random_layers(state.variant.seats), SEED, 2, 1)
            result = Result.of(state.play(turn, Chance()))
            assert forecast[:, 0].tolist() == [score.total for score in result.scores]
            assert [seat for seat, share in enumerate(forecast[:, 2]) if share > 0] == [*result.winners]
            found += 1
    assert found > 3


def test_hidden_cards_are_dealt_anew_only_from_a_view() -> None:
    """The forecast from a view does not depend on what the other seats hold; that from a state does."""
    state = next(state for state in STATES if state.variant.seats == 2 and state.turn > 10)
    layers, turn, other = random_layers(2), next(iter(state.options())), 1 - state.to_move
    hands, piles = list(state.hands), list(state.piles)
    card, drawn = (1 << cards.bit_length() - 1 for cards in (hands[other], piles[other]))
    hands[other], piles[other] = hands[other] ^ card ^ drawn, piles[other] ^ card ^ drawn
    changed = replace(state, hands=tuple(hands), piles=tuple(piles))
    views = [game.view(game.to_move) for game in (state, changed)]
    one, two = (compare_turns(view, (turn,), layers, SEED, 8, 1) for view in views)
    assert (one == two).all()
    one, two = (compare_turns(game, (turn,), layers, SEED, 8, 1) for game in (state, changed))
    assert (one != two).any()


def test_wrong_arguments() -> None:
    """An illegal turn, another seat and nothing to compare are refused."""
    state = STATES[0]
    layers, turn = random_layers(state.variant.seats), next(iter(state.options()))
    illegal = next(turn for other in STATES for turn in other.options() if turn not in state.options())
    with pytest.raises(ValueError, match="not legal"):
        compare_turns(state, (illegal,), layers, SEED, 1, 1)
    with pytest.raises(ValueError, match="not the turn"):
        compare_turns(state.view(None), (turn,), layers, SEED, 1, 1)
    with pytest.raises(ValueError, match="nothing is compared"):
        compare_turns(state, (), layers, SEED, 1, 1)


def test_chances_follow_from_points() -> None:
    """The chance of a seat grows with its points; equal points are equal chances, and none is certain."""
    judgement = np.zeros((4, 3), np.int64)
    judgement[:, OWN] = np.array([80, 86, 80, 74]) * UNIT
    _fill_chances(judgement, 4, 10)
    chances = judgement[:, WIN] / UNIT
    assert chances[1] > chances[0] == chances[2] > chances[3] > 0
    assert chances.sum() == pytest.approx(1, abs=0.01)
    assert np.log(chances[1] / chances[0]) == pytest.approx(6 * SLOPES[2, 10], abs=0.02)
    early, late = (_two_seats(rounds) for rounds in (0, 16))
    assert early == pytest.approx(1 / (1 + np.exp(-5 * SLOPES[0, 0])), abs=0.002) and early < late


def _two_seats(rounds: int) -> float:
    """The chance with a lead of five points."""
    judgement = np.zeros((4, 3), np.int64)
    judgement[0, OWN] = 5 * UNIT
    _fill_chances(judgement, 2, rounds)
    return float(judgement[0, WIN] / UNIT)
