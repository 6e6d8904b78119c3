"""How many of something, in four languages."""

import pytest

from sanssouci.cli import plurals
from sanssouci.cli.language import speak

NOUNS = ("guests", "games", "events", "faults", "tables", "records")
TOLD = {
    "en": ("0 games", "1 game", "2 games"),
    "de": ("0 Spiele", "1 Spiel", "2 Spiele"),
    "fr": ("0 partie", "1 partie", "2 parties"),
    "es": ("0 partidas", "1 partida", "2 partidas"),
}


@pytest.mark.parametrize("language", TOLD)
def test_one_is_not_many(language: str) -> None:
    """Nor is none, but for French."""
    speak(language)
    assert tuple(map(plurals.games, (0, 1, 2))) == TOLD[language]
    for noun in NOUNS:
        one, many = getattr(plurals, noun)(1), getattr(plurals, noun)(1000)
        same = one.split()[1:] == many.split()[1:]
        assert same is ((language, noun) == ("de", "faults")), "“Fehler” is both"
    speak("")
