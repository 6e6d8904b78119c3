"""The measurements of ``sanssouci bench`` and their goals."""

from collections.abc import Callable
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from sanssouci.arena import Simulation, Summary
from sanssouci.dealer import BulkGame, prepare
from sanssouci.editions import BoardSet, load_edition, shipped_boards
from sanssouci.kernel import RESULT_FIELDS, Batch, GameSetup, game_keys, play_keys, play_series, policies
from sanssouci.players import RandomPlayer
from sanssouci.rules import IMPERIAL, Variant

from .c_baseline import CBaseline, checksum, compile_baseline
from .timing import best_of, seconds

SEED = bytes(32)
BASE = Variant(2)
BOTH = Variant(2, IMPERIAL, rewards=True, wild_boar=True)
GAMES = 100_000
LONG_SERIES = 1_000_000
GREEDY_GAMES = 4_000
RULES_SECONDS = 2.0
BATCH = 256
OnStep = Callable[[str], None]
"""Called with the name of each measurement before it starts."""

GOALS: dict[str, float] = {
    "rules_turns_per_s": 25_000,
    "ceiling_ratio": 0.95,
    "two_threads_ratio": 1.8,
    "step_turns_per_s": 600_000,
    "expansions_ratio": 0.6,
    "greedy_games_per_s": 1_500,
    "million_games_s": 10,
}
"""The goal of each figure, a minimum."""
AT_MOST = "million_games_s"
"""The figure whose goal is a maximum."""


def measure(on_step: OnStep) -> dict[str, Any]:
    """The figures that take half a minute together, by name."""
    figures: dict[str, Any] = {}
    for step in (_rules, _kernel, _threads, _step, _greedy, _million):
        on_step(step.__name__.strip("_"))
        figures |= step()
    return figures


def boards_of(variant: Variant) -> BoardSet:
    """The boards of the variant's edition."""
    return load_edition(variant.edition).boards


def _rules() -> dict[str, Any]:
    """Interpreted rules: random turns through views and options, without dealing."""
    return {"rules_turns_per_s": rules_pace(BASE, RULES_SECONDS)}


def rules_pace(variant: Variant, limit: float) -> float:
    """Turns a second with the interpreted rules: the best fifth of ``seconds`` seconds."""
    games = 4
    (first,) = best_of(lambda: _rules_seconds(variant, games), rounds=1)
    games = max(games, int(games * limit / 5 / first))
    (time,) = best_of(lambda: _rules_seconds(variant, games))
    return games * variant.turns / time


def _rules_seconds(variant: Variant, games: int) -> float:
    """The time for ``games`` games, without dealing."""
    spent = 0.0
    for number in range(1, games + 1):
        chance = BulkGame(SEED, number)
        players = [RandomPlayer(chance.stream(seat)) for seat in range(variant.seats)]
        deal, _ = prepare(variant, boards_of(variant), chance.dealer(), lambda seat, view: 0)
        begun = perf_counter()
        state = deal.start()
        while not state.over:
            turn = players[state.to_move].decide(state.view(state.to_move))
            state = state.play(turn, deal.chance(state.turn))
        spent += perf_counter() - begun
    return spent


class Playout:
    """Random games in the kernel on one core, dealing included; every round plays the same games."""

    def __init__(self, variant: Variant, games: int) -> None:
        self.setup = GameSetup.of(variant, boards_of(variant))
        self.keys = game_keys(SEED, 1, games)
        self.seats = policies(("random",) * variant.seats, variant.seats)
        self.results = np.zeros((games, 4, RESULT_FIELDS), np.int64)
        self.turns = games * variant.turns
        self.play()

    def play(self) -> None:
        play_keys(self.setup, self.keys, self.seats, self.results)

    def seconds(self) -> float:
        return seconds(self.play)


def _kernel() -> dict[str, Any]:
    """The kernel, and the C programs on the same games in the same run."""
    base, both = Playout(BASE, GAMES), Playout(BOTH, GAMES)
    digests = base.keys.astype(">u8").tobytes()
    with TemporaryDirectory() as folder:
        programs = {name: compile_baseline(name, folder) for name in ("ceiling", "tuned")}
        rivals = {
            name: CBaseline(program, boards_of(BASE), digests)
            for name, program in programs.items()
            if program is not None
        }
        times = best_of(base.seconds, both.seconds, *(rival.seconds for rival in rivals.values()))
    paces = dict(zip(("kernel", "both", *rivals), (base.turns / time for time in times), strict=True))
    ceiling, tuned = paces.get("ceiling"), paces.get("tuned")
    same = {rival.checksum for rival in rivals.values()} == {checksum(base.results)}
    return {
        "kernel_turns_per_s": paces["kernel"],
        "kernel_games_per_s": GAMES / times[0],
        "expansions_ratio": paces["both"] / paces["kernel"],
        "ceiling_turns_per_s": ceiling,
        "ceiling_ratio": paces["kernel"] / ceiling if ceiling else None,
        "tuned_turns_per_s": tuned,
        "tuned_ratio": paces["kernel"] / tuned if tuned else None,
        "same_games_as_in_c": same if rivals else None,
    }


def _threads() -> dict[str, Any]:
    """The same series on one thread and on two."""
    setup = GameSetup.of(BASE, boards_of(BASE))

    def series(threads: int) -> float:
        return seconds(lambda: sum(1 for _ in play_series(setup, SEED, ("random",) * 2, 2 * GAMES, threads)))

    one, two = best_of(lambda: series(1), lambda: series(2))
    return {"two_threads_ratio": one / two}


def _step() -> dict[str, Any]:
    """From Python: all legal turns of a batch of games, one chosen for each, a checked step."""
    setup, chance = GameSetup.of(BASE, boards_of(BASE)), np.random.default_rng(1)

    def batch() -> None:
        games = Batch.deal(setup, SEED, BATCH)
        while not games.over:
            legal = games.legal_turns()
            chosen = (chance.random(BATCH) * np.diff(legal.starts)).astype(np.int64)
            games.step(legal.turns[legal.starts[:-1] + chosen])

    batch()
    (time,) = best_of(lambda: seconds(batch), rounds=20)
    return {"step_turns_per_s": BATCH * BASE.turns / time}


def _greedy() -> dict[str, Any]:
    """Greedy against itself, on one core."""
    setup, games = GameSetup.of(BASE, shipped_boards("reference")), GREEDY_GAMES
    keys, seats = game_keys(SEED, 1, games), policies(("greedy", "greedy"), 2)
    results = np.zeros((games, 4, RESULT_FIELDS), np.int64)
    (time,) = best_of(lambda: seconds(lambda: play_keys(setup, keys, seats, results)), rounds=3)
    return {"greedy_games_per_s": games / time}


def _million() -> dict[str, Any]:
    """A million random games on two threads, from seed to summary."""
    simulation, summary = Simulation(BASE, boards_of(BASE), ("random",) * 2, SEED), Summary(2)

    def play() -> None:
        for chunk in simulation.chunks(LONG_SERIES, threads=2):
            summary.add(chunk.results)

    return {"million_games_s": seconds(play)}
