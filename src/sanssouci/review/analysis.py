"""The analysis of a record: every turn judged, and how the game stood before each with all cards open."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Event

from sanssouci.dealer import Seed, check_seed
from sanssouci.notation import Record, replay
from sanssouci.rules import Chance, State, Turn

from .evaluation import SEED
from .judgement import Breath, Depth, Judgement, judge, part_of, stewards_turn, try_in_pieces
from .outlook import Errors, Outlook

ROLLOUTS_A_TURN = 15_000
"""Imagined games for one turn if nothing is said."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game as it was played: ``states`` and ``outlooks`` have one more entry than there are turns."""

    record: Record
    seed: Seed
    rollouts: int
    states: tuple[State, ...]
    """Before each turn, and after the last."""
    outlooks: tuple[Outlook, ...]
    """How the game stood in each state if stewards played on, all cards open; at the end, the result."""
    errors: tuple[Errors, ...]
    """Of each outlook; a result has none."""
    judgements: tuple[Judgement, ...]

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

    The same record, seed and rollouts give the same analysis, on any number of threads. If no seed is named
    it is the same for all records, so that what nobody could know does not even change what is imagined.
    """
    check_seed(seed)
    if rollouts < 1:
        raise ValueError("nothing is imagined")
    depth = Depth.of(rollouts)
    states, turns = _positions(record)
    jobs = [
        partial(_look, state, turn, part_of(seed, f"turn {state.turn}"), depth)
        for state, turn in zip(states, [*turns, None], strict=True)
    ]
    found = _in_threads(jobs, threads or os.cpu_count() or 1, done)
    judged, outlooks, errors = zip(*found, strict=True)
    judgements = tuple(judgement for judgement in judged if judgement is not None)
    return Analysis(record, seed, rollouts, tuple(states), outlooks, errors, judgements)


def _positions(record: Record) -> tuple[list[State], list[Turn]]:
    played = list(replay(record))
    return [record.deal.start(), *(state for _, state in played)], [turn for turn, _ in played]


_Look = tuple[Judgement | None, Outlook, Errors]


def _look(state: State, turn: Turn | None, seed: Seed, depth: Depth, breathe: Breath) -> _Look:
    """One position: its turn judged, if one was played, and how the game stands."""
    breathe()
    if state.over:
        return None, Outlook.of_result(state), Errors.none(state.variant.seats)
    view = state.view(state.to_move)
    judgement = None if turn is None else judge(view, turn, seed, depth, breathe)
    opened = try_in_pieces(state, (stewards_turn(view),), part_of(seed, "open"), depth.open, breathe)
    pieces = [Outlook.of_prospect(prospect) for (prospect,) in opened]
    return judgement, Outlook.mean(pieces), Errors.of(pieces)


def _in_threads(
    jobs: Iterable[Callable[[Breath], _Look]], threads: int, done: Callable[[], None]
) -> list[_Look]:
    """What the jobs find, in their order; whoever stops waits only for the pieces that are in work."""
    found, stop = [], Event()

    def breathe() -> None:
        if stop.is_set():
            raise CancelledError

    with ThreadPoolExecutor(threads) as pool:
        try:
            for look in [pool.submit(job, breathe) for job in jobs]:
                found.append(look.result())
                done()
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
    return found
