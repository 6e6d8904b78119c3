"""Calibrates a network's chances of winning: its logits are fitted to the results of its own games.

Training estimates wins from noisy games and from the network's own later judgements, so the chances may be
too certain or too cautious. The fit is a slope and an offset for every bucket (Platt scaling), and becomes
part of the output weights.
"""

import numpy as np
import numpy.typing as npt

from sanssouci.kernel import Ints, game_keys
from sanssouci.network import BUCKETS, Layers
from sanssouci.network.games import BY_NETWORK, Style, recorded_games
from sanssouci.network.inference import WIN_OUTPUT
from sanssouci.rules import ROUNDS

from .boards import Arrays, random_setup, shipped_setup, variants
from .quantise import hidden_values

Floats = npt.NDArray[np.float64]

_PLAIN = Style(noise=0.0, blunders=0.0, decay=1.0, cut=0.0)
"""The network's best turns; targets are the results alone."""
_CAUTION = 40.0
"""How many positions speak for leaving a bucket as it is."""
_STEPS = 20
_GAMES_A_JOB = 200


def calibrated(layers: Layers, seats: tuple[int, ...], games: int, seed: int) -> Layers:
    """The same network with fitted chances to win, from so many games of each variant.

    Half of them are on random boards.
    """
    outputs, biases = layers.outputs.copy(), layers.output_bias.copy()
    found: dict[int, list[Floats]] = {bucket: [] for bucket in range(BUCKETS)}
    for count in seats:
        for buckets, logits, shares in forecasts(layers, count, games, seed):
            for bucket in np.unique(buckets):
                chosen = buckets == bucket
                found[int(bucket)].append(np.stack((logits[chosen], shares[chosen])))
    for bucket, samples in found.items():
        if samples:
            slope, offset = fit(*np.concatenate(samples, axis=1))
            outputs[bucket, WIN_OUTPUT] = np.clip(np.rint(slope * outputs[bucket, WIN_OUTPUT]), -32767, 32767)
            unit = 1 << int(layers.shift[0])
            biases[bucket, WIN_OUTPUT] = round(slope * float(biases[bucket, WIN_OUTPUT]) + offset * unit)
    return layers._replace(outputs=outputs, output_bias=biases)


def forecasts(layers: Layers, seats: int, games: int, seed: int) -> list[tuple[Ints, Floats, Floats]]:
    """``[n]`` each, for all four variants: buckets, logits of the win, the shares of the win that came."""
    random = np.random.default_rng([seed, seats])
    found = []
    for expansions, variant in enumerate(variants(seats)):
        for begin in range(0, games, _GAMES_A_JOB):
            on_random = begin // _GAMES_A_JOB % 2 == 1
            setup = random_setup(variant, random) if on_random else shipped_setup(variant)
            found.append(_forecast(layers, setup, min(_GAMES_A_JOB, games - begin), expansions, random))
    return found


def _forecast(
    layers: Layers, setup: Arrays, games: int, expansions: int, random: np.random.Generator
) -> tuple[Ints, Floats, Floats]:
    players = np.full((games, 4), BY_NETWORK, np.int64)
    words, targets, _ = recorded_games(game_keys(random.bytes(32), 1, games), *setup, players, layers, _PLAIN)
    rounds = np.tile(np.repeat(np.arange(ROUNDS), int(setup.header[0])), games)
    buckets: Ints = 4 * rounds + expansions
    hidden = np.maximum(hidden_values(layers, words), 0)
    logits = np.empty(len(words))
    for bucket in np.unique(buckets):
        chosen = buckets == bucket
        weights = layers.outputs[bucket, WIN_OUTPUT].astype(np.float32)
        logits[chosen] = (hidden[chosen] @ weights + layers.output_bias[bucket, WIN_OUTPUT]) / (
            1 << int(layers.shift[0])
        )
    return buckets, logits, targets[:, WIN_OUTPUT].astype(np.float64)


def chances_of(logits: Floats) -> Floats:
    """The chances to win of logits, as the player reads them."""
    chances: Floats = 1 / (1 + np.exp(-np.clip(logits, -8, 8)))
    return chances


def fit(logits: Floats, shares: Floats) -> tuple[float, float]:
    """Slope and offset of the logistic regression, by Newton's method, drawn towards 1 and 0."""
    features = np.stack((logits, np.ones_like(logits)), axis=1)
    neutral = np.array([1.0, 0.0])
    found = neutral.copy()
    for _ in range(_STEPS):
        chances = chances_of(features @ found)
        gradient = features.T @ (chances - shares) + _CAUTION * (found - neutral)
        curvature = (features.T * (chances * (1 - chances))) @ features + _CAUTION * np.eye(2)
        found -= np.linalg.solve(curvature, gradient)
    return float(found[0]), float(found[1])
