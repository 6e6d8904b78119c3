"""Evaluating turns: the same rollouts as ``rollouts`` plays, correctly aggregated."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from sanssouci.kernel import GARDENER_FIELD, PART_FIELDS, WINNERS_FIELD, evaluate_turns, rollouts
from sanssouci.rules import State, Turn

from .tables import SEED, some_states

GAMES = 12


def some_turns(state: State) -> list[Turn]:
    """A few legal turns from all parts of the list."""
    turns = list(state.options())
    return turns[:: max(1, len(turns) // 3)][:3]


def test_estimates_equal_the_means_of_rollouts() -> None:
    """R28: means and standard errors of scores, shares and margin equal those of the rollouts."""
    for state in some_states(97):
        view, seats = state.view(state.to_move), state.variant.seats
        turns = some_turns(state)
        for turn, found in zip(turns, evaluate_turns(view, turns, SEED, GAMES), strict=True):
            games = rollouts(view, SEED, GAMES, ("steward",) * seats, turn)[:, :seats]
            totals = games[..., :PART_FIELDS].sum(axis=2)
            wins = games[..., WINNERS_FIELD]
            shares = np.where(wins > 0, 1 / np.maximum(wins, 1), 0)
            others = np.delete(totals, state.to_move, axis=1).max(axis=1)
            margins = totals[:, state.to_move] - others
            assert (found.turn, found.games) == (turn, GAMES)
            assert games[..., GARDENER_FIELD].max() <= 18
            for seat in range(seats):
                assert found.scores[seat] == pytest.approx(_estimate(totals[:, seat]))
                assert found.shares[seat] == pytest.approx(_estimate(shares[:, seat]))
            assert found.margin == pytest.approx(_estimate(margins))
            own = totals[:, state.to_move].mean() + 3 * shares[:, state.to_move].mean()
            assert found.value == pytest.approx(own - others.mean() / 2)


def _estimate(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(GAMES))


def test_a_state_has_known_hands() -> None:
    """Evaluating from a state differs from evaluating from a view, whose hidden cards are sampled."""
    differ = 0
    for state in some_states(97):
        turns = some_turns(state)
        (one, *_), (two, *_) = (
            evaluate_turns(game, turns, SEED, GAMES) for game in (state, state.view(state.to_move))
        )
        differ += one.scores != two.scores
    assert differ


def test_invalid_evaluations_are_refused() -> None:
    """Another seat's view, no turns, no games and an illegal turn are refused."""
    state = some_states(97)[0]
    turn = next(iter(state.options()))
    with pytest.raises(ValueError, match="turn of this seat"):
        evaluate_turns(state.view((state.to_move + 1) % state.variant.seats), [turn], SEED, 1)
    for turns, games in (([], 1), ([turn], 0)):
        with pytest.raises(ValueError, match="nothing is tried"):
            evaluate_turns(state, turns, SEED, games)
    with pytest.raises(ValueError, match="not legal"):
        evaluate_turns(state, [replace(turn, space=9 - turn.space)], SEED, 1)
