"""Results of the kernel as JSON: ``python -m tests.kernel.fingerprint``.

All entries except the first are equal whether the kernel is compiled, interpreted, or run without Numba.
"""

import json
from typing import Any

import numpy as np

from sanssouci.kernel import COMPILES, Batch, best_turn, encode, perft, play_series, rollouts
from sanssouci.rules import IMPERIAL, Variant

from ..helpers import odd_deal, random_states, stream
from .tables import SEED, game_setup

ALL = Variant(3, IMPERIAL, rewards=True, wild_boar=True)
PLAIN = Variant(2)


def fingerprint() -> dict[str, Any]:
    """Results of series, batches, rollouts, greedy turns and perft."""
    return {
        "compiles": COMPILES,
        "random": _series(ALL, ("random",) * 3, 20),
        "plain": _series(PLAIN, ("random",) * 2, 20),
        "greedy": _series(ALL, ("greedy", "random", "random"), 2),
        "batch": _batch(),
        "positions": [_position(variant) for variant in (ALL, PLAIN)],
    }


def _series(variant: Variant, players: tuple[str, ...], games: int) -> list[Any]:
    chunks = play_series(game_setup(variant), SEED, players, games, threads=1)
    return [game for chunk in chunks for game in chunk.results.tolist()]


def _batch() -> dict[str, Any]:
    batch = Batch.deal(game_setup(ALL), SEED, 3)
    masks, counts = [field.tolist() for field in batch.masks()], []
    while not batch.over:
        legal = batch.legal_turns()
        counts.append(np.diff(legal.starts).tolist())
        batch.step(legal.turns[legal.starts[:-1] + batch.turn % 5])
    return {"masks": masks, "counts": counts, "results": batch.results().tolist()}


def _position(variant: Variant) -> dict[str, Any]:
    deal = odd_deal(variant, stream(5))
    state = random_states(deal, stream(6))[variant.turns - 9]
    view = state.view(state.to_move)
    turn = best_turn(view)
    seats = ("random", "greedy", "random", "steward")[: variant.seats]
    return {
        "best": encode(turn),
        "perft": perft(state, deal, 1),
        "rollouts": rollouts(view, SEED, 4, seats).tolist(),
        "with a turn": rollouts(view, SEED, 4, seats, turn).tolist(),
        "watched": rollouts(state.view(None), SEED, 4, seats).tolist(),
    }


if __name__ == "__main__":
    print(json.dumps(fingerprint()))
