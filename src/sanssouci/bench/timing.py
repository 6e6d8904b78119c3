"""Timing on a shared machine: the best of several rounds, with competitors taking turns."""

from collections.abc import Callable
from time import perf_counter

ROUNDS = 5


def seconds(work: Callable[[], object]) -> float:
    """The seconds that a piece of work takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def best_of(*rivals: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The shortest time of each competitor; they take turns, so that noise affects all of them."""
    times = [[rival() for rival in rivals] for _ in range(rounds)]
    return [min(column) for column in zip(*times, strict=True)]
