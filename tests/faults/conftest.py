"""Under pytest, fault tests fork their servers; ``python -m tests.faults`` starts new processes."""

from collections.abc import Iterator

import pytest

from ..harness.process import ServerProcess


@pytest.fixture(scope="package", autouse=True)
def forked_servers() -> Iterator[None]:
    """Fork servers from this process, which has their modules loaded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ServerProcess, "forks", True)
        yield
