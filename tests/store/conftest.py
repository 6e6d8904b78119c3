"""A store for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sanssouci.store import Store

from .builders import empty_data_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the data file is."""
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An open store; ``test_opening`` and ``test_migrations`` are about how its file is made."""
    path.write_bytes(empty_data_file())
    with Store.open(path) as store:
        yield store
