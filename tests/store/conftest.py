"""A store for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sanssouci.store import Store

from .builders import empty_data_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the data file."""
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An open store on a copy of an empty file; ``test_opening`` and ``test_migrations`` test new files."""
    path.write_bytes(empty_data_file())
    with Store.open(path) as store:
        yield store
