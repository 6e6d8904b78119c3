"""Games by a network: recorded positions, their targets, and contests."""

import numpy as np
import pytest

from sanssouci.kernel import game_keys, play_series
from sanssouci.kernel.games import PART_FIELDS, WINNERS_FIELD
from sanssouci.network.games import BY_NETWORK, BY_STEWARD, Style, contest_games, recorded_games
from sanssouci.rules import ROUNDS, Variant

from ..kernel.tables import SEED, game_setup
from .networks import random_layers

GAMES = 6


def arrays(variant: Variant) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    setup = game_setup(variant)
    return setup.header, setup.gardens, setup.rewards


def players(who: int) -> np.ndarray:
    return np.full((GAMES, 4), who, np.int64)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_stewards_play_the_games_of_the_kernel(seats: int) -> None:
    """The same keys give the same games, and the targets of the end are what the rest of the game brought."""
    variant = Variant(seats)
    layers = random_layers(seats)
    words, targets, results = recorded_games(
        game_keys(SEED, 1, GAMES), *arrays(variant), players(BY_STEWARD), layers, Style(0.0, 0.0, 1.0, 0.3)
    )
    series = play_series(game_setup(variant), SEED, ("steward",) * seats, GAMES, threads=1)
    assert (results == np.concatenate([chunk.results for chunk in series])).all()
    assert words.shape == (GAMES * ROUNDS * seats, len(layers.weights) // 64)
    by_turn = targets.reshape(GAMES, ROUNDS, seats, 3)
    totals = results[:, :seats, :PART_FIELDS].sum(axis=2)
    ends = results[:, :seats, 3:PART_FIELDS].sum(axis=2)
    assert (by_turn[:, -1, :, 0] == ends).all(), "after the last turn only the end is left"
    assert (by_turn[:, 0, :, 0] >= totals - 6).all(), "a first turn brings six points at most"
    shares = np.where(
        results[:, :seats, WINNERS_FIELD] > 0, 1 / np.maximum(results[:, :seats, WINNERS_FIELD], 1), 0
    )
    assert np.allclose(by_turn[:, :, :, 2], shares[:, None, :])
    rounds = np.log2(words[:, 0] & (1 << 18) - 1).reshape(GAMES, ROUNDS, seats)
    assert (rounds == np.arange(ROUNDS)[None, :, None]).all()


def test_targets_mix_the_end_with_later_judgements() -> None:
    """λ = 0 takes the next judgement alone, λ = 1 the end."""
    layers, keys = random_layers(2), game_keys(SEED, 1, GAMES)
    found = {
        decay: recorded_games(
            keys, *arrays(Variant(2)), players(BY_NETWORK), layers, Style(0.0, 0.0, decay, 0.3)
        )[1]
        for decay in (0.0, 0.5, 1.0)
    }
    assert not np.allclose(found[0.0], found[1.0])
    last = found[1.0].reshape(GAMES, ROUNDS, 2, 3)[:, -1]
    for targets in found.values():
        assert (targets.reshape(GAMES, ROUNDS, 2, 3)[:, -1] == last).all(), (
            "nothing comes after the last turn"
        )
    before = [targets.reshape(GAMES, ROUNDS, 2, 3)[:, -2] for targets in found.values()]
    assert np.allclose(before[1], (before[0] + before[2]) / 2, atol=1e-3)


def test_a_blunder_cuts_the_target() -> None:
    """With random turns only, a target is the judgement of the best turn at the next one, whatever λ is."""
    layers, keys = random_layers(2), game_keys(SEED, 1, GAMES)
    near, far = (
        recorded_games(keys, *arrays(Variant(2)), players(BY_NETWORK), layers, Style(0.0, 1.0, decay, -1.0))[
            1
        ]
        for decay in (0.0, 0.9)
    )
    assert np.allclose(near, far)


def test_a_contest_is_played_without_noise() -> None:
    """Twice the same, and another network plays other games."""
    keys, setup = game_keys(SEED, 1, GAMES), arrays(Variant(3))
    seated = players(BY_STEWARD)
    seated[:, 1] = BY_NETWORK
    one, two = random_layers(3), random_layers(3, seed=2)
    first = contest_games(keys, *setup, seated, one, one)
    assert (first == contest_games(keys, *setup, seated, one, one)).all()
    assert (first != contest_games(keys, *setup, seated, two, one)).any()
