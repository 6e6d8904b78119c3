"""Visits to the page, with the probe installed."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM
from tests.browser.page_player import PagePlayer
from tests.browser.visitors import Visitors, last_game

PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")
BOTH = ("rewards", "wild_boar")


def duel(player: str) -> dict[str, Any]:
    """Preferences for the smallest game."""
    return last_game("person", player)


def company(player: str) -> dict[str, Any]:
    """Preferences for the fullest game, of one person and three computer players."""
    return last_game("person", player, player, player, edition="imperial", expansions=BOTH)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The full browser if installed, as users have it. Tests use the smaller headless shell."""
    executable = shutil.which("chromium") or CHROMIUM
    if executable is None:
        raise SystemExit("Chromium is not installed; on Debian and Ubuntu: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def visit(
    site: str, browser: Browser, preferences: dict[str, Any] | None = None, moving: bool = True
) -> Iterator[Page]:
    """A page in a new profile, with an empty cache. An error on it ends the benchmark."""
    visitors = Visitors(site, browser)
    page = visitors.new_page(preferences=preferences, moving=moving)
    page.add_init_script(PROBE)
    yield page
    visitors.close()
    if visitors.errors:
        raise SystemExit("\n".join(visitors.errors))


def seated(page: Page) -> PagePlayer:
    """Start a new game and wait for the first turn."""
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    return player


def probed(page: Page, expression: str) -> Any:
    """Evaluate a property or method of the probe."""
    return page.evaluate(f"() => probe.{expression}")


def seat_link(page: Page) -> str:
    """The link of the own chair at the shown table."""
    table = page.url.rsplit("/", 1)[1]
    links = json.loads(page.evaluate("localStorage.getItem('sanssouci.links')"))
    secret = next(link["secret"] for link in links if link["table"] == table and link["kind"] == "seat")
    return f"/seat/{table}#{secret}"


def renderer(browser: Browser) -> str:
    """The graphics renderer: a graphics card, or software."""
    page = browser.new_page()
    name: str | None = page.evaluate(
        """() => {
          const gl = document.createElement("canvas").getContext("webgl");
          const more = gl?.getExtension("WEBGL_debug_renderer_info");
          return more ? gl.getParameter(more.UNMASKED_RENDERER_WEBGL) : null;
        }"""
    )
    page.close()
    return name or "none: software rendering"
