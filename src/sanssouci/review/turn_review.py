"""The review of one turn, by what its seat could know: what it changed, and the value of the best turn.

The change is measured against the turn that a steward would play, because stewards play the simulated games:
positions before a turn and after the deal are thus measured in the same way. A search finds the best turn.
The steward's turn, the played turn and the best turn then start the same new simulated games. So the best
turn does not look better merely because it was chosen among many, and the three differ by their value and not
by what was dealt.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sanssouci.dealer import Seed, derive_seed
from sanssouci.rules import State, Turn, View

from .evaluation import evaluate
from .forecast import Errors, Forecast

if TYPE_CHECKING:
    from sanssouci.kernel import TurnEstimate

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

CancelCheck = Callable[[], None]
"""Called between two pieces of work; it raises if the work is to be stopped."""


@dataclass(frozen=True, slots=True)
class ReviewEffort:
    """The simulated games for one turn, by purpose."""

    search: int
    """To find the best turn."""
    trial: int
    """To compare it with the steward's turn and the played turn; each of the three starts this many games."""
    open: int
    """To judge the position with all cards open."""

    @classmethod
    def of(cls, rollouts: int) -> "ReviewEffort":
        """Splits about ``rollouts`` games between the purposes."""
        search = min(max(1, rollouts // 4), _DEEPEST)
        return cls(search, max(PIECES, 11 * rollouts // 60), max(PIECES, rollouts // 5))


@dataclass(frozen=True, slots=True)
class TurnReview:
    """A played turn, compared with a steward's turn and with the best turn found for its seat."""

    seat: int
    turn: Turn
    best: Turn
    """The turn itself, if nothing better was found."""
    before: Forecast
    """With the steward's turn: the position before the turn."""
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
    view: View, turn: Turn, seed: Seed, depth: ReviewEffort, check_cancelled: CancelCheck = lambda: None
) -> TurnReview:
    """Review a turn of the seat of a view; only what this seat could know is used."""
    best = evaluate(view, derive_seed(seed, "search"), depth.search)[0].turn
    turns = (stewards_turn(view), turn, best)
    trials = try_in_pieces(view, turns, derive_seed(seed, "trial"), depth.trial, check_cancelled)
    before, after, possible = (
        [Forecast.of_estimate(trial[place]) for trial in trials] for place in range(len(turns))
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


def stewards_turn(view: View) -> Turn:
    """The turn that a steward would play."""
    from sanssouci.kernel import STEWARD, best_turn

    return best_turn(view, STEWARD)


def try_in_pieces(
    game: View | State, turns: tuple[Turn, ...], seed: Seed, games: int, check_cancelled: CancelCheck
) -> "list[tuple[TurnEstimate, ...]]":
    """The forecasts of these turns, piece by piece; a turn that is listed twice is tried once."""
    from sanssouci.kernel import evaluate_turns

    different, pieces = tuple(dict.fromkeys(turns)), []
    count = max(PIECES, games // _LONGEST)
    for number in range(count):
        check_cancelled()
        tried = evaluate_turns(game, different, derive_seed(seed, f"piece {number}"), games // count)
        pieces.append(tuple(tried[different.index(turn)] for turn in turns))
    return pieces


def _errors(ones: Sequence[Forecast], others: Sequence[Forecast]) -> Errors:
    """The errors of the difference between two turns, estimated from its pieces."""
    return Errors.of([other.minus(one) for one, other in zip(ones, others, strict=True)])
