"""The interface of the game in JAX: rewards, illegal actions, the end, and states of the rules."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install 'sanssouci-game[jax]'")
import jax.numpy as jnp  # noqa: E402

from sanssouci.env import spec  # noqa: E402
from sanssouci.jax import Sanssouci, State, play_games  # noqa: E402
from sanssouci.jax.bits import pack, unpack  # noqa: E402
from sanssouci.jax.garden import joined  # noqa: E402
from sanssouci.rules import IMPERIAL, RAVENSBURGER, ROW_1, Refused, Variant  # noqa: E402

from ..helpers import odd_deal, random_states, squares, stream  # noqa: E402


@pytest.fixture(scope="module")
def game() -> Sanssouci:
    return Sanssouci(reward="score")


@pytest.fixture(scope="module")
def step(game: Sanssouci) -> Any:
    return jax.jit(game.step)


def test_an_illegal_action_ends_the_game(game: Sanssouci, step: Any) -> None:
    """The seat to move gets -1, the others 0, and nothing changes any more."""
    key = jax.random.key(1)
    start = game.init(key)
    for action in (-1, spec.NO_NOBLE, spec.ACTIONS):
        ended: State = step(start, action, key)
        assert ended.terminated and ended.rewards.tolist() == [-1, 0]
        assert game.to_rules(ended) == game.to_rules(start)
    after: State = step(ended, 0, key)
    assert after.terminated and after.rewards.tolist() == [0, 0] and after.turn == 0
    assert after.legal_action_mask.all()


def test_an_action_is_an_integer(game: Sanssouci, step: Any) -> None:
    """Any integer type gives the same state; other types are refused when the step is traced."""
    key = jax.random.key(1)
    start = game.init(key)
    legal = int(start.legal_action_mask.argmax())
    for right in (legal, np.int64(legal), jnp.uint8(legal)):
        assert step(start, right, key).stage == 1
    for wrong in (float(legal), jnp.float32(legal), True):
        with pytest.raises(TypeError, match="an action is an integer, not "):
            game.step(start, wrong, key)


def test_scores_are_rewarded_turn_by_turn(game: Sanssouci, step: Any) -> None:
    """The rewards of a game add up to the points; the end is rewarded too."""
    key, sums = jax.random.key(2), np.zeros(2)
    state, generator = game.init(key), np.random.default_rng(1)
    while not state.terminated:
        action = generator.choice(np.flatnonzero(state.legal_action_mask))
        state = step(state, action, jax.random.fold_in(key, state.turn))
        sums += np.asarray(state.rewards)
    assert sums.tolist() == [score.total for score in game.to_rules(state).scores]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_margins_are_measured_against_the_best_other_seat(seats: int) -> None:
    """The margin is known at the end only."""
    game = Sanssouci(Variant(seats), reward="margin")
    totals = jnp.array([30, 50, 41, 50][:seats])
    before = game.init(jax.random.key(1)).seats
    after = before._replace(points=before.points._replace(nobles=totals))
    wanted = {2: [-20, 20], 3: [-20, 9, -9], 4: [-20, 0, -9, 0]}
    assert game._rewards(before, after, jnp.bool_(True)).tolist() == wanted[seats]
    assert game._rewards(before, after, jnp.bool_(False)).tolist() == [0] * seats


@pytest.mark.parametrize(
    ("totals", "wanted"),
    [
        ((26, 26), (0, 0)),
        ((26, 25), (1, -1)),
        ((26, 26, 26), (0, 0, 0)),
        ((26, 26, 25), (0.25, 0.25, -0.5)),
        ((26, 26, 26, 26), (0, 0, 0, 0)),
        ((26, 26, 26, 25), (1 / 9, 1 / 9, 1 / 9, -1 / 3)),
    ],
    ids=str,
)
def test_a_shared_victory_is_divided(totals: tuple[int, ...], wanted: tuple[float, ...]) -> None:
    """R28: the rewards are those of docs/environments.md, compiled too; if all win, they are exactly 0."""
    game = Sanssouci(Variant(len(totals)))
    before = game.init(jax.random.key(1)).seats
    after = before._replace(points=before.points._replace(nobles=jnp.array(totals)))
    found = jax.jit(game._rewards)(before, after, jnp.bool_(True))
    assert np.allclose(found, wanted, rtol=1e-6, atol=0)


def test_states_of_the_rules_come_back() -> None:
    """Every position of a game of the rules, with both expansions."""
    variant = Variant(3, IMPERIAL, True, True)
    other = Sanssouci(variant)
    for state in random_states(odd_deal(variant, stream(5)), stream(6))[::9]:
        missions = tuple(tuple(sorted(missions)) for missions in state.missions)
        back = other.to_rules(other.from_rules(state))
        assert back == replace(state, variant=other.variant, missions=missions)


def test_the_longest_walk_is_followed_to_its_end() -> None:
    """R20: all 24 squares that rows 2-6 can hold, in one line, joined to row 1 by the tile at its end."""
    line = squares("a3 a4 a5 a6 b6 c6 c5 c4 c3 d3 e3 e4 e5 e6 f6 g6 g5 g4 g3 h3 i3 i4 i5")
    tile = squares("a2")
    assert line.bit_count() == 23
    found = joined(pack(ROW_1), pack(tile), pack(ROW_1 | line | tile))
    assert unpack(found) == ROW_1 | line | tile
    assert unpack(joined(pack(ROW_1), pack(squares("i6")), pack(ROW_1 | line | squares("i6")))) == ROW_1


def test_a_variant_that_cannot_be_played_is_refused() -> None:
    """R34: the wild boar is in the Imperial edition only."""
    with pytest.raises(Refused):
        Sanssouci(Variant(2, RAVENSBURGER, wild_boar=True))
    with pytest.raises(ValueError, match="reward is one of win, score, margin"):
        Sanssouci(reward="points")
    wrong: Any = "imperial"
    with pytest.raises(TypeError, match=r"variant is a sanssouci\.rules\.Variant, not 'imperial'"):
        Sanssouci(wrong)
    with pytest.raises(TypeError, match="find_boards"):
        Sanssouci(boards=wrong)


def test_random_games_need_a_pair_of_words(game: Sanssouci) -> None:
    """A key of ``jax.random`` is refused with the form that is meant."""
    key: Any = jax.random.key(1)
    with pytest.raises(TypeError, match="a pair of words"):
        play_games(game.variant, game.boards, key, 2)


def test_numba_and_pydantic_are_not_imported() -> None:
    """A machine with a GPU needs only JAX."""
    code = "import sys, sanssouci.jax; print({'numba', 'pydantic', 'sanssouci.kernel'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
