"""Benchmarks: speed on this machine, and strength of the computer players."""

from .measurements import AT_MOST, GOALS, measure
from .scaling import measure_growth
from .strength import CONTESTS, Contest, Goal, contest_json, hold

__all__ = [
    "AT_MOST",
    "CONTESTS",
    "GOALS",
    "Contest",
    "Goal",
    "contest_json",
    "hold",
    "measure",
    "measure_growth",
]
