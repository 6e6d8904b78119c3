"""For all tests: exhaustive tests are skipped unless all or a share of them are requested."""

import logging
import signal
from collections.abc import Iterator

import pytest

from .share import Share

# Processes in the background of a shell ignore SIGINT, and so would every process that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def root_logger() -> Iterator[None]:
    """Restore the root logger: a server in this process points it at a stream that is closed later."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers = handlers
    root.setLevel(level)


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--exhaustive`` runs only the exhaustive tests; ``--exhaustive 3/5`` runs the third of five shares."""
    parser.addoption(
        "--exhaustive",
        nargs="?",
        const="1/1",
        metavar="SHARE",
        help="run only the exhaustive tests: all, or a share such as 3/5",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Check the share before any process starts: ``--exhaustive tests/browser`` takes a folder for one."""
    try:
        _share(config)
    except ValueError as error:
        raise pytest.UsageError(f"--exhaustive: {error}; put folders before the option") from None


def _share(config: pytest.Config) -> Share | None:
    text = config.getoption("--exhaustive")
    return None if text is None else Share.parse(text)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select tests: a test is in exactly one share of n, chosen by its name."""
    share = _share(config)
    chosen = []
    for item in items:
        is_exhaustive = item.get_closest_marker("exhaustive") is not None
        if is_exhaustive if share is None else not (is_exhaustive and item.nodeid in share):
            continue
        chosen.append(item)
    deselected = set(items) - set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item in deselected])
    items[:] = chosen
