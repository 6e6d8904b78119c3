"""Screens of a game that goes on: its links, and a seat that a computer plays."""

import re

from playwright.sync_api import Page

from .hands import Hand
from .recorded import game_at, sit_at


def links(page: Page) -> None:
    """The watch link and the own chair's, of a real game, with the QR code of the first."""
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    page.locator(".menu summary").click()
    page.locator(".menu .sheet button").filter(has_text=re.compile("Link|Enlace|Lien")).click()
    page.locator("dialog[open] input").first.wait_for()


def replaced(page: Page) -> None:
    """A computer plays for oneself."""
    view, events = game_at("ravensburger-2", 1)
    own = view["you"]["chair"]
    chairs = [{**chair, "away": index == own} for index, chair in enumerate(view["chairs"])]
    sit_at(page, {**view, "chairs": chairs, "you": {**view["you"], "may": ["return"]}}, events)
    page.locator(".replaced").wait_for()
