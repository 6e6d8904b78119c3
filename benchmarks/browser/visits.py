"""Somebody who comes to the page, with the probe in it."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM
from tests.browser.guests import Guests, last_game
from tests.browser.hands import Hand

PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")
BOTH = ("rewards", "wild_boar")


def duel(player: str) -> dict[str, Any]:
    """Preferences for the smallest game."""
    return last_game("person", player)


def company(player: str) -> dict[str, Any]:
    """Preferences for the fullest game there is, of one person and three computer players."""
    return last_game("person", player, player, player, edition="imperial", expansions=BOTH)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The whole browser where there is one, as players have it; tests use the smaller headless shell."""
    executable = shutil.which("chromium") or CHROMIUM
    if executable is None:
        raise SystemExit("there is no Chromium here; on Debian and Ubuntu: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def visit(
    site: str, browser: Browser, preferences: dict[str, Any] | None = None, moving: bool = True
) -> Iterator[Page]:
    """A page of somebody new, with an empty cache; what goes wrong on it ends the benchmark."""
    guests = Guests(site, browser)
    page = guests.comes(preferences=preferences, moving=moving)
    page.add_init_script(PROBE)
    yield page
    guests.leave()
    if guests.troubles:
        raise SystemExit("\n".join(guests.troubles))


def seated(page: Page) -> Hand:
    """At the table of a new game, at the own first turn."""
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    return hand


def probed(page: Page, expression: str) -> Any:
    """Something that the probe knows."""
    return page.evaluate(f"() => probe.{expression}")


def seat_link(page: Page) -> str:
    """The link to the own chair at the table that is shown."""
    table = page.url.rsplit("/", 1)[1]
    links = json.loads(page.evaluate("localStorage.getItem('sanssouci.links')"))
    secret = next(link["secret"] for link in links if link["table"] == table and link["kind"] == "seat")
    return f"/seat/{table}#{secret}"


def renderer(browser: Browser) -> str:
    """Who paints: a graphics card, or the processor."""
    page = browser.new_page()
    told: str | None = page.evaluate(
        """() => {
          const gl = document.createElement("canvas").getContext("webgl");
          const more = gl?.getExtension("WEBGL_debug_renderer_info");
          return more ? gl.getParameter(more.UNMASKED_RENDERER_WEBGL) : null;
        }"""
    )
    page.close()
    return told or "none: the processor paints"
