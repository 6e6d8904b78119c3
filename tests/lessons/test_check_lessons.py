"""Checking lessons: the strongest player solves them again, and a wrong lesson is found."""

from dataclasses import replace

import pytest

from sanssouci.dealer import parse_seed
from sanssouci.lessons import Lesson, lessons
from sanssouci.lessons.check_lessons import check

LATEST = sorted(lessons(), key=lambda lesson: -lesson.view.round)[:4]
"""Positions near the end are solved fastest."""
SEED = parse_seed("20")


@pytest.mark.parametrize("lesson", LATEST, ids=lambda lesson: lesson.id)
def test_a_lesson_holds(lesson: Lesson) -> None:
    """A lesson holds with other randomness; ``python -m sanssouci.lessons check`` checks all, and longer."""
    finding = check(lesson, SEED, rollouts=4000, games=1500)
    assert finding.holds, str(finding)
    assert "holds" in str(finding)


def test_a_lesson_with_another_solution_does_not_hold() -> None:
    """A lesson whose best and tempting turns are swapped does not hold."""
    lesson = LATEST[0]
    swapped = {lesson.best.turn: lesson.tempting, lesson.tempting: lesson.best.turn}
    wrong = replace(
        lesson,
        worths=tuple(replace(worth, turn=swapped.get(worth.turn, worth.turn)) for worth in lesson.worths),
        tempting=lesson.best.turn,
    )
    finding = check(wrong, SEED, rollouts=1000, games=200)
    assert not finding.holds and not finding.solves and "DOES NOT HOLD" in str(finding)
