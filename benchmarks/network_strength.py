"""Measures the shipped networks without a search: strength against stewards, and calibration.

Run as ``python -m benchmarks.network_strength``; two minutes on one core. ``--calibration 10000 --seats 2``
measures only the calibration, with more games. The figures are in ``docs/learning.md``.
"""

import argparse
from statistics import fmean, stdev

import numpy as np

from sanssouci.learning import random_setup, shipped_setup, strength, variants
from sanssouci.learning.calibration import chances_of, forecasts
from sanssouci.network import Layers, shipped_network

DEALS = {2: 1024, 3: 384, 4: 384}
"""Deals for each variant by seats; a deal is played in every seat."""
BOARD_SETS, DEALS_A_SET = 100, 41
BINS, LEAST_IN_BIN = 20, 300
GAMES = 700
"""Games of each variant for the calibration, by default."""
CALIBRATION_SEED = 99
"""Not the seed of any training run, so that none of the games were used to fit the chances."""
NAMES = ("base", "rewards", "wild boar", "both")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calibration", type=int, help="only the calibration, with so many games a variant")
    parser.add_argument("--seats", type=int, choices=DEALS, nargs="*", default=[*DEALS])
    args = parser.parse_args()
    if args.calibration is None:
        print_strength(args.seats)
    for seats in args.seats:
        print_calibration(shipped_network(seats).layers, seats, args.calibration or GAMES)


def print_strength(numbers: list[int]) -> None:
    """One network against stewards in every variant, and on random boards."""
    for seats in numbers:
        layers = shipped_network(seats).layers
        for name, variant in zip(NAMES, variants(seats), strict=True):
            found = strength(shipped_setup(variant), layers, DEALS[seats], 11)
            print(f"{seats} seats, {name}: {found.wins:.1%} wins, {found.margin:+.1f} ± {found.error:.1f}")
    if 2 in numbers:
        print_random_boards(shipped_network(2).layers)


def print_random_boards(layers: Layers) -> None:
    """Two seats and the base game, on boards that no training has seen and on ``reference``."""
    random, variant = np.random.default_rng(5), variants(2)[0]
    margins = [
        strength(random_setup(variant, random), layers, DEALS_A_SET, 100 + number).margin
        for number in range(BOARD_SETS)
    ]
    error, games = 1.96 * stdev(margins) / BOARD_SETS**0.5, 2 * BOARD_SETS * DEALS_A_SET
    print(f"{BOARD_SETS} random board sets, {games:,} games: {fmean(margins):+.1f} ± {error:.1f}")
    found = strength(shipped_setup(variant), layers, games // 2, 12)
    print(
        f"reference boards, {games:,} games: {found.wins:.1%} wins, {found.margin:+.1f} ± {found.error:.1f}"
    )


def print_calibration(layers: Layers, seats: int, games: int) -> None:
    """Chances of winning against what came, in games of the network with itself."""
    samples = forecasts(layers, seats, games, CALIBRATION_SEED)
    chances = np.concatenate([chances_of(logits) for _, logits, _ in samples])
    came = np.concatenate([shares for *_, shares in samples])
    bins = np.minimum((BINS * chances).astype(int), BINS - 1)
    members = [bins == number for number in range(BINS)]
    gap = max(abs(chances[one].mean() - came[one].mean()) for one in members if one.sum() >= LEAST_IN_BIN)
    brier, constant = ((chances - came) ** 2).mean(), came.var()
    print(
        f"{seats} seats, {len(chances):,} positions: largest gap {gap:.3f}; "
        f"Brier score {brier:.3f}, {1 - brier / constant:.0%} below a constant"
    )


if __name__ == "__main__":
    main()
