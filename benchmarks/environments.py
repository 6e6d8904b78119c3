"""Actions per second of processor time: the environments, and games of other libraries in the same run.

    python -m benchmarks.environments
    python -m benchmarks.environments --seconds 5 --json

Every game is played with uniformly random legal actions. Processor time, summed over threads, is the time of
one core, also while others use the machine. Other libraries are measured if they are installed:
pip install 'pettingzoo[classic]' open_spiel pgx
"""

import argparse
import json
import sys
from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import accumulate
from time import process_time
from typing import Any

import numpy as np

VECTOR = 1024
"""Games in a batch."""
MODULES = {
    "python_sanssouci": "sanssouci.env.open_spiel",
    "python_tic_tac_toe": "open_spiel.python.games.tic_tac_toe",
}
"""The modules that register games with OpenSpiel."""


@dataclass(frozen=True)
class Speed:
    """One row of the table."""

    name: str
    steps: float
    """Actions a second, over all games of a batch."""
    turns: float | None
    """Whole turns a second; None if a turn has no fixed number of actions."""
    note: str


Steps = Iterator[int]
"""Plays on for ever; yields the number of actions taken after each piece of work."""


def measure(steps: Steps, seconds: float) -> float:
    """Actions a second, after one piece of work that is not counted."""
    next(steps)
    done, begun = 0, process_time()
    while process_time() - begun < seconds:
        done += next(steps)
    return done / (process_time() - begun)


def pick(mask: Any, random: np.random.Generator) -> int:
    """A random legal action of a mask."""
    legal = np.flatnonzero(mask)
    return int(legal[int(random.random() * len(legal))])


def aec(make: Callable[[], Any]) -> Steps:
    """An environment of PettingZoo."""
    env, random = make(), np.random.default_rng(1)
    while True:
        env.reset(seed=int(random.integers(1 << 30)))
        actions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            env.step(pick(mask, random))
            actions += 1
        yield actions


def gymnasium_single() -> Steps:
    """One agent against a random player."""
    import gymnasium  # noqa: PLC0415

    import sanssouci.env  # noqa: F401, PLC0415

    env, random = gymnasium.make("Sanssouci-v1"), np.random.default_rng(1)
    while True:
        _, info = env.reset(seed=int(random.integers(1 << 30)))
        terminated, actions = False, 0
        while not terminated:
            _, _, terminated, _, info = env.step(pick(info["action_mask"], random))
            actions += 1
        yield actions


def gymnasium_vector(**options: Any) -> Steps:
    """Many games in compiled code; choosing random actions with NumPy is part of the time."""
    import gymnasium  # noqa: PLC0415

    import sanssouci.env  # noqa: F401, PLC0415

    envs = gymnasium.make_vec(
        "Sanssouci-v1", num_envs=VECTOR, vectorization_mode="vector_entry_point", **options
    )
    random = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    while True:
        masks = infos["action_mask"]
        choices = (random.random(masks.shape, np.float32) * masks).argmax(1)
        *_, infos = envs.step(choices)
        yield VECTOR


def vector_step_only() -> Steps:
    """The same without choosing: the first legal action of each game, which a compiled search finds."""
    import gymnasium  # noqa: PLC0415

    import sanssouci.env  # noqa: F401, PLC0415

    envs = gymnasium.make_vec("Sanssouci-v1", num_envs=VECTOR, vectorization_mode="vector_entry_point")
    _, infos = envs.reset(seed=1)
    while True:
        *_, infos = envs.step(infos["action_mask"].argmax(1))
        yield VECTOR


def open_spiel_game(name: str, lists: bool = False) -> Steps:
    """A game of OpenSpiel, stepped from Python; chance counts as no action.

    Observations are arrays of OpenSpiel's observers, or the lists of ``observation_tensor``.
    """
    import pyspiel  # noqa: PLC0415
    from open_spiel.python.observation import make_observation  # noqa: PLC0415

    import_module(MODULES.get(name, "pyspiel"))
    game, random = pyspiel.load_game(name), np.random.default_rng(1)
    observer = make_observation(game)
    while True:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                place = bisect([*accumulate(shares)], random.random())
                state.apply_action(outcomes[min(place, len(outcomes) - 1)])
                continue
            if lists:
                state.observation_tensor(state.current_player())
            else:
                observer.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            actions += 1
        yield actions


def classic(name: str) -> Callable[[], Any]:
    def make() -> Any:
        return import_module(f"pettingzoo.classic.{name}").env()

    return make


