"""A sequential probability ratio test (SPRT) between two players: play until one of two hypotheses holds.

This is the generalised test. Each deal gives one score of the first player, from 0 to 1. Under H0 the mean
score is that of ELO0, under H1 that of ELO1. For each hypothesis, the most likely distribution over the
observed scores is computed; the logarithm of the ratio of the two likelihoods decides. Deals are counted in
numerical order, so the result does not depend on which game finished first.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

from .elo import expected_score

ALPHA = BETA = 0.05
"""The error rates alpha and beta."""
LOWER, UPPER = math.log(BETA / (1 - ALPHA)), math.log((1 - BETA) / ALPHA)
_TRACE = 1e-3
"""A virtual part of a deal, counted as lost and as won, so that neither outcome has likelihood 0."""
_STEPS = 60


class Decision(Enum):
    """The verdict of the test."""

    H0 = "H0"
    H1 = "H1"
    UNDECIDED = "undecided"


@dataclass
class Sprt:
    """The test so far."""

    elo0: float
    elo1: float
    deals: int = 0
    ratio: float = 0.0
    """The log of the likelihood ratio."""
    decision: Decision = Decision.UNDECIDED
    _seen: Counter[Fraction] = field(default_factory=Counter)

    def add(self, score: Fraction) -> Decision:
        """Add the score of a deal; ignored once the test is decided."""
        if self.decision is Decision.UNDECIDED:
            self.deals += 1
            self._seen[score] += 1
            self.ratio = likelihood_ratio(self._seen, expected_score(self.elo0), expected_score(self.elo1))
            if self.ratio >= UPPER:
                self.decision = Decision.H1
            elif self.ratio <= LOWER:
                self.decision = Decision.H0
        return self.decision

    def to_json(self) -> dict[str, Any]:
        """The test with its verdict, by name."""
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": ALPHA,
            "beta": BETA,
            "log_likelihood_ratio": self.ratio,
            "lower": LOWER,
            "upper": UPPER,
            "decision": self.decision.value,
            "deals": self.deals,
        }


def likelihood_ratio(seen: Counter[Fraction], mean0: float, mean1: float) -> float:
    """The log likelihood ratio of the scores under the two means."""
    weights = {0.0: _TRACE, 1.0: _TRACE}
    for score, count in seen.items():
        weights[float(score)] = weights.get(float(score), 0.0) + count
    return _log_likelihood(weights, mean1) - _log_likelihood(weights, mean0)


def _log_likelihood(weights: dict[float, float], mean: float) -> float:
    """The log likelihood of the most likely distribution with this mean, up to a constant.

    Its chances are weight / (1 + tilt * (score - mean)); the tilt is where the mean comes out right.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(_STEPS):
        tilt = (low + high) / 2
        pull = sum(w * (score - mean) / (1 + tilt * (score - mean)) for score, w in weights.items())
        low, high = (tilt, high) if pull > 0 else (low, tilt)
    tilt = (low + high) / 2
    return -sum(weight * math.log1p(tilt * (score - mean)) for score, weight in weights.items())
