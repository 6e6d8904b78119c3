"""Benchmarks: speed on this machine, and strength of the computer players."""

from .measurements import AT_MOST, GOALS, measure
from .scaling import measure_growth
from .strength import CONTESTS, Contest, Goal, Result, contest_json, hold, select_contests

__all__ = [
    "AT_MOST",
    "CONTESTS",
    "GOALS",
    "Contest",
    "Goal",
    "Result",
    "contest_json",
    "hold",
    "measure",
    "measure_growth",
    "select_contests",
]
