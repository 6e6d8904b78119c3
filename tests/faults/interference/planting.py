"""Every planted leak in turn: the same comparison, on pairs that differ in what is let out."""

from itertools import count, islice

import pytest

from ..fault import Progress
from ..lot import Lot
from ..table import Row
from . import TEST
from .comparison import Report, compare
from .difference import Hidden
from .leaks import LEAKS, Leak
from .plan import draw_plan

GOAL = "at least ten planted, all caught"
SEED = 6
ENOUGH = 30
"""Pairs among which each planted leak is found, mostly in the first few."""


def plant(leak: Leak) -> Report:
    """What the comparison finds of a leak."""
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        return compare(_pairs(LEAKS[leak]), SEED)


def plant_all(progress: Progress = lambda text: None) -> Row:
    """The row of the table."""
    missed: list[str] = []
    for number, leak in enumerate(LEAKS, 1):
        if not plant(leak).leaks:
            missed.append(leak.__name__)
        progress(f"{number} of {len(LEAKS)} planted leaks, {len(missed)} not caught")
    measured = f"{len(LEAKS) - len(missed)} of {len(LEAKS)} caught"
    if missed:
        measured += f"; not {', '.join(missed)}"
    return Row(f"{TEST}, planted leaks", len(LEAKS), measured, GOAL, len(LEAKS) >= 10 and not missed)


def _pairs(hidden: Hidden) -> list[int]:
    """Pairs whose games differ in it."""
    found = (number for number in count() if hidden in draw_plan(Lot(SEED, number)).difference.hidden)
    return list(islice(found, ENOUGH))
