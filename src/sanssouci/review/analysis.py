"""The analysis of a record: a review of every turn, and a forecast before each with all cards known."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Event

from sanssouci.dealer import Seed, check_seed
from sanssouci.notation import Record, replay
from sanssouci.rules import Chance, State, Turn

from .evaluation import SEED
from .evaluator import CancelCheck
from .forecast import Errors, Forecast
from .position_review import PositionReview, review_position
from .turn_review import TurnReview

ROLLOUTS_A_TURN = 2000
"""Simulated games per turn by default."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game as it was played: ``states`` and ``forecasts`` have one more entry than there are turns."""

    record: Record
    seed: Seed
    rollouts: int
    states: tuple[State, ...]
    """Before each turn, and after the last."""
    forecasts: tuple[Forecast, ...]
    """The forecast in each state with all cards known; at the end, the result."""
    errors: tuple[Errors, ...]
    """The errors of each forecast; 0 for a result."""
    turn_reviews: tuple[TurnReview, ...]

    @classmethod
    def of(
        cls,
        record: Record,
        states: Sequence[State],
        reviews: Sequence[PositionReview],
        rollouts: int,
        seed: Seed = SEED,
    ) -> "Analysis":
        """The analysis from the reviews of all positions of a record."""
        turn_reviews = tuple(found.turn_review for found in reviews if found.turn_review is not None)
        forecasts, errors = (
            tuple(found.forecast for found in reviews),
            tuple(found.errors for found in reviews),
        )
        return cls(record, seed, rollouts, tuple(states), forecasts, errors, turn_reviews)

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self.record.deal.variant.seats

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        return self.states[-1].over

    def round(self, number: int) -> int:
        """The round of a turn, which is counted from 0."""
        return self.states[number].round

    def chance(self, number: int) -> Chance:
        """What was dealt after a turn."""
        return self.record.deal.chance(number)


def analyse(
    record: Record,
    seed: Seed = SEED,
    rollouts: int = ROLLOUTS_A_TURN,
    threads: int | None = None,
    done: Callable[[], None] = lambda: None,
) -> Analysis:
    """Analyse a legal record, or ``RecordError``; ``done`` is called after each position.

    The same record, seed and rollouts give the same analysis, on any number of threads. The
    default seed is the same for all records, so hidden information cannot influence the simulated games.
    """
    check_seed(seed)
    if rollouts < 1:
        raise ValueError("nothing is imagined")
    states, turns = positions(record)
    jobs = [
        partial(review_position, state, turn, rollouts, seed)
        for state, turn in zip(states, turns, strict=True)
    ]
    reviews = _in_threads(jobs, threads or os.cpu_count() or 1, done)
    return Analysis.of(record, states, reviews, rollouts, seed)


def positions(record: Record) -> tuple[tuple[State, ...], tuple[Turn | None, ...]]:
    """Every position of a legal record with the turn that was played there, or ``RecordError``.

    At the last one none was.
    """
    played = list(replay(record))
    states = (record.deal.start(), *(state for _, state in played))
    return states, (*(turn for turn, _ in played), None)


def _in_threads(
    jobs: Iterable[Callable[[CancelCheck], PositionReview]], threads: int, done: Callable[[], None]
) -> list[PositionReview]:
    """The results of the jobs, in order; stopping waits only for the jobs in progress."""
    found, stop = [], Event()

    def check_cancelled() -> None:
        if stop.is_set():
            raise CancelledError

    with ThreadPoolExecutor(threads) as pool:
        try:
            for review_position in [pool.submit(job, check_cancelled) for job in jobs]:
                found.append(review_position.result())
                done()
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
    return found
