"""Solves a position: the value of every legal turn, from the simulated games that hints use too.

There are three stages. Every turn starts some simulated games; turns that are not far behind start four times
as many, and the best ones five times as many again. All turns of a stage start the same games, so a turn is
compared with the best turn of the last stage that it reached.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from sanssouci.dealer import Seed, derive_seed
from sanssouci.review import evaluator_for
from sanssouci.rules import Turn, View

from .lesson import TurnValue

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_STAGES = ((20, 3.0), (5, 2.0), (1, 0.0))
"""Per stage: the divisor of the number of games, and the points that a turn may be behind to go on."""
_PIECES = 20
"""The games of a comparison are split into so many parts; their spread shows how exact it is."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The values of all turns, the best first, and the expected margin of the best."""

    worths: tuple[TurnValue, ...]
    margin: float


@dataclass(frozen=True, slots=True)
class Loss:
    """What a turn loses compared with the best of a comparison, each with its standard error."""

    cost: float
    """Points of the margin."""
    cost_error: float
    share: float
    """Share of the win; negative if the turn wins more often."""
    share_error: float


def solve(view: View, seed: Seed, games: int) -> Solution:
    """The value of every legal turn of the seat to move; the best turns start ``games`` simulated games."""
    evaluator, seat = evaluator_for(view.variant.seats), view.to_move
    left, tried = list(view.options()), dict[Turn, TurnValue]()
    for divisor, behind in _STAGES:
        part = derive_seed(seed, f"stage {divisor}")
        found = evaluator.compare(view, left, part, max(1, games // divisor), 1)
        margins, scores, shares = found.margins[0], found.scores[0, :, seat], found.shares[0, :, seat]
        best = int(margins.argmax())
        costs = margins[best] - margins
        for place, turn in enumerate(left):
            tried[turn] = TurnValue(
                turn,
                float(costs[place]),
                float(scores[place] - scores[best]),
                float(shares[place] - shares[best]),
            )
        left = [turn for turn, cost in zip(left, costs, strict=True) if cost <= behind]
    worths = [
        TurnValue(
            one.turn,
            one.cost,
            float(scores[best]) + one.score,
            min(max(float(shares[best]) + one.share, 0.0), 1.0),
        )
        for one in tried.values()
    ]
    return Solution(tuple(sorted(worths, key=lambda worth: worth.cost)), float(margins[best]))


def compare(view: View, turns: Sequence[Turn], seed: Seed, games: int) -> dict[Turn, Loss]:
    """What each of these turns loses compared with the best of them, in at least ``games`` games."""
    found = evaluator_for(view.variant.seats).compare(
        view, turns, seed, max(1, -(-games // _PIECES)), _PIECES
    )
    margins, shares = found.margins, found.shares[..., view.to_move]
    best = int(margins.mean(axis=0).argmax())
    costs, losses = margins[:, [best]] - margins, shares[:, [best]] - shares
    return {turn: Loss(*_mean(costs[:, place]), *_mean(losses[:, place])) for place, turn in enumerate(turns)}


def _mean(pieces: "npt.NDArray[np.float64]") -> tuple[float, float]:
    """A mean and its standard error."""
    return float(pieces.mean()), float(pieces.std(ddof=1)) / sqrt(len(pieces))
