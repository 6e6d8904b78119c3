"""Solves a position: the value of every legal turn, from simulated games as in a search.

All turns begin a few imagined games, those that are not far behind ten times as many, and the best ones ten
times as many again. In each stage they share their luck, so every turn is compared with the best one of the
deepest stage that it came to.
"""

from dataclasses import dataclass

from sanssouci.dealer import Seed, derive_seed
from sanssouci.kernel import TurnEstimate, evaluate_turns
from sanssouci.rules import Turn, View

from .lesson import TurnValue

_STAGES = ((100, 6.0), (10, 2.5), (1, 0.0))
"""The part of the games that a stage has, and how far behind a turn may be to go on, in points."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The worth of turns, the best first, and what is expected with the best."""

    worths: tuple[TurnValue, ...]
    margin: float


def solve(view: View, seed: Seed, games: int) -> Solution:
    """The worth of every legal turn of the seat to move; the best begin so many imagined games."""
    left = tuple(view.options())
    tried: dict[Turn, tuple[TurnEstimate, TurnEstimate]] = {}
    for part, behind in _STAGES:
        found = evaluate_turns(view, left, derive_seed(seed, f"stage {part}"), max(1, games // part))
        best = max(found, key=lambda estimate: estimate.margin.mean)
        tried |= {estimate.turn: (estimate, best) for estimate in found}
        left = tuple(one.turn for one in found if best.margin.mean - one.margin.mean <= behind)
    worths = [_worth(one, beside, best, view.to_move) for one, beside in tried.values()]
    return Solution(tuple(sorted(worths, key=lambda worth: worth.cost)), best.margin.mean)


def compare(view: View, turns: tuple[Turn, ...], seed: Seed, games: int) -> dict[Turn, float]:
    """What each of some turns costs against the best of them."""
    tried = evaluate_turns(view, turns, seed, games)
    most = max(estimate.margin.mean for estimate in tried)
    return {estimate.turn: most - estimate.margin.mean for estimate in tried}


def _worth(one: TurnEstimate, beside: TurnEstimate, best: TurnEstimate, seat: int) -> TurnValue:
    """A turn ``beside`` the best of the same games, told from what the best of all came to in the end."""
    score = best.scores[seat].mean + one.scores[seat].mean - beside.scores[seat].mean
    share = best.shares[seat].mean + one.shares[seat].mean - beside.shares[seat].mean
    return TurnValue(one.turn, beside.margin.mean - one.margin.mean, score, min(max(share, 0.0), 1.0))
