"""Fixtures for tests of the worker pool."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanssouci.players.registry import _factory, _installed

from .pools import install_players


def _clear_registry() -> None:
    """Make the registry search for installed players again."""
    _installed.cache_clear()
    _factory.cache_clear()


@pytest.fixture
def player_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the players of ``pools.py``, importable here and in processes started by the test."""
    install_players(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    _clear_registry()
    yield tmp_path
    sys.modules.pop("crew_players", None)
    _clear_registry()
