"""Runs the comparison with every planted leak, on pairs that differ in what it reveals."""

from itertools import count, islice

import pytest

from ..report import Progress, Row
from ..seeded_random import SeededRandom
from . import TEST
from .comparison import Report, compare
from .difference import Hidden
from .leaks import LEAKS, Leak
from .plan import draw_plan

GOAL = "at least ten planted, all found"
SEED = 6
PAIRS = 30
"""Pairs for each planted leak. Most are found in the first few."""


def plant(leak: Leak) -> Report:
    """The report of the comparison on a planted leak."""
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        return compare(_pairs(LEAKS[leak]), SEED)


def plant_all(progress: Progress = lambda text: None) -> Row:
    missed: list[str] = []
    for number, leak in enumerate(LEAKS, 1):
        if not plant(leak).leaks:
            missed.append(leak.__name__)
        progress(f"{number} of {len(LEAKS)} planted leaks, {len(missed)} not found")
    measured = f"{len(LEAKS) - len(missed)} of {len(LEAKS)} found"
    if missed:
        measured += f"; not {', '.join(missed)}"
    return Row(f"{TEST}, planted leaks", len(LEAKS), measured, GOAL, len(LEAKS) >= 10 and not missed)


def _pairs(hidden: Hidden) -> list[int]:
    """Pairs whose games differ in some hidden information."""
    found = (
        number for number in count() if hidden in draw_plan(SeededRandom(SEED, number)).difference.hidden
    )
    return list(islice(found, PAIRS))
