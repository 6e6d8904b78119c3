"""Calibrates a network's chances of winning: its logits are fitted to the results of its own games.

Training estimates wins from noisy games and from the network's own later judgements, so the chances may be
too certain or too cautious. The fit is a slope and an offset for every number of seats and every bucket
(Platt scaling).
"""

import numpy as np
import numpy.typing as npt

from sanssouci.kernel import Ints, game_keys
from sanssouci.network import Layers, no_fits
from sanssouci.network.games import BY_NETWORK, Style, recorded_games
from sanssouci.network.inference import FEWEST_SEATS, FIT_UNIT, WIN_OUTPUT
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
    plain, fits = layers._replace(win_fits=no_fits()), layers.win_fits.copy()
    for count in seats:
        buckets, logits, shares = map(np.concatenate, zip(*forecasts(plain, count, games, seed), strict=True))
        for bucket in np.unique(buckets):
            chosen = buckets == bucket
            found = np.array(fit(logits[chosen], shares[chosen]))
            fits[count - FEWEST_SEATS, bucket] = np.rint(FIT_UNIT * found)
    return layers._replace(win_fits=fits)


def forecasts(layers: Layers, seats: int, games: int, seed: int) -> list[tuple[Ints, Floats, Floats]]:
    """``[n]`` each, for each variant: buckets, calibrated logits of the win, shares of the win that came."""
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
    seats = int(setup.header[0])
    rounds = np.tile(np.repeat(np.arange(ROUNDS), seats), games)
    buckets: Ints = 4 * rounds + expansions
    hidden = np.maximum(hidden_values(layers, words), 0)
    logits = np.empty(len(words))
    for bucket in np.unique(buckets):
        chosen = buckets == bucket
        weights = layers.outputs[bucket, WIN_OUTPUT].astype(np.float32)
        outputs = (hidden[chosen] @ weights + layers.output_bias[bucket, WIN_OUTPUT]) / (
            1 << int(layers.shift[0])
        )
        slope, offset = layers.win_fits[seats - FEWEST_SEATS, bucket] / FIT_UNIT
        logits[chosen] = slope * outputs + offset
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
