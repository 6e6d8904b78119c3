"""Compares ways to choose a turn: which choice does best if the network then plays the game to its end?

Run as ``python -m benchmarks.search_choices collect FILE --seconds 480 --threads 15``, then ``… report
FILE``. In each position short games of several depths are played, with ``steward`` or with the network in the
other seats, and complete games of the network with the best candidates. Every way to choose is then a formula
over the same short games, and its gain is measured in complete games that it has not seen.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sanssouci.editions import shipped_boards
from sanssouci.kernel import Batch, GameSetup, Ints, game_keys
from sanssouci.kernel.compiler import entry, ignore_overflow
from sanssouci.kernel.dealing import MOST_CARDS, MOST_TILES
from sanssouci.kernel.greedy import SCRATCH, STEWARD, WEIGHTS, greedy_turn
from sanssouci.kernel.layout import (
    FIRST,
    HAND,
    HEADER,
    PILE,
    SEAT_SIZE,
    SEATS,
    SECOND,
    SIZE,
    TURN,
    UNKNOWN,
)
from sanssouci.kernel.options import list_turns
from sanssouci.kernel.play import answer, next_card, next_tile, play, score_the_end
from sanssouci.kernel.rng import STREAMS, Words, open_streams
from sanssouci.kernel.rollouts import determinize
from sanssouci.network import UNIT, Layers, Scratch, judge_turns, judged_turns, scratch_for, shipped_network
from sanssouci.network.inference import best_turn_of
from sanssouci.network.search import JUDGED, MOST_LISTED, end_of
from sanssouci.rules import ROUNDS, Variant

Floats = npt.NDArray[np.float64]

CANDIDATES, DEPTH, GAMES = 16, 4, 240
"""Candidates by the network, the deepest short game, and short games of each candidate."""
FINALISTS, COMPLETE = 6, 480
"""Candidates that begin complete games, and how many."""
SAMPLES = (15, 30, 60, 120, 240)
BY_STEWARD, BY_NETWORK = 0, 1
OWN, OTHER, WIN = 1, 2, 3


class Position(NamedTuple):
    """What is kept of one position."""

    turn: int
    short: Floats
    """``[2, samples, candidates, depth + 1, 4]``: by reply; depth 0 is the network's own judgement."""
    complete: Floats
    """``[2, candidates, 4]``: two halves of the complete games; NaN for other candidates."""


@entry
def play_to(
    view: Ints,
    keys: Words,
    codes: Ints,
    depth: int,
    reply: int,
    layers: Layers,
    scratch: Scratch,
    found: Ints,
) -> None:
    """Fill ``found``, ``[games, codes, depth + 1, 4]``, from 1 on: the judgement at each own turn.

    Where the game ends before, the rest is its result.
    """
    state, start = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    streams, greedy = np.zeros(STREAMS, np.uint64), np.empty(SCRATCH, np.int64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    listed, judged = np.empty(MOST_LISTED, np.int64), np.empty((MOST_LISTED, JUDGED), np.int64)
    seats, played = view[SEATS], view[TURN]
    seat = played % seats
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], seats, streams)
        determinize(view, streams, start, decks, tiles)
        for which in range(codes.size):
            state[:] = start
            code, own_turns = codes[which], 0
            for turn in range(played, ROUNDS * seats):
                mover, rounds = turn % seats, turn // seats
                at = HEADER + SEAT_SIZE * mover
                if mover != seat and reply == BY_STEWARD:
                    code = greedy_turn(state, at, WEIGHTS[STEWARD - 1], greedy)
                elif turn > played:
                    count = list_turns(state, listed, 0)
                    judge_turns(state, listed, count, layers, scratch, judged)
                    best = best_turn_of(judged, count)
                    code = listed[best]
                    if mover == seat:
                        own_turns += 1
                        found[game, which, own_turns] = judged[best]
                        if own_turns == depth:
                            break
                play(state, at, code)
                answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, mover, rounds))
            if state[TURN] == ROUNDS * seats:
                score_the_end(state)
                own, other, share = end_of(state, seat)
                for rest in range(own_turns + 1, depth + 1):
                    found[game, which, rest, 0] = own - other // 2 + 3 * share
                    found[game, which, rest, OWN] = own
                    found[game, which, rest, OTHER] = other
                    found[game, which, rest, WIN] = share


