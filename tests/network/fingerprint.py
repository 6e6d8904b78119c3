"""Judgements and searches as JSON, compiled or not: ``python -m tests.network.fingerprint``."""

import json
from typing import Any

import numpy as np

from sanssouci.kernel import encode, flatten_view
from sanssouci.kernel.layout import Ints
from sanssouci.network import compare_turns, judged_turns, network_search

from .networks import positions, random_layers


def fingerprint() -> list[Any]:
    """A few positions of some variants."""
    found: list[Any] = []
    for state in list(positions(20))[::5]:
        layers = random_layers(state.variant.seats)
        view = state.view(state.to_move)
        codes, judged = judged_turns(flatten_view(view), layers)
        searched = network_search(view, layers, bytes(32), rollouts=6)
        found.append(
            [
                _sums(codes),
                _sums(judged),
                [(encode(turn.turn), turn.games, turn.value, turn.win) for turn in searched],
                compare_turns(view, [searched[0].turn], layers, bytes(32), 1, 1).tolist(),
            ]
        )
    return found


def _sums(values: Ints) -> list[int]:
    """A short check of many numbers and their order."""
    flat = values.ravel()
    return [len(flat), int(flat.sum()), int((flat * np.arange(len(flat))).sum())]


if __name__ == "__main__":
    print(json.dumps(fingerprint()))
