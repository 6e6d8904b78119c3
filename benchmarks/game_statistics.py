"""The figures of docs/benchmark.md: branching factor, and how much of a result is skill and luck.

    python -m benchmarks.game_statistics
    python -m benchmarks.game_statistics --games 20000 --json

**Branching**: the legal turns of every position in games of one player against itself.

**Skill and luck**: each deal is played twice by two players, with seats swapped. Apart from the rest, the
lead of the first player is s + d in one game and s - d in the other: s is the same for all deals (skill), d
belongs to the deal and the seat. So the mean is s, and minus the covariance is the variance of d. The rest is
the luck of the play: other turns meet other tiles and cards.
"""

import argparse
import json
from typing import Any

import numpy as np

from sanssouci.dealer import parse_seed
from sanssouci.editions import load_edition
from sanssouci.kernel import PART_FIELDS, Batch, GameSetup, Ints, game_keys, play_keys, policies
from sanssouci.kernel.compiler import ignore_overflow
from sanssouci.kernel.games import RESULT_FIELDS, play_games
from sanssouci.kernel.greedy import WEIGHTS
from sanssouci.rules import IMPERIAL, RAVENSBURGER, Variant

SEED = parse_seed("33")
VARIANTS = {
    "2 seats": Variant(2, RAVENSBURGER),
    "3 seats": Variant(3, RAVENSBURGER),
    "4 seats": Variant(4, RAVENSBURGER),
    "2 seats, rewards and boar": Variant(2, IMPERIAL, True, True),
}
PAIRS = (("greedy", "random"), ("steward", "greedy"), ("steward", "steward"))


def branching(variant: Variant, player: str, games: int) -> dict[str, Any]:
    """The numbers of legal turns in games of one player against itself."""
    setup = GameSetup.of(variant, load_edition(variant.edition).boards)
    codes = np.zeros((games, 72), np.int64)
    results = np.zeros((games, 4, RESULT_FIELDS), np.int64)
    with ignore_overflow():
        keys = game_keys(SEED, 1, games)
        seats = policies(player, variant.seats)
        play_games(keys, setup.header, setup.gardens, setup.rewards, seats, results, codes, WEIGHTS)
    batch, counts = Batch.deal(setup, SEED, games), []
    for turn in range(setup.turns):
        counts.append(np.diff(batch.legal_turns().starts))
        batch.step(codes[:, turn])
    found = np.concatenate(counts)
    return {
        "mean": float(found.mean()),
        "median": float(np.median(found)),
        "95 %": float(np.quantile(found, 0.95)),
        "largest": int(found.max()),
        "log10 of the game tree": float(np.log10(found).reshape(setup.turns, games).sum(0).mean()),
    }


def leads(first: str, second: str, games: int) -> Ints:
    """``[2, games]``: the lead of the first player in both seatings of every deal."""
    setup = GameSetup.of(VARIANTS["2 seats"], load_edition(RAVENSBURGER).boards)
    with ignore_overflow():
        keys = game_keys(SEED, 1, games)
    found = []
    for names in ((first, second), (second, first)):
        results = np.zeros((games, 4, RESULT_FIELDS), np.int64)
        play_keys(setup, keys, policies(names, 2), results)
        totals = results[:, :2, :PART_FIELDS].sum(2)
        found.append(totals[:, 0] - totals[:, 1])
    return np.stack([found[0], -found[1]])


def skill_and_luck(first: str, second: str, games: int) -> dict[str, Any]:
    """How the lead of the first player is made up."""
    found = leads(first, second, games)
    skill, variance = float(found.mean()), float(found.var())
    if first == second:  # both games of a deal are the same one
        return {"lead": 0.0, "standard deviation": variance**0.5, "won": 0.5}
    deal = max(0.0, -float(np.cov(found)[0, 1]))
    spread = skill**2 + variance
    return {
        "lead": skill,
        "error": 1.96 * float(found.mean(0).std()) / games**0.5,
        "standard deviation": variance**0.5,
        "won": float((found > 0).mean() + 0.5 * (found == 0).mean()),
        "skill": skill**2 / spread,
        "deal and seat": deal / spread,
        "play": (variance - deal) / spread,
    }


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.game_statistics")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    figures = {
        "branching": {
            f"{name}, {player}": branching(variant, player, asked.games)
            for name, variant in VARIANTS.items()
            for player in ("random", "steward")
        },
        "skill and luck": {
            f"{first} and {second}": skill_and_luck(first, second, asked.games) for first, second in PAIRS
        },
    }
    if asked.json:
        print(json.dumps(figures, indent=2))
        return
    for title, rows in figures.items():
        print(title)
        for name, row in rows.items():
            print(f"  {name}: " + ", ".join(f"{key} {value:.3g}" for key, value in row.items()))


if __name__ == "__main__":
    main()
