"""A server and a browser for all tests of a worker, and a fresh profile for each test."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright

from .guests import PATIENCE, Guests
from .served import served

collect_ignore_glob = [] if os.environ.get("SANSSOUCI_BROWSER") else ["test_*.py"]
"""They take some minutes, and a browser: ``make browser`` runs them."""
expect.set_options(timeout=PATIENCE)
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose computer players are ready."""
    with served(tmp_path_factory.mktemp("house")) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; where there is none, these tests are left out, and say so."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here; on Debian and Ubuntu: apt install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def guests(site: str, browser: Browser, tmp_path: Path) -> Iterator[Guests]:
    """People, each with a browser profile of their own; what went wrong in one of them fails the test."""
    company = Guests(site, browser)
    yield company
    try:
        company.leave()
    except Error as error:  # a page that was lost says so in the test already
        pytest.fail(str(error))
    assert company.troubles == []
