"""Searching games for lessons: reproducible on any number of threads."""

import pytest

from sanssouci.dealer import parse_seed
from sanssouci.lessons import CLEAR, LEVEL, Lesson, generate, lessons
from sanssouci.lessons.generate import make_lessons
from sanssouci.lessons.themes import theme_of
from sanssouci.review import gain

SEED = parse_seed("18")


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few simulated games and only the last rounds."""
    for name, games in (("_SEARCH", 100), ("_TRIAL", 20), ("_SKETCH", 100), ("GAMES", 200)):
        monkeypatch.setattr(generate, name, games)
    monkeypatch.setattr(generate, "_FIRST_ROUND", 13)
    monkeypatch.setattr(generate, "PLAYER", "level:3")


def test_the_same_seed_finds_the_same_lessons() -> None:
    """The same seed gives the same lessons on one thread or two; drafts that do not hold are dropped."""
    progress: list[str] = []
    found = make_lessons(SEED, 2, 1, progress.append)
    assert "game 1 is looked through" in progress and "game 2 is looked through" in progress
    assert [lesson.id for lesson in found] == ["nobles-1", "end-1"]
    assert sum("round" in line for line in progress) > len(found)
    assert [lesson.worths for lesson in make_lessons(SEED, 2, 2, lambda text: None)] == [
        lesson.worths for lesson in found
    ]


def test_found_lessons_are_clear_and_not_obvious() -> None:
    """The turn that scores most at once costs points, and no turn is between solving and missing."""
    for lesson in make_lessons(SEED, 2, 1, lambda text: None):
        options, score = lesson.view.options(), lesson.view.scores[lesson.view.to_move]
        gains = {turn: gain(options, score, turn) for turn in options}
        assert gains[lesson.tempting] == max(gains.values()) and lesson.worth(lesson.tempting).cost >= 2
        assert not [worth for worth in lesson.worths if LEVEL < worth.cost < CLEAR]
        assert 1 <= sum(worth.solves for worth in lesson.worths) <= 8
        assert lesson.view.round >= 13 and len(lesson.worths) == len(options) >= 15


def test_the_number_of_lessons_per_game_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the clearest lessons of a game are kept."""
    monkeypatch.setattr(generate, "_OF_A_GAME", 1)
    assert len(make_lessons(SEED, 2, 1, lambda text: None)) == 1


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_theme_of_a_lesson_follows_from_its_turns(lesson: Lesson) -> None:
    """The theme follows from comparing the best turn with the tempting one."""
    assert theme_of(lesson.view, lesson.best.turn, lesson.tempting) == lesson.theme


def test_a_turn_against_itself_has_no_theme() -> None:
    """A turn compared with itself has no theme."""
    lesson = lessons()[0]
    assert theme_of(lesson.view, lesson.best.turn, lesson.best.turn) is None
