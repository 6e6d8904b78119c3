"""For the tests of the server."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanssouci.players.registry import _factory, _installed

from .pools import install_crew


def _forget() -> None:
    """So that what is installed is looked for again."""
    _installed.cache_clear()
    _factory.cache_clear()


@pytest.fixture
def crew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of players, for this process and for those that it starts."""
    install_crew(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    _forget()
    yield tmp_path
    sys.modules.pop("crew_players", None)
    _forget()
