"""People at browsers: how they come in, and what went wrong on their pages."""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

Size = tuple[int, int]
DESK, TABLET, PHONE = (1366, 768), (820, 1180), (390, 844)
PATIENCE = 60_000
"""Milliseconds until something that is awaited is missed: a busy machine is slow, not wrong."""


def last_game(
    *chairs: str, edition: str = "ravensburger", expansions: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Preferences in which the last game had these chairs: ``person``, ``open``, or a computer player."""
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
class Guests:
    """All people of a test."""

    site: str
    browser: Browser
    troubles: list[str] = field(default_factory=list)
    """Exceptions and errors on the console, of any page."""
    forgiven: str = r"(?!)"
    """What does not count as one."""
    contexts: list[BrowserContext] = field(default_factory=list)

    def comes(
        self,
        size: Size = DESK,
        language: str = "en",
        scheme: Literal["light", "dark"] = "light",
        preferences: dict[str, Any] | None = None,
        moving: bool = False,
    ) -> Page:
        """A page of somebody new; nothing moves on it, unless it is to be moving."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme=scheme,
            has_touch=size == PHONE,
            reduced_motion="no-preference" if moving else "reduce",
            base_url=self.site,
            bypass_csp=False,
        )
        context.set_default_timeout(PATIENCE)
        kept = json.dumps({"speed": "normal" if moving else "none", **(preferences or {})})
        name = "sanssouci.preferences"
        context.add_init_script(f"localStorage.getItem({name!r}) ?? localStorage.setItem({name!r}, {kept!r})")
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._hear)
        return page

    def forgive(self, pattern: str) -> None:
        """What a test provokes is no trouble."""
        self.forgiven = pattern

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not re.search(self.forgiven, message.text):
            self.troubles.append(message.text)

    def leave(self) -> None:
        """Everyone goes."""
        for context in self.contexts:
            context.close()
