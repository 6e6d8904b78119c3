"""Searching games for lessons: reproducible on any number of threads; ids are never used twice."""

from dataclasses import replace

import pytest

from sanssouci.dealer import parse_seed
from sanssouci.lessons import LEVEL, Collection, Lesson, generate, lessons
from sanssouci.lessons.generate import make_lessons
from sanssouci.lessons.themes import theme_of
from sanssouci.review import gain
from sanssouci.rules import Variant

SEED = parse_seed("30")
LATEST = max(lessons(), key=lambda lesson: lesson.view.round)
"""A position near the end is solved fastest."""


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few simulated games."""
    for name, games in (("_SEARCH", 50), ("_TRIAL", 20), ("_SKETCH", 60), ("GAMES", 300)):
        monkeypatch.setattr(generate, name, games)


def _make(threads: int) -> tuple[Collection, list[str]]:
    progress: list[str] = []
    return make_lessons(Collection(), SEED, 2, threads, progress.append), progress


def test_the_same_seed_finds_the_same_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed gives the same lessons on one thread or two.

    Conditions are loose and only the last rounds count, so that any network finds some in two games.
    """
    monkeypatch.setattr(generate, "_FIRST_ROUND", 16)
    monkeypatch.setattr(generate, "WANTED", {Variant(2): {"end": 9}})
    for name, loose in (("_TEMPTED", 0.2), ("CLEAR", LEVEL), ("_OPEN", (0, 1)), ("_MAX_TILES", 99)):
        monkeypatch.setattr(generate, name, loose)
    (found, progress), (again, _) = _make(1), _make(2)
    assert found.lessons and [lesson.worths for lesson in again.lessons] == [
        lesson.worths for lesson in found.lessons
    ]
    assert [lesson.id for lesson in found.lessons] == [f"end-{n + 1}" for n in range(len(found.lessons))]
    assert sum("round" in line for line in progress) >= len(found.lessons) and not found.retired
    for lesson in found.lessons:
        options, score = lesson.view.options(), lesson.view.scores[lesson.view.to_move]
        gains = {turn: gain(options, score, turn) for turn in options}
        assert gains[lesson.tempting] == max(gains.values()) and not lesson.worth(lesson.tempting).cost < 0.2
        assert lesson.view.round >= 16 and len(lesson.worths) == len(options) >= 15


def test_lessons_that_hold_are_kept_and_others_retired() -> None:
    """A kept lesson keeps its id and gets new figures; the id of another one is never used again."""
    swapped = {LATEST.best.turn: LATEST.tempting, LATEST.tempting: LATEST.best.turn}
    worths = tuple(replace(worth, turn=swapped.get(worth.turn, worth.turn)) for worth in LATEST.worths)
    wrong = replace(LATEST, id="end-90", worths=worths)
    found = make_lessons(Collection((LATEST, wrong), ("end-91",)), SEED, 1, 1, lambda text: None, themes=())
    assert [lesson.id for lesson in found.lessons] == [LATEST.id]
    assert found.lessons[0].best.turn == LATEST.best.turn
    assert found.retired == ("end-91", "end-90")


def test_new_lessons_get_unused_ids() -> None:
    """A new lesson takes the first number that neither a lesson nor a retired one of its theme has."""
    theme = LATEST.theme
    first = replace(LATEST, id=f"{theme}-1")
    found = generate._numbered([first, replace(LATEST, id="")], (f"{theme}-2",))
    assert [lesson.id for lesson in found.lessons] == [f"{theme}-1", f"{theme}-3"]


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_theme_of_a_lesson_follows_from_its_turns(lesson: Lesson) -> None:
    """The theme follows from comparing the best turn with the tempting one."""
    assert theme_of(lesson.view, lesson.best.turn, lesson.tempting) == lesson.theme


def test_a_turn_against_itself_has_no_theme() -> None:
    """A turn compared with itself has no theme."""
    lesson = lessons()[0]
    assert theme_of(lesson.view, lesson.best.turn, lesson.best.turn) is None
