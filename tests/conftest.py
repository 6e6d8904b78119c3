"""For all tests: exhaustive tests are left out unless asked for, all of them or a share."""

import re
import signal
import zlib

import pytest

# A run in the background of a shell ignores Ctrl-C, and so would every program that a test starts and stops.
signal.signal(signal.SIGINT, signal.default_int_handler)


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
    share = config.getoption("--exhaustive")
    number, shares = (0, 1) if share is None else _parse_share(share)
    dropped = []
    for item in items:
        is_exhaustive = item.get_closest_marker("exhaustive") is not None
        is_in_share = zlib.crc32(item.nodeid.encode()) % shares == number - 1
        if is_exhaustive != (share is not None) or (is_exhaustive and not is_in_share):
            dropped.append(item)
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in set(dropped)]


def _parse_share(share: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", share)
    if found is None or int(found[1]) > int(found[2]):
        raise pytest.UsageError(f"--exhaustive takes a share such as 3/5, not {share!r}")
    return int(found[1]), int(found[2])
