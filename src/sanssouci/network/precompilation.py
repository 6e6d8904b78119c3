"""Compiles inference and search ahead of time, with a network of zeros: no file is needed."""

import numpy as np

from sanssouci.dealer import StackedDealer, prepare
from sanssouci.editions import shipped_boards
from sanssouci.kernel import COMPILE_UNITS
from sanssouci.rules import Variant

from .forecast import compare_turns
from .inference import BUCKETS, OUTPUTS, Layers, no_fits
from .inputs import BITS, words_of
from .search import network_search

COMPILE_UNIT = "network"


def _compile_network() -> None:
    layers = Layers(
        np.zeros((BITS * words_of(2), 1), np.int16),
        np.zeros(1, np.int16),
        np.zeros((BUCKETS, OUTPUTS, 1), np.int16),
        np.zeros((BUCKETS, OUTPUTS), np.int64),
        np.zeros(1, np.int64),
        no_fits(),
    )
    deal, _ = prepare(Variant(2), shipped_boards("reference"), StackedDealer(), lambda seat, view: 0)
    view = deal.start().view(0)
    found = network_search(view, layers, bytes(32), rollouts=2)
    compare_turns(view, [found[0].turn], layers, bytes(32), 1, 1)


COMPILE_UNITS[COMPILE_UNIT] = _compile_network