def pgx_game(name: str) -> Steps:
    """A game of Pgx on the CPU: many games in one call of jit(vmap(step))."""
    jax, pgx = import_module("jax"), import_module("pgx")
    auto_reset = import_module("pgx.experimental").auto_reset
    env = pgx.make(name)
    init = jax.jit(jax.vmap(env.init))
    forward = auto_reset(env.step, env.init)

    def choose_and_step(state: Any, key: Any) -> Any:
        choice, chance = jax.random.split(key)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        return forward(state, jax.random.categorical(choice, logits), chance)

    step = jax.jit(jax.vmap(choose_and_step))
    key = jax.random.PRNGKey(1)
    state = init(jax.random.split(key, VECTOR))
    while True:
        key, use = jax.random.split(key)
        state = step(state, jax.random.split(use, VECTOR))
        state.rewards.block_until_ready()
        yield VECTOR


def sanssouci_aec() -> Any:
    from sanssouci.env import sanssouci_v1  # noqa: PLC0415

    return sanssouci_v1.env()


def empty_aec() -> Any:
    """A game in which nothing happens, in the wrappers of PettingZoo's own games: what they cost."""
    from pettingzoo.utils import wrappers  # noqa: PLC0415

    from sanssouci.env import sanssouci_v1  # noqa: PLC0415

    class Empty(sanssouci_v1.raw_env):
        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            super().reset(seed)
            self._seen, self._left = super().observe("seat_0"), 144

        def observe(self, agent: str) -> Any:
            return self._seen

        def step(self, action: int | None) -> None:
            if self.terminations[self.agent_selection]:
                self._was_dead_step(action)
                return
            self._left -= 1
            if self._left == 0:
                self.terminations = dict.fromkeys(self.agents, True)

    checked = wrappers.TerminateIllegalWrapper(Empty(), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


CASES: tuple[tuple[str, Callable[[], Steps], float | None, str], ...] = (
    ("Sanssouci, PettingZoo", lambda: aec(sanssouci_aec), 4, "compiled; observations and masks"),
    ("PettingZoo, empty game", lambda: aec(empty_aec), None, "PettingZoo's wrappers alone"),
    ("PettingZoo Connect Four", lambda: aec(classic("connect_four_v3")), 1, "42 squares, nothing hidden"),
    ("PettingZoo Texas hold 'em", lambda: aec(classic("texas_holdem_v4")), 1, "RLCard in Python"),
    ("PettingZoo Hanabi", lambda: aec(classic("hanabi_v5")), 1, "C++, stepped from Python"),
    ("Sanssouci, OpenSpiel", lambda: open_spiel_game("python_sanssouci"), 4, "compiled; explicit chance"),
    ("OpenSpiel backgammon", lambda: open_spiel_game("backgammon"), 1, "C++, stepped from Python"),
    ("OpenSpiel tic-tac-toe in Python", lambda: open_spiel_game("python_tic_tac_toe"), 1, "no chance"),
    (
        "Sanssouci, OpenSpiel, lists",
        lambda: open_spiel_game("python_sanssouci", lists=True),
        4,
        "`observation_tensor`: 1,194 numbers",
    ),
    (
        "OpenSpiel backgammon, lists",
        lambda: open_spiel_game("backgammon", lists=True),
        1,
        "`observation_tensor`: 200 numbers",
    ),
    ("Sanssouci, Gymnasium", gymnasium_single, 4, "one agent; the opponent's turns are not counted"),
    (
        f"Sanssouci, {VECTOR} games",
        gymnasium_vector,
        4,
        "compiled; random choice in NumPy is part of the time",
    ),
    (f"Sanssouci, {VECTOR} games, step only", vector_step_only, 4, "the first legal action"),
    (f"Pgx backgammon, {VECTOR} games", lambda: pgx_game("backgammon"), None, "JAX on the CPU, no opponent"),
)


def table(seconds: float) -> list[Speed]:
    """Measure every case whose packages are installed."""
    found = []
    for name, make, actions, note in CASES:
        print(f"measuring {name}", file=sys.stderr)
        try:
            steps = measure(make(), seconds)
        except ImportError as error:
            print(f"  left out: {error}", file=sys.stderr)
            continue
        found.append(Speed(name, steps, steps / actions if actions else None, note))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environments", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = table(asked.seconds)
    if asked.json:
        print(json.dumps([asdict(row) for row in found], indent=2))
        return
    print("| Environment | Actions/s | Turns/s | |\n|---|---|---|---|")
    for row in found:
        turns = f"{row.turns:,.0f}" if row.turns is not None else ""
        print(f"| {row.name} | {row.steps:,.0f} | {turns} | {row.note} |")


if __name__ == "__main__":
    main()
