"""Searching for a turn: the most promising are tried in imagined games, and the better half goes on.

Every legal turn is judged as steward judges it; the best few dozen are candidates. In each stage all
candidates that are left begin the same imagined games, so that they share their luck, and stewards play them
to the end; then the weaker half is dropped (sequential halving). The first judgement counts as some of those
games. In a seat's last turn that judgement is no guess any more but what the end will score, so all that is
left to imagine is what the others still do and what their missions are.
"""

from math import inf
from time import perf_counter

from sanssouci.dealer import Seed, check_seed
from sanssouci.rules import View

from .compiler import ignore_overflow
from .greedy import STEWARD
from .layout import flatten_view
from .static_eval import ranked_turns
from .trial import Trial, TurnEstimate

CANDIDATES = 24
"""How many turns are tried if nothing is said."""
_MANY = 1 << 60
"""More rollouts than there is time for."""
_BATCH = 24
"""Rollouts on each thread between two looks at the clock: a millisecond or two."""


def search(
    view: View,
    seed: Seed,
    rollouts: int | None = None,
    seconds: float | None = None,
    candidates: int = CANDIDATES,
    threads: int = 1,
) -> tuple[TurnEstimate, ...]:
    """The best turns for the seat of a view, which is to move, within so many rollouts, or seconds, or both.

    The same seed and number of rollouts find the same, on however many threads.
    """
    begun = perf_counter()
    check_seed(seed)
    if view.seat is None or view.seat != view.to_move or view.over:
        raise ValueError("it is not the turn of this seat")
    if rollouts is None and seconds is None:
        raise ValueError("a search takes a number of rollouts or of seconds")
    if candidates < 1 or threads < 1:
        raise ValueError("a search needs a candidate and a thread")
    if rollouts is not None:
        candidates = _affordable(candidates, rollouts)
    flat = flatten_view(view)
    codes, values = ranked_turns(flat, view.seat, STEWARD)
    with ignore_overflow(), Trial(flat, codes[:candidates], seed, values[:candidates], threads) as trial:
        if len(trial.left) > 1:
            limit = inf if seconds is None else seconds
            _halve(trial, _MANY if rollouts is None else rollouts, begun, limit)
        return trial.estimates()


def _stages(candidates: int) -> int:
    """How often the better half goes on until one is left."""
    return (candidates - 1).bit_length()


def _affordable(candidates: int, rollouts: int) -> int:
    """As many of the candidates as can begin a game in every stage."""
    while candidates > 1 and candidates * _stages(candidates) > rollouts:
        candidates -= 1
    return candidates


def _halve(trial: Trial, rollouts: int, begun: float, seconds: float) -> None:
    """Sequential halving: every stage gets an equal share of the rollouts and of the time.

    Out of time, the best so far is the answer.
    """
    stages = _stages(len(trial.left))
    for stage in range(1, stages + 1):
        _play_until(trial, rollouts // (stages * len(trial.left)), begun + seconds * stage / stages)
        trial.drop_half()
        if perf_counter() >= begun + seconds:
            return


def _play_until(trial: Trial, games: int, deadline: float) -> None:
    """Few games at a time, so that the clock, and Ctrl-C, are heard; at least one, so there is an answer."""
    batch = trial.threads * max(1, _BATCH // len(trial.left))
    while games > 0:
        trial.play(min(batch, games))
        games -= batch
        if perf_counter() >= deadline:
            return
