"""A server and a browser for all tests of a worker, and a fresh profile for each test.

They are there as long as tests of this folder run: while Playwright is at work, nothing else in its process
can begin an event loop.
"""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright

from sanssouci.locale import UserError
from sanssouci.server.ops.static_files import built_files

from .guests import PATIENCE, Guests
from .served import served

expect.set_options(timeout=PATIENCE)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first one found is used; the headless shell loads a page in half the processor time of the others."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--js-flags=--no-maglev --no-turbofan")
"""So that it runs for root, with little shared memory and without a graphics card, as containers do.

Pages live so short a time here that optimising their code costs more than it saves.
"""


@pytest.fixture(scope="package")
def chromium() -> str:
    """Where Chromium is; without it, or without pages, these tests are left out, and say so."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here; on Debian and Ubuntu: apt install chromium")
    try:
        built_files().index()
    except UserError:
        pytest.skip("the pages of the game are not built; make pages")
    return CHROMIUM


@pytest.fixture(scope="package")
def site(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose computer players are ready."""
    with served(tmp_path_factory.mktemp("house")) as url:
        yield url


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium, without a window."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=PATIENCE)
        yield opened
        opened.close()


@pytest.fixture
def guests(site: str, browser: Browser) -> Iterator[Guests]:
    """People, each with a browser profile of their own; what went wrong in one of them fails the test."""
    company = Guests(site, browser)
    yield company
    try:
        company.leave()
    except Error as error:  # a page that was lost says so in the test already
        pytest.fail(str(error))
    assert company.troubles == []
