"""Browser profiles of a test's visitors, and the errors on their pages."""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page

Size = tuple[int, int]
DESK, TABLET, PHONE = (1366, 768), (820, 1180), (390, 844)
TIMEOUT_MS = 60_000
"""Milliseconds to wait for anything, enough for a busy machine."""


def text_on_screen(page: Page, text: str) -> Locator:
    """The element with this text, without the live region, which repeats texts for screen readers."""
    return page.get_by_text(text).and_(page.locator(":not([role=status])"))


def last_game(
    *chairs: str, edition: str = "ravensburger", expansions: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Preferences whose last game had these chairs: ``person``, ``open``, or a computer player."""
    sitters = [
        {"sitter": chair, "name": "", "player": None}
        if chair in ("person", "open")
        else {"sitter": "computer", "name": "", "player": chair}
        for chair in chairs
    ]
    game = {
        "edition": edition,
        "expansions": list(expansions),
        "boards": None,
        "chairs": sitters,
        "clock": {"pace": "none", "amount": 0},
        "hints": True,
        "visibility": "link",
        "first": None,
    }
    return {"lastGame": game}


@dataclass
class Visitors:
    """All visitors of a test, each with a browser profile."""

    site: str
    browser: Browser
    errors: list[str] = field(default_factory=list)
    """Exceptions and console errors of all pages."""
    ignored: str = r"(?!)"
    """Console errors that a test provokes."""
    contexts: list[BrowserContext] = field(default_factory=list)

    def new_page(
        self,
        size: Size = DESK,
        language: str = "en",
        scheme: Literal["light", "dark"] = "light",
        preferences: dict[str, Any] | None = None,
        moving: bool = False,
        service_worker: bool = False,
    ) -> Page:
        """A page in a new profile, without animation unless it is ``moving``.

        Without a service worker, whose requests tests cannot intercept, unless one is wanted.
        """
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme=scheme,
            has_touch=size == PHONE,
            reduced_motion="no-preference" if moving else "reduce",
            base_url=self.site,
            bypass_csp=False,
            service_workers="allow" if service_worker else "block",
        )
        context.set_default_timeout(TIMEOUT_MS)
        stored = json.dumps({"speed": "normal" if moving else "none", **(preferences or {})})
        name = "sanssouci.preferences"
        context.add_init_script(
            f"localStorage.getItem({name!r}) ?? localStorage.setItem({name!r}, {stored!r})"
        )
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note_error)
        return page

    def ignore_errors(self, pattern: str) -> None:
        """Ignore console errors that a test provokes."""
        self.ignored = pattern

    def _note_error(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not re.search(self.ignored, message.text):
            self.errors.append(message.text)

    def close(self) -> None:
        for context in self.contexts:
            context.close()
