"""Chances to win are fitted to results."""

import numpy as np
import pytest

from sanssouci.learning.calibration import calibrated, chances_of, fit, forecasts
from sanssouci.network import Layers, no_fits, shipped_network
from sanssouci.network.inference import WIN_OUTPUT


@pytest.mark.parametrize(("slope", "offset"), [(0.5, 0.0), (1.0, 0.4), (2.0, -0.3)])
def test_a_known_error_is_found(slope: float, offset: float) -> None:
    """Logits that are too large, too small or shifted."""
    random = np.random.default_rng(1)
    logits = random.normal(0, 1.5, 50_000)
    came = random.random(50_000) < 1 / (1 + np.exp(-(slope * logits + offset)))
    assert fit(logits, came.astype(float)) == pytest.approx((slope, offset), abs=0.05)


def test_few_games_change_little() -> None:
    """Three games are no reason to call a likely win certain."""
    slope, offset = fit(np.array([1.0, 1.0, -1.0]), np.array([1.0, 1.0, 0.0]))
    assert abs(slope - 1) < 0.1 and abs(offset) < 0.1


def test_too_cautious_chances_are_corrected() -> None:
    """A network whose logits are four times too small forecasts better afterwards, in other games too."""
    layers = shipped_network(2).layers
    outputs, biases = layers.outputs.copy(), layers.output_bias.copy()
    outputs[:, WIN_OUTPUT] //= 4
    biases[:, WIN_OUTPUT] //= 4
    cautious = layers._replace(outputs=outputs, output_bias=biases)
    repaired = calibrated(cautious, (2,), 40, 1)

    def brier(network: Layers) -> float:
        samples = forecasts(network, 2, 40, 2)
        return float(np.mean([np.mean((chances_of(logits) - came) ** 2) for _, logits, came in samples]))

    assert brier(repaired) < brier(cautious)
    assert np.array_equal(repaired.outputs, cautious.outputs)


def test_each_number_of_seats_has_its_own_fit() -> None:
    """The network for three and four seats is too certain with one of them and right with the other."""
    layers = shipped_network(3).layers
    fits = calibrated(layers, (3,), 12, 1).win_fits
    assert (fits[1] != no_fits()[1]).any()
    assert np.array_equal(fits[[0, 2]], layers.win_fits[[0, 2]])
    assert (calibrated(layers._replace(win_fits=fits), (4,), 12, 1).win_fits[1] == fits[1]).all()
