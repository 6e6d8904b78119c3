"""The example of PPO: its turns are those of the rules, it learns something, and it plays."""

import subprocess
import sys
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install 'sanssouci-game[jax]'")

import jax
import numpy as np

from sanssouci.jax import Sanssouci
from sanssouci.jax.bits import unpack
from sanssouci.rules import Turn, members

EXAMPLE = Path(__file__).parents[2] / "examples" / "ppo_jax.py"
pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def example() -> Any:
    spec = spec_from_file_location("ppo_jax", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_turns_and_positions_are_those_of_the_rules(example: Any) -> None:
    """All legal turns in their order; a view and a state in JAX give the network the same inputs."""
    game, games = Sanssouci(), 4
    step = jax.jit(jax.vmap(game.step))
    legal_turns = jax.jit(jax.vmap(lambda state: example.legal_turns(example.see(state), 2048)))
    state = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.key(1), games))
    for number in range(4 * game.variant.turns):
        if number % 4 == 0:
            turns, legal = jax.device_get(legal_turns(state))
            squares, nobles = unpack(turns.square).tolist(), unpack(turns.noble).tolist()
            for place in range(games):
                one = jax.tree.map(lambda array, at=place: array[at], state)
                before = game.to_rules(one)
                view = before.view(before.to_move)
                found = [
                    Turn(
                        members(int(turns.card[place, at]))[0],
                        int(turns.space[place, at]),
                        members(squares[place][at])[0],
                        bool(turns.gardener[place, at]),
                        noble=next(iter(members(nobles[place][at])), None),
                    )
                    for at in np.flatnonzero(legal[place])
                ]
                assert found == [*view.options()]
                check_equal(example.see(one), example.position_of(view))
        key = jax.random.fold_in(jax.random.key(2), number)
        action = jax.random.categorical(key, np.where(state.legal_action_mask, 0.0, -np.inf))
        state = step(state, action, jax.random.split(key, games))


def check_equal(position: Any, other: Any) -> None:
    """Equal but for the points, of which the network sees nothing."""
    found, wanted = (
        one._replace(own=one.own._replace(points=0), other=one.other._replace(points=0))
        for one in (position, other)
    )
    jax.tree.map(np.testing.assert_array_equal, found, wanted)


def test_steps_of_learning_lower_the_loss(example: Any) -> None:
    """Twenty steps on the same games; the loss is the error of the critic and PPO's objective."""
    game = Sanssouci(reward="score")
    network = example.new_network(jax.random.key(1), game, 32)
    play = jax.jit(partial(example.play_games, game, 8, 32))
    steps, score = play(network, 0.5, jax.random.key(2))
    steps = jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), steps)
    assert 40 < score < 100 and bool(np.isfinite(steps.advantage).all())
    slope = jax.jit(jax.value_and_grad(example.loss))
    moments = (jax.tree.map(np.zeros_like, network),) * 2
    losses = []
    for number in range(20):
        loss, gradient = slope(network, steps, 0.5, 0.1)
        network, moments = example.adam(network, moments, gradient, np.float32(number + 1), 1e-3)
        losses.append(float(loss))
    assert losses[-1] < losses[0] - 0.01


def test_the_commands_train_and_play(tmp_path: Path) -> None:
    """A few updates of a small network: its log is complete, and it wins clearly against random turns."""
    weights = tmp_path / "weights.npz"
    small = ("--width", "32", "--most", "48", "--parallel", "16", "--batch", "128")
    run("train", weights, "--minutes", "0.05", *small)
    log = np.genfromtxt(weights.with_suffix(".csv"), delimiter=",", names=True)
    assert all(np.isfinite(log[name]).all() for name in ("minutes", "games", "score", "loss"))
    played = run("play", weights, "--against", "random", "--games", "2")
    margin = next(line for line in played.splitlines() if line.startswith("margin"))
    assert float(margin.split()[1]) > 10


def run(task: str, weights: Path, *options: str) -> str:
    return subprocess.run(
        [sys.executable, str(EXAMPLE), task, str(weights), *options],
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
