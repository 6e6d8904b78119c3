"""Balance of a set of boards: the mean score of the seats that had each side."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from sanssouci.kernel import BOARD_FIELD, NO_BOARD, PART_FIELDS, Ints

GARDENS, REWARDS = "gardens", "rewards"
_FIELDS = {GARDENS: BOARD_FIELD, REWARDS: BOARD_FIELD + 2}
_WIDTH = 1.96
"""Standard errors to each side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class SideMean:
    """One side of a board, counted from 0, and the scores of its seats."""

    kind: str
    board: int
    side: int
    seats: int
    mean: float
    spread: float

    @property
    def uncertainty(self) -> float | None:
        """Half the width of the 95 % interval of the mean; None for a single seat."""
        return _WIDTH * self.spread / sqrt(self.seats - 1) if self.seats > 1 else None


class Balance:
    """Running sums for every side; the memory needed does not grow with the games."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._sums: dict[tuple[str, int, int], tuple[int, int, int]] = {}
        self.games = 0

    def add(self, results: Ints) -> None:
        """Count more games; ``results``: ``[games, 4, RESULT_FIELDS]``."""
        self.games += len(results)
        rows = results[:, : self._seats].reshape(-1, results.shape[2])
        scores = rows[:, :PART_FIELDS].sum(1)
        for kind, field in _FIELDS.items():
            for board, side in np.unique(rows[:, field : field + 2], axis=0).tolist():
                if board != NO_BOARD:
                    had = scores[(rows[:, field] == board) & (rows[:, field + 1] == side)]
                    self._count((kind, board, side), len(had), int(had.sum()), int((had * had).sum()))

    def merge(self, other: "Balance") -> None:
        """Count the games that another balance has counted."""
        self.games += other.games
        for which, sums in other._sums.items():
            self._count(which, *sums)

    def _count(self, which: tuple[str, int, int], seats: int, total: int, squares: int) -> None:
        before = self._sums.get(which, (0, 0, 0))
        self._sums[which] = before[0] + seats, before[1] + total, before[2] + squares

    def sides(self, kind: str) -> list[SideMean]:
        """Every side of a kind that was dealt, in order."""
        return [_side(which, *sums) for which, sums in sorted(self._sums.items()) if which[0] == kind]

    def mean(self, kind: str) -> float:
        """The mean of all sides of a kind, each counting the same."""
        sides = self.sides(kind)
        return sum(side.mean for side in sides) / len(sides)

    def to_json(self) -> list[dict[str, Any]]:
        """Every side with its mean, the difference from the mean of its kind, and the 95 % interval of it."""
        return [
            {
                "kind": kind,
                "board": side.board,
                "side": side.side,
                "seats": side.seats,
                "mean_score": side.mean,
                "difference": side.mean - self.mean(kind),
                "uncertainty": side.uncertainty,
            }
            for kind in _FIELDS
            for side in self.sides(kind)
        ]


def _side(which: tuple[str, int, int], seats: int, total: int, squares: int) -> SideMean:
    mean = total / seats
    return SideMean(*which, seats, mean, sqrt(max(squares / seats - mean * mean, 0.0)))
