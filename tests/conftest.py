"""For all tests: exhaustive tests are left out unless asked for, all of them or a share."""

import logging
import signal
from collections.abc import Iterator

import pytest

from .share import Share

# A run in the background of a shell ignores Ctrl-C, and so would every program that a test starts and stops.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def root_logger() -> Iterator[None]:
    """Undo what a server that a test runs in this process has configured: its stream is closed afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers = handlers
    root.setLevel(level)


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--exhaustive`` runs only the exhaustive tests; ``--exhaustive 3/5`` the third of five shares."""
    parser.addoption(
        "--exhaustive",
        nargs="?",
        const="1/1",
        metavar="SHARE",
        help="run only the exhaustive tests: all, or a share such as 3/5",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test belongs to a share by its name, so every test is in exactly one share of n."""
    text = config.getoption("--exhaustive")
    try:
        share = None if text is None else Share.parse(text)
    except ValueError as error:
        raise pytest.UsageError(f"--exhaustive: {error}") from None
    chosen = []
    for item in items:
        is_exhaustive = item.get_closest_marker("exhaustive") is not None
        if is_exhaustive if share is None else not (is_exhaustive and item.nodeid in share):
            continue
        chosen.append(item)
    deselected = set(items) - set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item in deselected])
    items[:] = chosen
