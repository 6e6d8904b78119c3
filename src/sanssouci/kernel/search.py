"""Search for the best turn: sequential halving over rollouts.

Steward's evaluation ranks every legal turn, and the best few dozen are candidates. In each stage all
candidates that are left begin the same simulated games (common random numbers), which stewards play to the
end; then the worse half is dropped. The evaluation counts as a few games of its own (a prior). In a seat's
last turn it is exact, and only the other seats' turns and missions are left to simulate.
"""

from math import inf
from time import perf_counter

from sanssouci.dealer import Seed, check_seed
from sanssouci.rules import State, View

from .compiler import ignore_overflow
from .greedy import STEWARD
from .layout import flatten_view
from .static_eval import ranked_turns
from .trial import Candidates, Trial, TurnEstimate

CANDIDATES = 24
"""Candidates by default."""
UNLIMITED = 1 << 60
"""Stands for no limit: more rollouts than there is time for."""
_BATCH = 24
"""Rollouts on each thread between two checks of the clock: a millisecond or two."""


def search(
    view: View,
    seed: Seed,
    rollouts: int | None = None,
    seconds: float | None = None,
    candidates: int = CANDIDATES,
    threads: int = 1,
) -> tuple[TurnEstimate, ...]:
    """Estimates for the candidate turns of the seat to move, the best first.

    Limited by ``rollouts``, by ``seconds``, or by both; ``ValueError`` without a limit, or if the seat of
    the view is not to move. With rollouts alone the result depends on the seed only, not on the threads.
    """
    begun = perf_counter()
    seat = check_search(view, seed, rollouts, seconds, candidates, threads)
    if rollouts is not None:  # better few candidates with games than many without
        candidates = affordable(candidates, rollouts)
    # There may be hundreds of legal turns. The evaluation rules out most of them without a game, so that the
    # rollouts go to turns that could be the best. Its values stay in the trial as a prior: with few rollouts,
    # a lucky game must not put a poor turn first.
    flat = flatten_view(view)
    codes, values = ranked_turns(flat, seat, STEWARD)
    with ignore_overflow(), Trial(flat, codes[:candidates], seed, values[:candidates], threads) as trial:
        if len(trial.left) > 1:
            limit = inf if seconds is None else seconds
            halve(trial, UNLIMITED if rollouts is None else rollouts, begun, limit)
        return trial.estimates()


def check_search(
    game: View | State,
    seed: Seed,
    rollouts: int | None,
    seconds: float | None,
    candidates: int,
    threads: int,
) -> int:
    """The seat to move, whose view this must be; ``ValueError`` if a search is not possible."""
    check_seed(seed)
    if game.over or (isinstance(game, View) and game.seat != game.to_move):
        raise ValueError("it is not the turn of this seat")
    if rollouts is None and seconds is None:
        raise ValueError("a search takes a number of rollouts or of seconds")
    if candidates < 1 or threads < 1:
        raise ValueError("a search needs a candidate and a thread")
    return game.to_move


def _stages(candidates: int) -> int:
    """The number of halvings until one candidate is left."""
    return (candidates - 1).bit_length()


def affordable(candidates: int, rollouts: int) -> int:
    """The largest number of candidates that can all begin a game in every stage."""
    while candidates > 1 and candidates * _stages(candidates) > rollouts:
        candidates -= 1
    return candidates


def halve(trial: Candidates, rollouts: int, begun: float, seconds: float) -> None:
    """Sequential halving: every stage gets an equal share of the rollouts and of the time.

    Fewer candidates share each later stage, so the best ones end up with most of the games. When time runs
    out the order so far stands.
    """
    # The deadlines of the stages are points in time, not durations: a stage that ends late shortens the next
    # one and does not delay the answer. With rollouts alone every deadline is infinitely far, so the clock
    # has no influence and the result is reproducible.
    stages = _stages(len(trial.left))
    for stage in range(1, stages + 1):
        games = rollouts // (stages * len(trial.left) * trial.cost)
        _play_until(trial, games, begun + seconds * stage / stages)
        trial.drop_half()
        if perf_counter() >= begun + seconds:
            return


def _play_until(trial: Candidates, games: int, deadline: float) -> None:
    """Play in small batches, to notice the deadline and Ctrl-C; at least one, so that there is an answer."""
    # All candidates play each game, so a batch has fewer games the more candidates are left; its duration is
    # about the same in every stage.
    batch = trial.threads * max(1, _BATCH // (len(trial.left) * trial.cost))
    while games > 0:
        trial.play(min(batch, games))
        games -= batch
        if perf_counter() >= deadline:
            return
