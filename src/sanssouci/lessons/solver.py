"""Solves a position: the value of every legal turn, from simulated games as in a search.

There are three stages. Every turn starts a few simulated games; turns that are not far behind start ten times
as many, and the best ones ten times as many again. All turns of a stage start the same games, so a turn is
compared with the best turn of the last stage that it reached.
"""

from dataclasses import dataclass

from sanssouci.dealer import Seed, derive_seed
from sanssouci.kernel import TurnEstimate, evaluate_turns
from sanssouci.rules import Turn, View

from .lesson import TurnValue

_STAGES = ((100, 6.0), (10, 2.5), (1, 0.0))
"""Per stage: the divisor of the number of games, and the points that a turn may be behind to go on."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The values of all turns, the best first, and the expected margin of the best."""

    worths: tuple[TurnValue, ...]
    margin: float


def solve(view: View, seed: Seed, games: int) -> Solution:
    """The value of every legal turn of the seat to move; the best turns start ``games`` simulated games."""
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
    """The cost of each of these turns, compared with the best of them."""
    tried = evaluate_turns(view, turns, seed, games)
    most = max(estimate.margin.mean for estimate in tried)
    return {estimate.turn: most - estimate.margin.mean for estimate in tried}


def _worth(one: TurnEstimate, beside: TurnEstimate, best: TurnEstimate, seat: int) -> TurnValue:
    """The value of a turn: its difference from the best of its stage, applied to the best turn of all."""
    score = best.scores[seat].mean + one.scores[seat].mean - beside.scores[seat].mean
    share = best.shares[seat].mean + one.shares[seat].mean - beside.shares[seat].mean
    return TurnValue(one.turn, beside.margin.mean - one.margin.mean, score, min(max(share, 0.0), 1.0))
