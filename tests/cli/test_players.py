"""``sanssouci players``: the computer players, for people and for programs."""

import json
from collections.abc import Iterator

import pytest

from sanssouci.cli.language import speak
from sanssouci.cli.players import players
from sanssouci.locale import LANGUAGES
from sanssouci.players import LEVELS, player_names


@pytest.fixture(autouse=True)
def language_of_the_environment() -> Iterator[None]:
    """The language that a test chooses is not that of the next."""
    yield
    speak("")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_player_is_listed_and_described(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In every language; a level has the name of a character, other players have none."""
    players(json=True, lang=language)
    listed = {player["player"]: player for player in json.loads(capsys.readouterr().out)}
    assert tuple(listed) == tuple(player_names())
    assert all(player["about"] for player in listed.values())
    assert {name for name, player in listed.items() if player["name"]} == set(LEVELS)


def test_the_table_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """One row for each player, in 80 columns."""
    players(lang="en")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in player_names():
        assert any(line.startswith(f"│ {name} ") for line in lines), name
