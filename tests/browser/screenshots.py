"""Screenshots of every screen, the same in every run: ``python -m tests.browser.screenshots``.

Pages and texts come from a real server. Most tables were recorded from real games.
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

from ..harness.process import running_process
from .conftest import CHROMIUM, SERVER
from .screens import SCREENS
from .visitors import DESK, PHONE, TABLET, Visitors

SIZES = {"desk": DESK, "tablet": TABLET, "phone": PHONE}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = ("en", "de")


def main() -> None:
    """Take all screenshots, or those whose names begin with ``--only``."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/screenshots"))
    parser.add_argument("--only", default="", help="a screen, or the beginning of a file name")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name, _browser() as browser:
        folder = Path(name)
        with running_process(folder / "tables.db", folder / "log", SERVER) as server:
            _take_screenshots(Visitors(server.url, browser), options.only, options.folder)


def _take_screenshots(visitors: Visitors, only: str, folder: Path) -> None:
    for name, page in _screenshots(visitors, only):
        page.screenshot(path=folder / f"{name}.png")
        page.context.close()
        print(name, file=sys.stderr, flush=True)


@contextmanager
def _browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        raise SystemExit("Chromium is not installed; on Debian and Ubuntu: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


_SETTLED = """async () => {
  const ends = (animation) => animation.effect.getComputedTiming().endTime < Infinity;
  const animations = document.getAnimations().filter(ends);
  await Promise.all([document.fonts.ready, ...animations.map((one) => one.finished.catch(() => null))]);
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
}"""
"""Waits until fonts are loaded, animations that end have ended, and the result is painted."""


def _screenshots(visitors: Visitors, only: str) -> Iterator[tuple[str, Page]]:
    for (screen, open_screen), size, scheme, language in product(SCREENS.items(), SIZES, SCHEMES, LANGUAGES):
        name = f"{screen}-{size}-{scheme}-{language}"
        if name.startswith(only):
            page = visitors.new_page(SIZES[size], language, scheme)
            open_screen(page)
            page.evaluate(_SETTLED)
            yield name, page


if __name__ == "__main__":
    main()
