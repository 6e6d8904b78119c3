"""Checking lessons: the value network solves them again, and a wrong lesson is found."""

from dataclasses import replace

import pytest

from sanssouci.dealer import parse_seed
from sanssouci.lessons import Lesson, lessons
from sanssouci.lessons.check_lessons import check
from sanssouci.rules import Turn

LATEST = sorted(lessons(), key=lambda lesson: -lesson.view.round)[:3]
"""Positions near the end are solved fastest."""
SEED = parse_seed("20")


@pytest.mark.parametrize("lesson", LATEST, ids=lambda lesson: lesson.id)
def test_a_late_lesson_holds(lesson: Lesson) -> None:
    """A lesson holds with other randomness."""
    finding = check(lesson, SEED, rollouts=500, games=500)
    assert finding.holds, str(finding)
    assert "holds" in str(finding)


@pytest.mark.exhaustive
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_every_lesson_holds(lesson: Lesson) -> None:
    """Each lesson holds; ``python -m sanssouci.lessons check`` checks each three times."""
    finding = check(lesson, SEED)
    assert finding.holds, str(finding)


def _with_costs(lesson: Lesson, costs: dict[Turn, float]) -> Lesson:
    worths = [replace(worth, cost=costs.get(worth.turn, worth.cost)) for worth in lesson.worths]
    return replace(lesson, worths=tuple(sorted(worths, key=lambda worth: worth.cost)))


def test_a_lesson_with_another_solution_does_not_hold() -> None:
    """A lesson whose best and tempting turns are swapped does not hold."""
    lesson = LATEST[0]
    wrong = _with_costs(lesson, {worth.turn: 5.0 for worth in lesson.worths if worth.solves})
    wrong = replace(_with_costs(wrong, {lesson.tempting: 0.0}), tempting=lesson.best.turn)
    finding = check(wrong, SEED, rollouts=500, games=100)
    assert not finding.holds and not finding.solves and "DOES NOT HOLD" in str(finding)


def test_a_lesson_with_one_more_solution_does_not_hold() -> None:
    """A wrong turn that is marked as a solution is found, though the search plays the best turn."""
    lesson = LATEST[0]
    finding = check(_with_costs(lesson, {lesson.tempting: 0.1}), SEED, rollouts=500, games=100)
    assert finding.solves and not finding.holds and finding.max_solution_cost > 1


def test_a_lesson_that_lacks_a_solution_does_not_hold() -> None:
    """A turn as good as the best that is marked as wrong is found."""
    lesson = next(one for one in lessons() if one.worths[1].solves)
    finding = check(_with_costs(lesson, {lesson.worths[1].turn: 2.0}), SEED, rollouts=200, games=100)
    assert not finding.holds and finding.min_other_cost < 1
