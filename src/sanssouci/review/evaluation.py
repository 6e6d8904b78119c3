"""Evaluates the turns that a seat can choose from; the kernel is imported on first use."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from sanssouci.dealer import Seed
from sanssouci.rules import Turn, View

if TYPE_CHECKING:
    from sanssouci.kernel import TurnEstimate

ROLLOUTS = 3000
"""Simulated games for one evaluation by default: under a second once the kernel is compiled."""
FINALISTS = 4
"""The minimum number of turns in the final comparison."""
TILES = 3
"""Of these, the number with another card, tile or square."""


def _compile_units() -> tuple[str, ...]:
    """The compiled parts that hints and reviews need."""
    from sanssouci.network import COMPILE_UNIT

    return ("search", "greedy", COMPILE_UNIT)


def prepared() -> bool:
    """Whether these parts are in the cache."""
    from sanssouci.kernel import is_compiled

    return all(map(is_compiled, _compile_units()))


def prepare() -> None:
    """Compile these parts."""
    from sanssouci.kernel import precompile

    for unit in _compile_units():
        precompile(unit)


SEED: Seed = bytes(32)
"""The default seed: fixed, so that a position always gets the same answer."""


def evaluate(view: View, seed: Seed = SEED, rollouts: int = ROLLOUTS) -> "tuple[TurnEstimate, ...]":
    """The candidates of the seat to move, the best first; the same seed gives the same result.

    A search finds the finalists with half of the rollouts. The other half starts the same number of new
    simulated games with each finalist, so that their figures are comparable and free of selection bias. Only
    the order of nearly equal turns may still depend on chance.
    """
    from sanssouci.kernel import evaluate_turns, search

    found = search(view, seed, max(1, rollouts // 2))
    last = _finalists([estimate.turn for estimate in found])
    tried = evaluate_turns(view, last, sha256(seed).digest(), max(1, rollouts // (2 * len(last))))
    rest = (estimate for estimate in found if estimate.turn not in last)
    return (*sorted(tried, key=lambda estimate: -estimate.value), *rest)


def _finalists(turns: Sequence[Turn]) -> list[Turn]:
    """The first few turns; these often differ only in the noble, so also the first ones with other tiles."""
    tiles: dict[tuple[int, int, int], Turn] = {}
    for turn in turns:
        tiles.setdefault((turn.card, turn.space, turn.square), turn)
    others = list(tiles.values())[:TILES]
    return [turn for turn in turns if turn in turns[:FINALISTS] or turn in others]
