"""Every test here runs once for each generation of fixtures."""

from pathlib import Path

import pytest

from .generations import GENERATIONS, Generation


@pytest.fixture(params=GENERATIONS, ids=lambda folder: folder.name)
def generation(request: pytest.FixtureRequest, tmp_path: Path) -> Generation:
    """One generation, with a folder for copies of its files."""
    return Generation(request.param, tmp_path)
