"""Fits the chances of winning that forecasts show: ``SLOPES`` in ``network/forecast.py``.

Run as ``python -m benchmarks.forecast_calibration``; ten minutes on one core. ``… 3`` does it for three seats
only. Weaker players begin each game and the network ends it, so that chances also hold where a game is
one-sided. Other games check the fit.
"""

import sys

import numpy as np
import numpy.typing as npt

from sanssouci.kernel import Ints, game_keys
from sanssouci.kernel.compiler import ignore_overflow
from sanssouci.kernel.dealing import BOARD_FIELDS, MOST_CARDS, MOST_TILES, NO_BOARD, deal
from sanssouci.kernel.greedy import SCRATCH, WEIGHTS, greedy_turn
from sanssouci.kernel.layout import HEADER, MOST_SEATS, SEAT_SIZE, SIZE
from sanssouci.kernel.play import answer, next_card, next_tile, play, score_the_end
from sanssouci.kernel.rng import STREAMS, open_streams
from sanssouci.learning import random_setup, shipped_setup, variants
from sanssouci.learning.boards import Arrays
from sanssouci.network import UNIT, Layers, judged_turns, shipped_network
from sanssouci.network.forecast import SLOPES
from sanssouci.network.search import end_of
from sanssouci.rules import ROUNDS

Floats = npt.NDArray[np.float64]

FITTED, CHECKED = 1500, 1500
"""Games to fit the slopes, and to check them."""
BASE_OFTEN = (0, 0, 1, 2, 3)
NETWORK = -1
STEPS, BINS, LEAST_IN_BIN = 40, 10, 300


def main() -> None:
    for seats in map(int, sys.argv[1:] or (2, 3, 4)):
        fitted, checked = collect(seats, FITTED, 1), collect(seats, CHECKED, 2)
        slopes = [fit(*near(fitted, number)) for number in range(ROUNDS - 1)]
        print(f"{seats} seats:", ", ".join(f"{slope:.3f}" for slope in slopes))
        print_check(f"{seats} seats, fitted", np.array(slopes), checked)
        print_check(f"{seats} seats, in use", SLOPES[seats - 2], checked)


def collect(seats: int, games: int, seed: int) -> Floats:
    """``[rounds, 3, seats]``: rounds of games that the network ends.

    The round, the points that each seat expects, and its share of the win.
    """
    random, layers = np.random.default_rng([seed, seats]), shipped_network(seats).layers
    found = []
    with ignore_overflow():
        for game in range(games):
            variant = variants(seats)[BASE_OFTEN[game % len(BASE_OFTEN)]]
            setup = random_setup(variant, random) if game % 3 == 0 else shipped_setup(variant)
            found.append(play_game(setup, seats, layers, random))
    return np.concatenate(found)


def play_game(setup: Arrays, seats: int, layers: Layers, random: np.random.Generator) -> Floats:
    state, streams = np.zeros(SIZE, np.int64), np.zeros(STREAMS, np.uint64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    boards, scratch = np.full((MOST_SEATS, BOARD_FIELDS), NO_BOARD, np.int64), np.empty(SCRATCH, np.int64)
    ((one, two),) = game_keys(random.bytes(32), 1, 1)
    open_streams(one, two, seats, streams)
    deal(setup.header, setup.gardens, setup.rewards, streams, state, decks, tiles, boards)
    weak = int(random.integers(0, ROUNDS - 1)) if random.random() < 0.75 else 0
    players = random.integers(NETWORK, len(WEIGHTS), seats)
    expected = np.zeros((ROUNDS, seats))
    for turn in range(ROUNDS * seats):
        number, seat = divmod(turn, seats)
        at = HEADER + SEAT_SIZE * seat
        if number < weak and players[seat] != NETWORK:
            code = greedy_turn(state, at, WEIGHTS[players[seat]], scratch)
        else:
            codes, judged = judged_turns(state, layers)
            code, expected[number, seat] = codes[0], judged[0, 1] / UNIT
        play(state, at, code)
        answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, seat, number))
    score_the_end(state)
    rounds = np.arange(weak, ROUNDS - 1)
    shares = [end_of(state, seat)[2] / UNIT for seat in range(seats)]
    parts = (rounds[:, None].repeat(seats, 1), expected[rounds], np.tile(shares, (len(rounds), 1)))
    return np.stack(parts, axis=1)


def near(rows: Floats, number: int) -> tuple[Floats, Floats]:
    """The points and shares of a round and its neighbours."""
    chosen = rows[abs(rows[:, 0, 0] - number) <= 1]
    return chosen[:, 1], chosen[:, 2]


def chances_of(points: Floats, slopes: Floats | float) -> Floats:
    logits = points * slopes
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: Floats = odds / odds.sum(axis=1, keepdims=True)
    return chances


def fit(points: Floats, shares: Floats) -> float:
    """The slope of the logistic regression, by Newton's method."""
    slope = 0.2
    for _ in range(STEPS):
        chances = chances_of(points, slope)
        mean = (chances * points).sum(axis=1)
        gradient = ((chances - shares) * points).sum()
        slope -= gradient / ((chances * points**2).sum() - (mean**2).sum())
    return float(slope)


def print_check(name: str, slopes: Floats, rows: Floats) -> None:
    rounds: Ints = rows[:, 0, 0].astype(np.int64)
    chances, shares = chances_of(rows[:, 1], slopes[rounds, None]), rows[:, 2]
    bins = np.minimum((BINS * chances).astype(int), BINS - 1)
    members = [bins == number for number in range(BINS)]
    gaps = [abs(chances[one].mean() - shares[one].mean()) for one in members if one.sum() >= LEAST_IN_BIN]
    print(f"{name}: largest gap {max(gaps):.3f}, Brier score {((chances - shares) ** 2).mean():.4f}")


if __name__ == "__main__":
    main()
