"""Searching for a turn: the most promising are tried in imagined games, and the better half goes on.

Every legal turn is judged as steward judges it; the best few dozen are candidates. In each stage all
candidates that are left begin the same imagined games, so that they share their luck, and stewards play them
to the end; then the weaker half is dropped (sequential halving). The first judgement counts as some of those
games. In the last turn nothing is left to imagine but what the others keep secret.
"""

from time import perf_counter

from sanssouci.dealer import Seed, check_seed
from sanssouci.rules import View

from .compiler import wrapping
from .greedy import STEWARD
from .judgement import judged
from .layout import flatten_view
from .trial import Prospect, Trial

CANDIDATES = 24
"""How many turns are tried if nothing is said."""
_BATCH = 8
"""Imagined games between two looks at the clock, when few candidates are left."""


def search(
    view: View,
    seed: Seed,
    rollouts: int | None = None,
    seconds: float | None = None,
    candidates: int = CANDIDATES,
    threads: int = 1,
) -> tuple[Prospect, ...]:
    """The best turns for the seat of a view, which is to move, within so many rollouts, or seconds, or both.

    The same seed and number of rollouts find the same, on however many threads.
    """
    check_seed(seed)
    if view.seat is None or view.seat != view.to_move or view.over:
        raise ValueError("it is not the turn of this seat")
    if rollouts is None and seconds is None:
        raise ValueError("a search takes a number of rollouts or of seconds")
    if candidates < 1 or threads < 1:
        raise ValueError("a search needs a candidate and a thread")
    flat = flatten_view(view)
    codes, values = judged(flat, view.seat, STEWARD)
    with wrapping(), Trial(flat, codes[:candidates], seed, values[:candidates], threads) as trial:
        if len(trial.left) > 1:
            _halve(trial, rollouts, seconds)
        return trial.prospects()


def _halve(trial: Trial, rollouts: int | None, seconds: float | None) -> None:
    """Sequential halving: every stage gets an equal share of the rollouts and of the time.

    Out of time, the best so far is the answer.
    """
    stages = (len(trial.left) - 1).bit_length()
    begun = perf_counter()
    for stage in range(1, stages + 1):
        games = None if rollouts is None else max(1, rollouts // (stages * len(trial.left)))
        if seconds is None:
            assert games is not None, "there is a limit"
            trial.play(games)
        elif stage > 1 and perf_counter() >= begun + seconds:
            return
        else:
            _play_until(trial, games, begun + seconds * stage / stages)
        trial.drop_half()


def _play_until(trial: Trial, games: int | None, deadline: float) -> None:
    """At least one imagined game for each, so that there is always an answer."""
    batch = trial.threads * (_BATCH if len(trial.left) < 6 else 1)
    while games is None or games > 0:
        trial.play(batch if games is None else min(batch, games))
        games = None if games is None else games - batch
        if perf_counter() >= deadline:
            return
