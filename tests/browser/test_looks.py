"""Every screen in every language, at three sizes, light and dark: nothing is cut off, axe finds nothing."""

from typing import Literal

import pytest
from playwright.sync_api import Page

from .guests import DESK, PHONE, TABLET, Guests, Size, last_game
from .hands import Hand
from .looks import faults, violations

LANGUAGES = ("en", "de", "fr", "es")
SIZES = pytest.mark.parametrize("size", [DESK, TABLET, PHONE], ids=["desk", "tablet", "phone"])


def _check(page: Page, screen: str) -> None:
    assert faults(page) == [], screen
    assert violations(page) == [], screen


@SIZES
@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_of_a_game(guests: Guests, size: Size, language: str) -> None:
    """Start, setting up, picking, the table, a staged turn, the rules."""
    page = guests.comes(size, language)
    hand = Hand(page)
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.wait_for()
    _check(page, "start")
    page.goto("/#new")
    page.wait_for_selector("main fieldset")
    _check(page, "setting up")
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.click()
    page.wait_for_selector("main button.main")
    _check(page, "picking")
    hand.pick()
    hand.wait_for_turn()
    _check(page, "table")
    page.locator(".hand .card").first.click()
    page.locator(".space:not(.faded)").first.click()
    _check(page, "staged")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rules_end_and_four_seats(guests: Guests, scheme: Literal["light", "dark"]) -> None:
    """The fullest table there is, with the rules beside it, and the end of a game that was given up."""
    full = last_game(
        "person", "level:1", "level:2", "level:3", edition="imperial", expansions=("rewards", "wild_boar")
    )
    page = guests.comes(scheme=scheme, preferences=full)
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    _check(page, "four seats")
    page.locator("header nav button").first.click()
    page.wait_for_selector("[data-rule=R1]")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Really give up?").click()
    page.wait_for_selector(".end")
    _check(page, "end")
