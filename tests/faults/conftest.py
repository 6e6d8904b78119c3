"""Fault tests that pytest runs fork their servers; ``python -m tests.faults`` starts each afresh."""

from collections.abc import Iterator

import pytest

from . import served


@pytest.fixture(scope="package", autouse=True)
def forked_servers() -> Iterator[None]:
    """Servers have their modules loaded already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(served, "FORKS", True)
        yield
