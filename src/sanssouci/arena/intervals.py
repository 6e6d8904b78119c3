"""Means with 95 % intervals where the deal is the unit of chance, not the game.

The games of one deal share its luck, so they say less than as many games of different deals. A mean is
therefore a ratio of sums over deals, and its variance comes from how the deals differ.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from statistics import NormalDist

CONFIDENCE = 0.95
_TAIL = (1 + CONFIDENCE) / 2
_Z = NormalDist().inv_cdf(_TAIL)
_MANY = 200
"""Degrees of freedom above which the series for the quantile is exact to nine digits."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and the ends of its interval; None with a single deal."""

    value: float
    low: float | None
    high: float | None

    def to_json(self, name: str) -> dict[str, float | None]:
        """Three fields by name."""
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}


class DealMean:
    """A mean over many deals, as running sums of whole numbers: the order of deals makes no difference."""

    def __init__(self, scale: int = 1) -> None:
        self.scale = scale
        """Values are added in units of 1 / ``unit``."""
        self.deals = 0
        self._count = self._total = 0
        self._count_squared = self._product = self._total_squared = 0

    def add(self, count: int, total: int) -> None:
        """One more deal: how many values it has, and their sum."""
        self.deals += 1
        self._count += count
        self._total += total
        self._count_squared += count * count
        self._product += count * total
        self._total_squared += total * total

    @property
    def mean(self) -> Fraction:
        """The mean of all values."""
        return Fraction(self._total, self._count * self.scale)

    @property
    def variance(self) -> Fraction:
        """The variance of the mean; 0 with a single deal."""
        if self.deals < 2:
            return Fraction(0)
        ratio = Fraction(self._total, self._count)
        spread = self._total_squared - 2 * ratio * self._product + ratio**2 * self._count_squared
        return spread * self.deals / ((self.deals - 1) * (self._count * self.scale) ** 2)

    def by_t(self) -> Estimate:
        """The interval by Student's t over the deals; for scores."""
        mean = float(self.mean)
        if self.deals < 2:
            return Estimate(mean, None, None)
        reach = t_quantile(self.deals - 1) * math.sqrt(self.variance)
        return Estimate(mean, mean - reach, mean + reach)

    def by_wilson(self) -> Estimate:
        """Wilson's interval, with the number of independent trials that has the same variance; for shares.

        If all deals have the same result, the variance is 0. Then every deal counts as one trial, so that a
        player who has won every game so far still has an interval of more than one point.
        """
        share, variance = self.mean, self.variance
        trials = share * (1 - share) / variance if variance else Fraction(self.deals)
        low, high = wilson(float(share), float(trials))
        return Estimate(float(share), low, high)


def wilson(share: float, trials: float) -> tuple[float, float]:
    """Wilson's interval of a share observed in this many trials."""
    square = _Z**2 / trials
    middle = (share + square / 2) / (1 + square)
    reach = _Z / (1 + square) * math.sqrt(share * (1 - share) / trials + square / (4 * trials))
    return max(0.0, middle - reach), min(1.0, middle + reach)


@cache
def t_quantile(freedom: int) -> float:
    """Student's t quantile for a 95 % interval with ``freedom`` degrees of freedom."""
    if freedom > _MANY:
        return _expanded(freedom)
    low, high = 0.0, 13.0  # 12.706 is the largest, with one degree
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if _t_below(middle, freedom) < CONFIDENCE else (low, middle)
    return (low + high) / 2


def _t_below(t: float, freedom: int) -> float:
    """The chance that |T| is below t: a finite series in an angle (Abramowitz and Stegun 26.7.3, 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    series = 0.0
    for place in range(2 + odd, freedom + 1, 2):
        series += term
        term *= math.cos(angle) ** 2 * (place - 1) / place
    series *= math.sin(angle)
    return 2 / math.pi * (angle + series) if odd else series


def _expanded(freedom: int) -> float:
    """The quantile as a series in 1 / freedom about the normal one (Abramowitz and Stegun 26.7.5)."""
    z = _Z
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    series = [term / freedom**power for power, term in enumerate(terms, start=1)]
    return z + math.fsum(series)
