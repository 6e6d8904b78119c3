"""Converts the floating-point weights of a training run to the integers that players use, and back."""

from collections.abc import Sequence
from math import floor, log2

import numpy as np
import numpy.typing as npt

from sanssouci.kernel import Ints
from sanssouci.network import Layers, no_fits

MOST_HIDDEN = 60.0
"""Hidden values up to this size must fit into 16 bits; training keeps them below 40."""
_SHORT = 32767
HIDDEN_SHIFT = floor(log2(_SHORT / MOST_HIDDEN))
"""A hidden value is in units of ``1 / 2 ** HIDDEN_SHIFT``."""
_MOST_OUTPUT_SHIFT = 14
LEAST_ACTIVE = 0.01
"""A hidden unit that is active in a smaller share of positions, in every sample, is idle."""
_WIDTH_STEP = 32
"""Widths are multiples of this, which vector instructions like."""

FloatArrays = dict[str, npt.NDArray[np.float32]]
"""``weights`` [inputs, hidden], ``bias`` [hidden], ``outputs`` [buckets, 3, hidden], ``output_bias``
[buckets, 3]."""


def quantise(floats: FloatArrays) -> Layers:
    """Round the weights to 16 bits.

    A hidden value is at most 64 in units of 1/512. An output, less than 16 in size, then fits into 32 bits.
    """
    largest = max(float(np.abs(floats["outputs"]).max()), 1e-6)
    output_shift = min(_MOST_OUTPUT_SHIFT, floor(log2(_SHORT / largest)))
    shift = HIDDEN_SHIFT + output_shift
    return Layers(
        _rounded(floats["weights"], HIDDEN_SHIFT),
        _rounded(floats["bias"], HIDDEN_SHIFT),
        _rounded(floats["outputs"], output_shift),
        np.rint(floats["output_bias"].astype(np.float64) * (1 << shift)).astype(np.int64),
        np.array([shift], np.int64),
        no_fits(),
    )


def dequantise(layers: Layers) -> FloatArrays:
    """The weights of a network as a training run has them."""
    shift = int(layers.shift[0])
    scales = {
        "weights": HIDDEN_SHIFT,
        "bias": HIDDEN_SHIFT,
        "outputs": shift - HIDDEN_SHIFT,
        "output_bias": shift,
    }
    return {name: (getattr(layers, name) / 2.0**scale).astype(np.float32) for name, scale in scales.items()}


def _rounded(values: npt.NDArray[np.float32], shift: int) -> npt.NDArray[np.int16]:
    return np.clip(np.rint(values * (1 << shift)), -_SHORT, _SHORT).astype(np.int16)


def without_idle_units(layers: Layers, samples: Sequence[Ints], least: float = LEAST_ACTIVE) -> Layers:
    """A narrower network that judges nearly alike: units that hardly ever are active only cost time.

    ``samples``: ``[n, words]`` each, the inputs of positions of one variant.
    """
    active = np.max([_active_shares(layers, words) for words in samples], axis=0)
    width = -(-max(int((active >= least).sum()), 1) // _WIDTH_STEP) * _WIDTH_STEP
    kept = np.sort(np.argsort(-active, kind="stable")[:width])
    return layers._replace(
        weights=np.ascontiguousarray(layers.weights[:, kept]),
        bias=layers.bias[kept].copy(),
        outputs=np.ascontiguousarray(layers.outputs[:, :, kept]),
    )


def _active_shares(layers: Layers, words: Ints) -> npt.NDArray[np.float64]:
    """``[hidden]``: in which share of positions each unit is active."""
    shares: npt.NDArray[np.float64] = (hidden_values(layers, words) > 0).mean(axis=0)
    return shares


def hidden_values(layers: Layers, words: Ints) -> npt.NDArray[np.float32]:
    """``[n, hidden]``: the hidden layer before ReLU, for inputs ``[n, words]``."""
    octets = np.ascontiguousarray(words).view(np.uint8).reshape(len(words), -1)
    inputs = np.unpackbits(octets, axis=1, bitorder="little").astype(np.float32)
    found: npt.NDArray[np.float32] = inputs @ layers.weights.astype(np.float32) + layers.bias
    return found
