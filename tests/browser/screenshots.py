"""Pictures of every screen, the same in every run: ``python -m tests.browser.screenshots``.

The pages and their texts come from a real server; what happens at the table was recorded from real games
(``web/tests/fixtures``), and is told to the page again.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from playwright.sync_api import Browser, Page, Route, WebSocketRoute, sync_playwright

from .conftest import CHROMIUM
from .guests import DESK, PHONE, TABLET, Guests
from .served import served

FIXTURES = Path(__file__).parents[2] / "web" / "tests" / "fixtures"
SIZES = {"desk": DESK, "tablet": TABLET, "phone": PHONE}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = ("en", "de")
TABLE = "0" * 16
NAMES = ("Ada", "Berta", "Camilo", "Dora")

Json = dict[str, Any]


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


def _start(page: Page) -> None:
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.wait_for()


def _setting_up(page: Page) -> None:
    page.goto("/#new")
    page.wait_for_selector("main fieldset")


def _picking(page: Page) -> None:
    _at_table(page, _fixture("imperial-rewards-boar-4")["picking"])
    page.wait_for_selector("main button.main")


def _table(page: Page) -> None:
    _at_table(page, _fixture("ravensburger-2")["views"][1])
    page.wait_for_selector(".turn")


def _staged(page: Page) -> None:
    _table(page)
    page.locator(".hand .card").last.click()
    page.locator(".space:not(.faded)").first.click()


def _four_seats(page: Page) -> None:
    _at_table(page, _fixture("imperial-rewards-boar-4")["views"][1])
    page.wait_for_selector(".turn")


def _end(page: Page) -> None:
    _at_table(page, _fixture("imperial-rewards-boar-4")["over"]["view"])
    page.wait_for_selector(".end")


def _rules(page: Page) -> None:
    _table(page)
    page.locator("header nav button").first.click()
    page.wait_for_selector("[data-rule=R20]")
    page.locator("[data-rule=R20]").scroll_into_view_if_needed()


SCREENS = {
    "start": _start,
    "setting-up": _setting_up,
    "picking": _picking,
    "table": _table,
    "staged": _staged,
    "four-seats": _four_seats,
    "end": _end,
    "rules": _rules,
}


def _fixture(name: str) -> Json:
    found: Json = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def _at_table(page: Page, view: Json) -> None:
    """Sit down at a table that stands as a view has it."""
    chairs = [{**chair, "name": name} for chair, name in zip(view["chairs"], NAMES, strict=False)]
    view = {**view, "table": TABLE, "chairs": chairs}
    table = {"table": view["table"], "your_chairs": [view["you"]["chair"]], "your_turn": True}
    page.route("**/api/me", lambda route: _tell(route, {"name": "Ada"}))
    page.route("**/api/me/tables", lambda route: _tell(route, {"tables": [table]}))
    page.route("**/tickets", lambda route: _tell(route, {"ticket": "x", "chair": 0, "seconds": 30}))
    update = {"type": "update", "seq": view["seq"], "events": [], "view": view}

    def told(socket: WebSocketRoute) -> None:
        socket.on_message(lambda _: socket.send(json.dumps(update)))

    page.route_web_socket("**/api/socket", told)
    page.goto(f"/table/{view['table']}")


def _tell(route: Route, document: Json) -> None:
    route.fulfill(json=document)


if __name__ == "__main__":
    main()
