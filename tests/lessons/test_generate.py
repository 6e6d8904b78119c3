"""Looking through a game for lessons: what is found is the same in every run, on any number of threads."""

import pytest

from sanssouci.dealer import parse_seed
from sanssouci.lessons import generate
from sanssouci.lessons.generate import make_lessons

SEED = parse_seed("8")


def test_the_same_seed_finds_the_same_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """On one thread or two, as far as a short search goes; every step is told."""
    for name, games in (("_SEARCH", 100), ("_TRIAL", 20), ("_SKETCH", 100), ("GAMES", 200)):
        monkeypatch.setattr(generate, name, games)
    monkeypatch.setattr(generate, "_FIRST_ROUND", 14)
    monkeypatch.setattr(generate, "PLAYER", "level:3")
    told: list[str] = []
    found = make_lessons(SEED, 2, 1, told.append)
    assert "game 1 is looked through" in told and "game 2 is looked through" in told
    assert [lesson.worths for lesson in make_lessons(SEED, 2, 2, lambda text: None)] == [
        lesson.worths for lesson in found
    ]
    assert all(lesson.id.startswith(f"{lesson.theme}-") for lesson in found)
