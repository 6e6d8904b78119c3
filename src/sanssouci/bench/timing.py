"""Timing on a machine that others use too: the best of several rounds, and rivals in turn."""

from collections.abc import Callable
from time import perf_counter

ROUNDS = 5


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def best_of(*rivals: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The shortest time of each rival; they take turns, so that noise hits all alike."""
    times = [[rival() for rival in rivals] for _ in range(rounds)]
    return [min(column) for column in zip(*times, strict=True)]
