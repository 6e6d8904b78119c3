"""Snapshots of every screen in every language; a change in them is a question for review."""

import pytest

from sanssouci.locale import LANGUAGES

from .screens import SNAPSHOTS, screens, snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_is_as_it_was(language: str) -> None:
    """See tests/terminal/screens.py for how they are written again."""
    assert snapshot(language) == (SNAPSHOTS / f"{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_drawing_fits(language: str) -> None:
    """80 columns, or 50 on a narrow terminal; nothing is left unsaid."""
    for name, text in screens(language):
        widest = max(map(len, text.split("\n")))
        narrow = name.startswith(("narrow", "small"))
        told = name.startswith(("told", "garden", "turn", "stage", "help", "cards", "goal", "pick reward"))
        assert told or widest <= (50 if narrow else 80), name
        assert "{" not in text and "None" not in text
