"""The review of one turn, by what its seat could know: what it changed, and the value of the best turn.

The best turn is the one that a hint finds. The played turn, the best turn and the standard turn then start
the same new simulated games. So the best turn does not look better merely because it was chosen among many,
and the turns differ by their value and not by what was dealt. With the value network the standard is the best
turn itself, so a turn can hardly change a forecast for the better: skill is what mistakes have cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sanssouci.dealer import Seed, derive_seed
from sanssouci.rules import State, Turn, View

from .evaluator import CancelCheck, evaluator_for
from .forecast import Errors, Forecast
from .hint import rank_turns

LEAST = 1.0
"""Minimum points of lead by which a turn counts as better."""
CLEAR = 3.0
"""Minimum standard errors by which it must be better."""
PIECES = 16
"""The minimum number of pieces of a trial; the error is estimated from their differences."""
_LONGEST = 500
"""The most simulated games in a piece; longer pieces would delay cancellation."""
_DEEPEST = 10_000
"""The most rollouts of a search: deeper ones find little more, and cannot be cancelled for seconds."""


@dataclass(frozen=True, slots=True)
class ReviewEffort:
    """The simulated games for one turn, by purpose."""

    search: int
    """To find the best turn."""
    trial: int
    """To compare it with the played turn and the standard turn; each of them starts this many games."""
    open: int
    """To judge the position with all cards open."""

    @classmethod
    def of(cls, rollouts: int) -> "ReviewEffort":
        """Splits about ``rollouts`` games between the purposes."""
        search, trial = min(max(1, rollouts // 2), _DEEPEST), max(PIECES, rollouts // 6)
        return cls(search, trial, trial)


@dataclass(frozen=True, slots=True)
class TurnReview:
    """A played turn, compared with the standard turn and with the best turn found for its seat."""

    seat: int
    turn: Turn
    best: Turn
    """The turn itself, if nothing better was found."""
    before: Forecast
    """With the standard turn: the position before the turn."""
    after: Forecast
    """With the turn that was played."""
    possible: Forecast
    """With the best turn."""
    skill_errors: Errors
    """Of what it changed."""
    cost_errors: Errors
    """Of what it cost."""

    @property
    def cost_share(self) -> float:
        """The win share that the best turn would have added; negative if the played turn did better."""
        return self.possible.shares[self.seat] - self.after.shares[self.seat]

    @property
    def cost_points(self) -> float:
        """The points that the best turn would have added to the lead."""
        return self.possible.leads[self.seat] - self.after.leads[self.seat]

    @property
    def missed(self) -> bool:
        """Whether there was a turn that was clearly better, also for winning."""
        least = max(LEAST, CLEAR * self.cost_errors.leads[self.seat])
        return self.best != self.turn and self.cost_points >= least and self.cost_share >= 0


def review_turn(
    view: View,
    turn: Turn,
    seed: Seed,
    depth: ReviewEffort,
    check_cancelled: CancelCheck = lambda: None,
    best: Turn | None = None,
) -> TurnReview:
    """Review a turn of the seat of a view; only what this seat could know is used.

    ``best`` is the best turn where it has been found already.
    """
    if best is None:
        check_cancelled()
        best = find_best_turn(view, seed, depth)
    turns = (standard_turn(view, best), turn, best)
    before, after, possible = try_in_pieces(
        view, turns, derive_seed(seed, "trial"), depth.trial, check_cancelled
    )
    return TurnReview(
        view.to_move,
        turn,
        best,
        Forecast.mean(before),
        Forecast.mean(after),
        Forecast.mean(possible),
        _errors(before, after),
        _errors(after, possible),
    )


def find_best_turn(view: View, seed: Seed, depth: ReviewEffort) -> Turn:
    """The turn that a hint would recommend."""
    return rank_turns(view, derive_seed(seed, "search"), depth.search)[0].turn


def standard_turn(view: View, best: Turn) -> Turn:
    """The turn that others are measured against."""
    return evaluator_for(view.variant.seats).standard_turn(view, best)


def try_in_pieces(
    game: View | State, turns: tuple[Turn, ...], seed: Seed, games: int, check_cancelled: CancelCheck
) -> list[list[Forecast]]:
    """The forecasts with each of these turns, piece by piece; a turn that is listed twice is tried once."""
    different, pieces = tuple(dict.fromkeys(turns)), max(PIECES, games // _LONGEST)
    evaluator = evaluator_for(game.variant.seats)
    found = evaluator.compare(game, different, seed, games // pieces, pieces, check_cancelled)
    return [found.forecasts(different.index(turn)) for turn in turns]


def _errors(ones: Sequence[Forecast], others: Sequence[Forecast]) -> Errors:
    """The errors of the difference between two turns, estimated from its pieces."""
    return Errors.of([other.minus(one) for one, other in zip(ones, others, strict=True)])
