"""perft in the kernel: the counts in the files, and those of positions from random games."""

from pathlib import Path

import pytest

from sanssouci.kernel import perft
from sanssouci.rules import Variant
from sanssouci.rules import perft as perft_of_rules

from ..helpers import VARIANTS, odd_deal, random_states, stream
from ..perft.test_perft import FILES, NAMES, position


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_counts(path: Path) -> None:
    """The number of ways to play up to three turns equals the file."""
    record, state = position(path)
    wanted = [1, *record.extra["perft"]]
    assert [perft(state, record.deal, depth) for depth in range(len(wanted))] == wanted


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_positions_of_random_games(variant: Variant) -> None:
    """R14-R23: counts two turns deep equal those of the rules, in all parts of a game and at its end."""
    deal = odd_deal(variant, stream(VARIANTS.index(variant)))
    states = random_states(deal, stream(501))
    last = variant.turns - 1
    for turn in (variant.turns // 3, 2 * variant.turns // 3, last - 1):
        assert perft(states[turn], deal, 2) == perft_of_rules(states[turn], deal, 2)
    assert perft(states[last], deal, 1) == len(states[last].options())
    assert perft(states[last], deal, 2) == perft_of_rules(states[last], deal, 2) == 0
    assert perft(states[-1], deal, 1) == perft_of_rules(states[-1], deal, 1) == 0
