"""``sanssouci players``: the list of computer players."""

import json
from collections.abc import Iterator

import pytest

from sanssouci.cli.language import set_language
from sanssouci.cli.players import players
from sanssouci.locale import LANGUAGES
from sanssouci.players import LEVELS, player_names


@pytest.fixture(autouse=True)
def reset_language() -> Iterator[None]:
    yield
    set_language("")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_player_is_listed_and_described(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every player has a description in every language; only levels have a character's name."""
    players(json=True, lang=language)
    listed = {player["player"]: player for player in json.loads(capsys.readouterr().out)}
    assert tuple(listed) == tuple(player_names())
    assert all(player["about"] for player in listed.values())
    assert {name for name, player in listed.items() if player["name"]} == set(LEVELS)


def test_the_table_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """The table has one row per player and fits in 80 columns."""
    players(lang="en")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in player_names():
        assert any(line.startswith(f"│ {name} ") for line in lines), name
