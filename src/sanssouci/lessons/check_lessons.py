"""Checks lessons: the strongest player solves each again, with other random numbers and more time.

A lesson holds if a search finds a turn that solves it, and if in new simulated games the border between turns
that solve it and turns that do not is never crossed.
"""

from dataclasses import dataclass

from sanssouci.dealer import Seed, derive_seed
from sanssouci.kernel import search
from sanssouci.notation import write_turn
from sanssouci.rules import Turn

from .lesson import CLEAR, LEVEL, Lesson
from .solver import compare

ROLLOUTS = 20_000
"""Rollouts of a search, four times those of ``level:5``."""
GAMES = 4000
"""Rollouts for each turn that is compared."""
_BORDER = (LEVEL + CLEAR) / 2
_NEAREST = 4
"""How many of the wrong turns are compared again, besides the tempting one."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one run of one lesson."""

    lesson: str
    found: Turn
    """The turn that the search chose."""
    solves: bool
    """Whether that turn solves the lesson."""
    max_solution_cost: float
    """The cost of the worst solution, and of the best turn that is none."""
    min_other_cost: float

    @property
    def holds(self) -> bool:
        """Whether the run confirms the lesson."""
        return self.solves and self.max_solution_cost < _BORDER < self.min_other_cost

    def __str__(self) -> str:
        word = "holds" if self.holds else "DOES NOT HOLD"
        return (
            f"{self.lesson}: {word}; the search plays {write_turn(self.found)},"
            f" solving turns cost {self.max_solution_cost:.2f} at most,"
            f" others {self.min_other_cost:.2f} at least"
        )


def check(lesson: Lesson, seed: Seed, rollouts: int = ROLLOUTS, games: int = GAMES) -> CheckResult:
    part = derive_seed(seed, lesson.id)
    found = search(lesson.view, derive_seed(part, "search"), rollouts)[0].turn
    solving = [worth.turn for worth in lesson.worths if worth.solves]
    missing = [worth.turn for worth in lesson.worths[len(solving) :]][:_NEAREST]
    turns = dict.fromkeys((*solving, *missing, lesson.tempting))
    costs = compare(lesson.view, tuple(turns), derive_seed(part, "trial"), games)
    others = [cost for turn, cost in costs.items() if turn not in solving]
    return CheckResult(
        lesson.id,
        found,
        lesson.worth(found).solves,
        max(costs[turn] for turn in solving),
        min(others),
    )
