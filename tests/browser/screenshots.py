"""Pictures of every screen, the same in every run: ``python -m tests.browser.screenshots``.

The pages and their texts come from a real server; what happens at the table was recorded from real games.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from .conftest import CHROMIUM
from .guests import DESK, PHONE, TABLET, Guests
from .screens import SCREENS
from .served import served

SIZES = {"desk": DESK, "tablet": TABLET, "phone": PHONE}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = ("en", "de")


def main() -> None:
    """Take all pictures, or those whose names begin with a word."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/screenshots"))
    parser.add_argument("--only", default="", help="a screen, or the beginning of a picture's name")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data, served(Path(data)) as site, _browser() as browser:
        for name, page in _pictures(Guests(site, browser), options.only):
            page.screenshot(path=options.folder / f"{name}.png")
            page.context.close()
            print(name, file=sys.stderr, flush=True)


@contextmanager
def _browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        raise SystemExit("there is no Chromium here; on Debian and Ubuntu: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def _pictures(guests: Guests, only: str) -> Iterator[tuple[str, Page]]:
    for (screen, show), size, scheme, language in product(SCREENS.items(), SIZES, SCHEMES, LANGUAGES):
        name = f"{screen}-{size}-{scheme}-{language}"
        if name.startswith(only):
            page = guests.comes(SIZES[size], language, scheme)
            show(page)
            page.wait_for_timeout(300)  # what the browser still paints
            yield name, page


if __name__ == "__main__":
    main()
