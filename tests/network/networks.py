"""Networks of random integers, and positions to judge."""

from collections.abc import Iterator

import numpy as np

from sanssouci.network import BITS, BUCKETS, OUTPUTS, Layers, words_of
from sanssouci.rules import State

from ..helpers import VARIANTS, odd_deal, random_states, stream


def random_layers(seats: int, hidden: int = 32, seed: int = 1) -> Layers:
    """A network that judges at random, with values of the usual size."""
    random = np.random.default_rng(seed)
    words = words_of(2 if seats == 2 else 4)
    return Layers(
        random.integers(-60, 60, (BITS * words, hidden)).astype(np.int16),
        random.integers(-500, 500, hidden).astype(np.int16),
        random.integers(-9000, 9000, (BUCKETS, OUTPUTS, hidden)).astype(np.int16),
        random.integers(-(1 << 20), 1 << 20, (BUCKETS, OUTPUTS)),
        np.array([22], np.int64),
        np.stack(
            [random.integers(2000, 6000, (3, BUCKETS)), random.integers(-4000, 4000, (3, BUCKETS))], axis=2
        ),
    )


def positions(every: int = 7) -> Iterator[State]:
    """Some positions of a random game of every variant, on odd boards."""
    for number, variant in enumerate(VARIANTS):
        yield from random_states(odd_deal(variant, stream(number)), stream(100 + number))[:-1][::every]