def some_position(setup: GameSetup, layers: Layers, random: np.random.Generator) -> Ints:
    """The view of the seat to move, at a random turn of a game that the network plays with some noise."""
    batch, seats = Batch.deal(setup, random.bytes(32), 1), setup.variant.seats
    stop = random.integers(0, setup.turns)
    while batch.turn < stop:
        codes, judged = judged_turns(batch.states[0], layers)
        batch.step([random.choice(codes[judged[:, 0] > judged[0, 0] - UNIT // 2])])
    view: Ints = batch.states[0].copy()
    for seat in range(seats):
        if seat != batch.to_move:
            at = HEADER + SEAT_SIZE * seat
            view[at + PILE] |= view[at + HAND]
            view[at + HAND] = 0
            view[at + FIRST] = view[at + SECOND] = UNKNOWN
    return view


def study(setup: GameSetup, layers: Layers, seed: int) -> Position:
    random = np.random.default_rng(seed)
    with ignore_overflow():
        view = some_position(setup, layers, random)
        codes, judged = judged_turns(view, layers)
        codes, judged = codes[:CANDIDATES], judged[:CANDIDATES]

        def games(chosen: Ints, count: int, depth: int, reply: int, key: bytes) -> Ints:
            found = np.zeros((count, len(chosen), depth + 1, 4), np.int64)
            keys = game_keys(key, 1, count)
            play_to(view, keys, chosen, depth, reply, layers, scratch_for(layers), found)
            return found

        one, two = random.bytes(32), random.bytes(32)
        short = np.full((2, len(SAMPLES), CANDIDATES, DEPTH + 1, 4), np.nan)
        for reply in (BY_STEWARD, BY_NETWORK):
            found = games(codes, GAMES, DEPTH, reply, one)
            found[:, :, 0] = judged
            for place, count in enumerate(SAMPLES):
                short[reply, place, : len(codes)] = found[:count].mean(axis=0) / UNIT
        value = short[:, -1, : len(codes), 2, 0].sum(axis=0)
        finalists = np.unique(np.append(np.argsort(-value)[:FINALISTS], 0))
        ends = games(codes[finalists], COMPLETE, ROUNDS, BY_NETWORK, two)[:, :, ROUNDS] / UNIT
    complete = np.full((2, CANDIDATES, 4), np.nan)
    complete[:, finalists] = ends[: COMPLETE // 2].mean(axis=0), ends[COMPLETE // 2 :].mean(axis=0)
    return Position(int(view[TURN]), short, complete)


def collect(path: Path, seconds: float, threads: int, seats: int, seed: int) -> None:
    begun = time.monotonic()
    setup = GameSetup.of(Variant(seats), shipped_boards("reference"))
    layers = shipped_network(seats).layers
    found = [study(setup, layers, seed)]
    print(f"compiled after {time.monotonic() - begun:.0f} s", flush=True)
    with ThreadPoolExecutor(threads) as pool:

        def work(thread: int) -> list[Position]:
            mine, number = [], 0
            while time.monotonic() - begun < seconds:
                number += 1
                mine.append(study(setup, layers, 1_000_000 * (thread + 1) + 1000 * seed + number))
            return mine

        for mine in pool.map(work, range(threads)):
            found += mine
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        turn=[one.turn for one in found],
        short=np.stack([one.short for one in found]).astype(np.float32),
        complete=np.stack([one.complete for one in found]).astype(np.float32),
    )
    print(f"{len(found)} positions in {time.monotonic() - begun:.0f} s")


def report(paths: list[Path]) -> None:
    files = [np.load(path) for path in paths]
    short, complete = (np.concatenate([file[name] for file in files]) for name in ("short", "complete"))
    both = complete.mean(axis=1)
    known = ~np.isnan(both[..., 0])
    print(f"{len(short)} positions; gains per game (18 turns) over short games of depth 2 with steward")

    def value(reply: int, depth: int, sample: int = -1, other: float = 0.5, win: float = 3) -> Floats:
        means = short[:, reply, sample, :, depth]
        found: Floats = means[..., OWN] - other * means[..., OTHER] + win * means[..., WIN]
        return found

    def mean_value(reply: int, first: int, other: float = 0.5) -> Floats:
        found: Floats = np.mean(
            [value(reply, depth, other=other) for depth in range(first, DEPTH + 1)], axis=0
        )
        return found

    def choose(values: Floats) -> Any:
        return np.where(known & ~np.isnan(values), values, -np.inf).argmax(axis=1)

    base = choose(value(BY_STEWARD, 2))
    rows = np.arange(len(short))

    def show(name: str, chosen: Any, truth: Floats = both) -> None:
        gains = truth[rows, chosen] - truth[rows, base]
        parts = {
            "value": gains[:, 0],
            "margin": gains[:, OWN] - gains[:, OTHER],
            "win %": 100 * gains[:, WIN],
        }
        error = 1.96 * 18 / len(rows) ** 0.5
        text = "  ".join(
            f"{what} {18 * figure.mean():+6.2f} ± {error * figure.std():.2f}"
            for what, figure in parts.items()
        )
        print(f"{name:32} other choice {np.mean(chosen != base):4.0%}   {text}")

    show("the network alone", choose(value(BY_STEWARD, 0)))
    for sample, count in enumerate(SAMPLES):
        show(f"steward, depth 2, {count} games", choose(value(BY_STEWARD, 2, sample)))
    for reply, name in ((BY_STEWARD, "steward"), (BY_NETWORK, "network")):
        for depth in range(1, DEPTH + 1):
            show(f"{name}, depth {depth}", choose(value(reply, depth)))
        show(f"{name}, mean of depths 1-2", choose(value(reply, 1) + value(reply, 2)))
        show(f"{name}, mean of depths 2-4", choose(mean_value(reply, 2)))
        show(f"{name}, mean of depths 0-4", choose(mean_value(reply, 0)))
        for other in (0.75, 1):
            show(f"{name}, depths 2-4, other {other}", choose(mean_value(reply, 2, other)))
        for other in (0, 0.25, 0.75, 1):
            show(f"{name}, depth 2, other {other}", choose(value(reply, 2, other=other)))
        for other in (0.5, 1):
            for win in (0, 10, 30):
                show(f"{name}, depth 2, {other}, win {win}", choose(value(reply, 2, other=other, win=win)))
    show("both replies, depths 2-4", choose(mean_value(BY_STEWARD, 2) + mean_value(BY_NETWORK, 2)))
    for count in (4, 8, 12):
        values = value(BY_STEWARD, 2)
        values[:, count:] = -np.inf
        show(f"steward, depth 2, {count} candidates", choose(values))
    for half in (0, 1):
        show("complete games, other half", choose(complete[:, half, :, 0]), complete[:, 1 - half])
    values = complete[:, 0, :, OWN] - complete[:, 0, :, OTHER]
    show("complete games, margin", choose(values), complete[:, 1])
    mixed = complete[:, 0, :, 0] + 2 * value(BY_NETWORK, 3)
    show("complete games and depth 3", choose(mixed), complete[:, 1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=("collect", "report"))
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.task == "collect":
        collect(options.files[0], options.seconds, options.threads, options.seats, options.seed)
    report(options.files)


if __name__ == "__main__":
    main()
