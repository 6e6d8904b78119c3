"""Checks lessons: the value network solves each again, with other random numbers.

A lesson holds if a search finds a turn that solves it, and if new simulated games confirm its solutions: they
cost less than the border, and all other turns cost more and win less often, by more than the error of the
estimate.
"""

from dataclasses import dataclass

from sanssouci.dealer import Seed, derive_seed
from sanssouci.notation import write_turn
from sanssouci.review import evaluator_for
from sanssouci.rules import Turn

from .lesson import CLEAR, LEVEL, Lesson
from .solver import compare

ROLLOUTS = 2000
"""Short games of a search."""
GAMES = 1000
"""Simulated games for each turn that is compared."""
_BORDER = (LEVEL + CLEAR) / 2
_ERRORS = 2.0
"""Standard errors that an estimate may be wrong by."""
_NEAREST = 6
"""How many wrong turns, and how many turns of the search, are compared with the solutions."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one run of one lesson; each figure includes the error that it may have."""

    lesson: str
    found: Turn
    """The turn that the search chose."""
    solves: bool
    """Whether that turn solves the lesson."""
    max_solution_cost: float
    """The most that a solution may cost, in points."""
    min_other_cost: float
    """The least that any other turn costs."""
    min_other_share: float
    """The least share of the win that any other turn loses."""

    @property
    def holds(self) -> bool:
        """Whether the run confirms the lesson."""
        clear = self.max_solution_cost < _BORDER < self.min_other_cost
        return self.solves and clear and self.min_other_share > 0

    def __str__(self) -> str:
        word = "holds" if self.holds else "DOES NOT HOLD"
        return (
            f"{self.lesson}: {word}; the search plays {write_turn(self.found)},"
            f" solving turns cost {self.max_solution_cost:.2f} at most,"
            f" others {self.min_other_cost:.2f} and {100 * self.min_other_share:.1f} % at least"
        )


def check(lesson: Lesson, seed: Seed, rollouts: int = ROLLOUTS, games: int = GAMES) -> CheckResult:
    part, view = derive_seed(seed, lesson.id), lesson.view
    found = evaluator_for(view.variant.seats).search(view, derive_seed(part, "search"), rollouts)
    solving = [worth.turn for worth in lesson.worths if worth.solves]
    nearest = [worth.turn for worth in lesson.worths[len(solving) :]][:_NEAREST]
    turns = tuple(dict.fromkeys((*solving, *nearest, *found[:_NEAREST], lesson.tempting)))
    losses = compare(view, turns, derive_seed(part, "trial"), games)
    others = [loss for turn, loss in losses.items() if turn not in solving]
    return CheckResult(
        lesson.id,
        found[0],
        found[0] in solving,
        max(losses[turn].cost + _ERRORS * losses[turn].cost_error for turn in solving),
        min(loss.cost - _ERRORS * loss.cost_error for loss in others),
        min(loss.share - _ERRORS * loss.share_error for loss in others),
    )
