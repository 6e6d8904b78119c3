"""Measures the game in JAX on this machine's device: ``python -m benchmarks.jax_speed --games 1048576``.

``playout`` plays whole random games in one compiled function, from the deal to the end; a turn is the choice
of card, space, square and noble, the placement, the move, the points, the refill and the draw. ``staged``
goes through ``Sanssouci.step`` with random legal actions: masks included, observations not. Two seats, base
game. Compilation is not measured. Needs JAX and NumPy only.
"""

import argparse
import json
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import sanssouci
from sanssouci.jax import Sanssouci, State
from sanssouci.jax.playout import play_games
from sanssouci.rules import OUR_DECK, GardenBoard, Variant, set_of, square_at

STAGED_STEPS = 144
"""36 turns of four stages: every game of a batch lasts as long."""


def load_boards() -> Any:
    """The garden boards of an edition, read without the packages that check a boards file."""
    path = Path(sanssouci.__file__).parent / "editions" / "data" / "ravensburger.toml"
    boards = tomllib.loads(path.read_text("utf-8"))["boards"]["gardens"]
    sides = [[_squares(board[side]) for side in ("front", "back")] for board in boards]
    return SimpleNamespace(gardens=[GardenBoard(tuple(both)) for both in sides], rewards=(), deck=OUR_DECK)


def _squares(names: list[str]) -> int:
    return set_of([square_at("abcdefghi".index(name[0]), int(name[1])) for name in names])


def median_time(run: Callable[[int], Any], repeats: int) -> float:
    """The median of several runs, in seconds; the first call compiles and is not counted."""
    times = []
    for number in range(repeats + 1):
        start = time.perf_counter()
        jax.block_until_ready(run(number))
        times.append(time.perf_counter() - start)
    return median(times[1:])


def measure_playout(game: Sanssouci, games: int, repeats: int) -> dict[str, Any]:
    def run(number: int) -> Any:
        return play_games(game.variant, game.boards, (jnp.uint32(number), jnp.uint32(1)), games)

    seconds = median_time(run, repeats)
    points = np.asarray(run(1).points)
    compiled = play_games.lower(game.variant, game.boards, (jnp.uint32(0), jnp.uint32(0)), games).compile()
    return {
        "what": "playout",
        "games": games,
        "seconds": seconds,
        "millions_per_s": games * game.variant.turns / seconds / 1e6,
        "unit": "turns",
        "mean_points": float(points.mean()),
        "sum_of_points": int(points.sum()),  # the same on every device
        "kernels": _count_kernels(compiled),
    }


def measure_staged(game: Sanssouci, games: int, repeats: int) -> dict[str, Any]:
    init, step = jax.jit(jax.vmap(game.init)), jax.vmap(game.step)

    def play(number: jax.Array, carried: tuple[State, jax.Array]) -> tuple[State, jax.Array]:
        state, key = carried
        key, choice, chance = jax.random.split(key, 3)
        action = random_action(state.legal_action_mask, jax.random.bits(choice, (games,), jnp.uint32))
        return step(state, action, jax.random.split(chance, games)), key

    def play_all_steps(state: State, key: jax.Array) -> State:
        end: tuple[State, jax.Array] = jax.lax.fori_loop(0, STAGED_STEPS, play, (state, key))
        return end[0]

    play_all = jax.jit(play_all_steps)

    start = jax.block_until_ready(init(jax.random.split(jax.random.key(1), games)))
    seconds = median_time(lambda number: play_all(start, jax.random.key(number)), repeats)
    end = play_all(start, jax.random.key(1))
    if not bool(end.terminated.all()):
        raise RuntimeError("a game is not over")
    compiled = play_all.lower(start, jax.random.key(0)).compile()
    return {
        "what": "staged",
        "games": games,
        "seconds": seconds,
        "millions_per_s": games * STAGED_STEPS / seconds / 1e6,
        "unit": "steps",
        "mean_points": float(end.seats.points.total().mean()),
        "kernels": _count_kernels(compiled),
    }


def random_action(mask: jax.Array, random: jax.Array) -> jax.Array:
    """A random legal action of each game: the one with the largest hash."""
    hashed = (jnp.arange(mask.shape[-1], dtype=jnp.uint32) ^ random[:, None]) * jnp.uint32(0x9E3779B1)
    hashed = (hashed ^ hashed >> 15) * jnp.uint32(0x85EBCA77)
    return jnp.argmax(jnp.where(mask, hashed >> 8 | 1 << 24, 0).astype(jnp.int32), -1)


def _count_kernels(compiled: Any) -> int:
    """The fusions of the compiled program: about as many kernels as a deal, one round and the end launch."""
    return int(compiled.as_text().count(" fusion("))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[1 << 12], help="batch sizes of playouts")
    parser.add_argument(
        "--staged", type=int, nargs="*", default=[1 << 10], help="batch sizes of staged games"
    )
    parser.add_argument("--repeats", type=int, default=10, help="runs, of which the median counts")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    game = Sanssouci(Variant(), load_boards())
    device = jax.devices()[0]
    found = {"device": device.device_kind, "platform": device.platform, "jax": jax.__version__, "rows": []}
    print(f"{found['device']} ({found['platform']}), JAX {found['jax']}")
    print(f"{'':8} {'games':>9} {'seconds':>9} {'million/s':>10} {'kernels':>8} {'points':>7}")
    sizes = [(measure_playout, games) for games in options.games]
    sizes += [(measure_staged, games) for games in options.staged]
    for measure, games in sizes:
        row = measure(game, games, options.repeats)
        found["rows"].append(row)
        print(
            f"{row['what']:8} {games:9} {row['seconds']:9.4f} {row['millions_per_s']:10.2f}"
            f" {row['kernels']:8} {row['mean_points']:7.2f}",
            flush=True,
        )
    print(json.dumps(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
