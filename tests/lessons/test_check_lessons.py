"""The strongest player solves lessons again; a lesson that is wrong is found out."""

from dataclasses import replace

import pytest

from sanssouci.dealer import parse_seed
from sanssouci.lessons import Lesson, lessons
from sanssouci.lessons.check_lessons import check

LATEST = sorted(lessons(), key=lambda lesson: -lesson.view.round)[:4]
"""Those near the end are solved quickest."""
SEED = parse_seed("20")


@pytest.mark.parametrize("lesson", LATEST, ids=lambda lesson: lesson.id)
def test_a_lesson_holds(lesson: Lesson) -> None:
    """With other chance than it was found with; `python -m sanssouci.lessons check` tries all, and longer."""
    finding = check(lesson, SEED, rollouts=4000, games=1500)
    assert finding.holds, str(finding)
    assert "holds" in str(finding)


def test_a_lesson_with_another_solution_does_not_hold() -> None:
    """Where the tempting turn is said to be the best, the search plays another and the border is crossed."""
    lesson = LATEST[0]
    swapped = {lesson.best.turn: lesson.tempting, lesson.tempting: lesson.best.turn}
    wrong = replace(
        lesson,
        worths=tuple(replace(worth, turn=swapped.get(worth.turn, worth.turn)) for worth in lesson.worths),
        tempting=lesson.best.turn,
    )
    finding = check(wrong, SEED, rollouts=1000, games=200)
    assert not finding.holds and not finding.solves and "DOES NOT HOLD" in str(finding)
