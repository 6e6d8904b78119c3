"""Checking lessons: the strongest player solves each again, with other chance and for longer.

A lesson holds if a search finds a turn that solves it, and if in new imagined games the border between turns
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
"""Of a search: four times as many as ``level:5`` spends on a turn."""
GAMES = 4000
"""Imagined games that each turn begins which is compared."""
_BORDER = (LEVEL + CLEAR) / 2
_NEAREST = 4
"""So many of the turns that miss are compared again, and the tempting one."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one run at one lesson."""

    lesson: str
    found: Turn
    """What the search would play."""
    solves: bool
    """Whether that solves the lesson."""
    dearest: float
    """What the worst turn costs that solves it, and the best that does not."""
    cheapest: float

    @property
    def holds(self) -> bool:
        """Whether the lesson is right."""
        return self.solves and self.dearest < _BORDER < self.cheapest

    def __str__(self) -> str:
        word = "holds" if self.holds else "DOES NOT HOLD"
        return (
            f"{self.lesson}: {word}; the search plays {write_turn(self.found)},"
            f" solving turns cost {self.dearest:.2f} at most, others {self.cheapest:.2f} at least"
        )


def check(lesson: Lesson, seed: Seed, rollouts: int = ROLLOUTS, games: int = GAMES) -> CheckResult:
    """Solve a lesson again."""
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
