"""What is expected of the turns a seat can choose from; the kernel is loaded when that is asked."""

from hashlib import sha256
from typing import TYPE_CHECKING

from sanssouci.dealer import Seed
from sanssouci.rules import View

if TYPE_CHECKING:
    from sanssouci.kernel import Prospect

ROLLOUTS = 3000
"""Imagined games for one evaluation if nothing is said: under a second once the kernel is compiled."""
FINALISTS = 4
"""How many turns are compared in the end."""
_JOBS = ("search", "greedy")
"""What of the kernel is needed to judge play."""


def prepared() -> bool:
    """Whether what it takes to judge play has been compiled on this machine before."""
    from sanssouci.kernel import is_warm

    return all(map(is_warm, _JOBS))


def prepare() -> None:
    """Compile it."""
    from sanssouci.kernel import warm_up

    for job in _JOBS:
        warm_up(job)


SEED: Seed = bytes(32)
"""If nothing is said: imagined games have a luck of their own, and a position has one answer."""


def evaluate(view: View, seed: Seed = SEED, rollouts: int = ROLLOUTS) -> "tuple[Prospect, ...]":
    """The candidates of the seat to move, the best first; the same seed gives the same.

    A search finds the finalists with half of the rollouts. With the other half these begin new imagined
    games, equally many, so that their figures can be compared and none is among them for its luck; only that
    of two nearly equal ones this is the first, and not that, may still be luck.
    """
    from sanssouci.kernel import search, weigh

    found = search(view, seed, max(1, rollouts // 2))
    last = [prospect.turn for prospect in found[:FINALISTS]]
    tried = weigh(view, last, sha256(seed).digest(), max(1, rollouts // (2 * len(last))))
    return (*sorted(tried, key=lambda prospect: -prospect.value), *found[len(last) :])
