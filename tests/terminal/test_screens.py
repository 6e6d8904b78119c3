"""Snapshots of every screen in every language."""

import pytest

from sanssouci.locale import LANGUAGES

from .screens import SNAPSHOTS, screens, snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_match_their_snapshots(language: str) -> None:
    """Screens equal their snapshots; tests/terminal/screens.py regenerates them."""
    assert snapshot(language) == (SNAPSHOTS / f"{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_drawing_fits(language: str) -> None:
    """Drawings fit in 80 columns, or 50 on a narrow terminal, and have no placeholder left."""
    for name, text in screens(language):
        widest = max(map(len, text.split("\n")))
        narrow = name.startswith(("narrow", "small"))
        is_text = name.startswith(("told", "garden", "turn", "stage", "help", "cards", "goal", "pick reward"))
        assert is_text or widest <= (50 if narrow else 80), name
        assert "{" not in text and "None" not in text
