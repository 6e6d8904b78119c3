"""Elo from meetings of two: the Bradley-Terry model, with one virtual draw in every pair.

The virtual draw keeps the figure of a player finite who has won, or lost, every game.
"""

import math
from collections.abc import Sequence

SCALE = 400 / math.log(10)
"""Elo points for one unit of the log of the odds."""
_CLOSE = 1e-12
_LONGEST_STEP = 2.0
_MOST_STEPS = 500


def expected_score(elo: float) -> float:
    """The expected score, with a draw as a half, of a player who is this many points stronger."""
    return 1 / (1 + math.exp(-elo / SCALE))


def ratings(points: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The Elo of each player, with mean 0; ``points[i][j]`` is what player i scored against player j.

    Newton's steps towards the greatest likelihood, which is the only one: the virtual draws connect everyone.
    """
    size = len(points)
    scored = [[0.0 if i == j else points[i][j] + 0.5 for j in range(size)] for i in range(size)]
    strength = [0.0] * size
    for _ in range(_MOST_STEPS):
        step = _newton_step(scored, strength)
        longest = max(map(abs, step))
        short = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        strength = [here + short * towards for here, towards in zip(strength, step, strict=True)]
        if longest < _CLOSE:
            break
    mean = sum(strength) / size
    return tuple(SCALE * (one - mean) for one in strength)


def _newton_step(scored: list[list[float]], strength: list[float]) -> list[float]:
    """One Newton step on the likelihood; only differences count, so the first player stays fixed."""
    size = len(strength)
    slope = [0.0] * size
    curve = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            if i != j:
                meetings = scored[i][j] + scored[j][i]
                chance = 1 / (1 + math.exp(strength[j] - strength[i]))
                slope[i] += scored[i][j] - meetings * chance
                curve[i][i] += meetings * chance * (1 - chance)
                curve[i][j] -= meetings * chance * (1 - chance)
    return [0.0, *_solved([row[1:] for row in curve[1:]], slope[1:])]


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations with a positive definite matrix by Gaussian elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place, pivot in enumerate(rows):
        for row in rows[place + 1 :]:
            factor = row[place] / pivot[place]
            row[place:] = [a - factor * b for a, b in zip(row[place:], pivot[place:], strict=True)]
    solution = [0.0] * len(rows)
    for place in reversed(range(len(rows))):
        known = sum(rows[place][k] * solution[k] for k in range(place + 1, len(rows)))
        solution[place] = (rows[place][-1] - known) / rows[place][place]
    return solution
