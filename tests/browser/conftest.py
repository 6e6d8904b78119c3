"""One server and one browser for all tests of a worker, and a new profile for each test.

Both run as long as tests of this folder: while Playwright runs, nothing else in its process can start an
event loop.
"""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright

from sanssouci.locale import UserError
from sanssouci.server.ops.static_files import built_files

from ..harness.process import running_process
from .visitors import TIMEOUT_MS, Visitors

expect.set_options(timeout=TIMEOUT_MS)
SERVER = {"SANSSOUCI_REVIEW_ROLLOUTS": "160"}
"""Settings of the server: reviews are short."""
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first one found is used. The headless shell needs half the CPU time of the others to load a page."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--js-flags=--no-maglev --no-turbofan")
"""Flags for containers: running as root, little shared memory, no graphics card.

Optimising JavaScript would cost more time than it saves on such short-lived pages.
"""


@pytest.fixture(scope="package")
def chromium() -> str:
    """The path of Chromium. Tests are skipped without it, or without built pages."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; on Debian and Ubuntu: apt install chromium")
    try:
        built_files().index()
    except UserError:
        pytest.skip("the web pages are not built; run make pages")
    return CHROMIUM


@pytest.fixture(scope="package")
def site(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose computer players are ready."""
    folder = tmp_path_factory.mktemp("server")
    with running_process(folder / "tables.db", folder / "log", SERVER) as server:
        yield server.url


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=TIMEOUT_MS)
        yield opened
        opened.close()


@pytest.fixture
def visitors(site: str, browser: Browser) -> Iterator[Visitors]:
    """Visitors with a browser profile each. An error on any of their pages fails the test."""
    visitors = Visitors(site, browser)
    yield visitors
    try:
        visitors.close()
    except Error as error:  # a crashed page has already failed the test
        pytest.fail(str(error))
    assert visitors.errors == []
