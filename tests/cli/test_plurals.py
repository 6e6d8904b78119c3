"""Plurals in four languages."""

import pytest

from sanssouci.cli import plurals
from sanssouci.cli.language import set_language

NOUNS = ("guests", "games", "events", "faults", "tables", "records", "processes")
EXPECTED = {
    "en": ("0 games", "1 game", "2 games"),
    "de": ("0 Spiele", "1 Spiel", "2 Spiele"),
    "fr": ("0 partie", "1 partie", "2 parties"),
    "es": ("0 partidas", "1 partida", "2 partidas"),
}


@pytest.mark.parametrize("language", EXPECTED)
def test_singular_and_plural(language: str) -> None:
    """Each noun has a singular and a plural; French uses the singular for 0 as well."""
    set_language(language)
    assert tuple(map(plurals.games, (0, 1, 2))) == EXPECTED[language]
    for noun in NOUNS:
        one, many = getattr(plurals, noun)(1), getattr(plurals, noun)(1000)
        same = one.split()[1:] == many.split()[1:]
        both = (language, noun) in (("de", "faults"), ("fr", "processes"))  # “Fehler” and “processus”
        assert same is both
    set_language("")
