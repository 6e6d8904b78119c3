"""Rounding a trained network to 16 bits."""

import numpy as np

from sanssouci.learning.quantise import FloatArrays, dequantise, quantise, without_idle_units
from sanssouci.network import BUCKETS, judge_words


def floats(scale: float) -> FloatArrays:
    random = np.random.default_rng(1)
    shapes = {"weights": (128, 32), "bias": (32,), "outputs": (BUCKETS, 3, 32), "output_bias": (BUCKETS, 3)}
    return {name: (scale * random.normal(size=shape)).astype(np.float32) for name, shape in shapes.items()}


def test_integers_judge_like_floats() -> None:
    """Within a few hundredths of an output."""
    plain = floats(0.2)
    layers = quantise(plain)
    random = np.random.default_rng(2)
    for bucket in range(0, BUCKETS, 7):
        words = random.integers(0, 1 << 40, 2)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.float32)
        hidden = np.maximum(bits @ plain["weights"] + plain["bias"], 0)
        wanted = plain["outputs"][bucket] @ hidden + plain["output_bias"][bucket]
        found = np.array(judge_words(layers, words, bucket)) / 2 ** int(layers.shift[0])
        assert np.abs(found - wanted).max() < 0.05


def test_integers_and_back() -> None:
    """A network that a run begins with keeps its integers."""
    layers = quantise(floats(0.2))
    again = quantise(dequantise(layers))
    assert all(np.array_equal(getattr(layers, part), getattr(again, part)) for part in layers._fields)


def test_large_weights_do_not_wrap_around() -> None:
    """They are cut off, with their sign."""
    layers = quantise(floats(1000.0))
    for part, values in zip(layers[:3], floats(1000.0).values(), strict=False):
        large = np.abs(values) > 100
        assert (np.sign(part[large]) == np.sign(values[large])).all()


def test_idle_units_are_left_out() -> None:
    """Units that are never active; what is left judges exactly alike, in a width for vector instructions."""
    plain = floats(0.2)
    plain["weights"] = np.tile(plain["weights"], (1, 4))
    plain["outputs"] = np.tile(plain["outputs"], (1, 1, 4))
    plain["bias"] = np.tile(plain["bias"], 4)
    plain["bias"][64:] = -50.0
    layers = quantise(plain)
    words = np.random.default_rng(3).integers(0, 1 << 40, (200, 2))
    narrow = without_idle_units(layers, [words[:100], words[100:]])
    assert narrow.weights.shape == (128, 64) and narrow.outputs.shape == (BUCKETS, 3, 64)
    for place in range(0, 200, 9):
        assert judge_words(narrow, words[place], 5) == judge_words(layers, words[place], 5)
