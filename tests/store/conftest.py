"""A store for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sanssouci.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the data file is."""
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An open store."""
    with Store.open(path) as store:
        yield store
