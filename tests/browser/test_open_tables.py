"""Open tables: listed on the start page, joined and watched from there."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .page_player import PagePlayer
from .screens import SCREENS
from .test_multiplayer import set_up
from .visitors import DESK, Size, Visitors, last_game


def _listed(*chairs: str) -> dict[str, Any]:
    """Preferences for a listed table."""
    preferences = last_game(*chairs)
    return {"lastGame": {**preferences["lastGame"], "visibility": "open"}}


def _open_from_the_list(page: Page, *names: str) -> None:
    """Open the table of these people from the start page."""
    page.goto("/")
    line = page.locator(".open a")
    for name in names:
        line = line.filter(has_text=name)
    line.first.click()
    page.wait_for_url("**/table/*")


def test_joining_a_listed_table(visitors: Visitors) -> None:
    """A guest who joins from the list has the chair without a reload, and can be ready or leave."""
    owner = visitors.new_page(preferences={**_listed("person", "open"), "name": "Olivia"})
    friend = visitors.new_page()
    set_up(owner)
    _open_from_the_list(friend, "Olivia")
    friend.get_by_role("textbox", name="name").fill("Berta")
    friend.get_by_role("button", name="Take a seat").click()
    expect(friend.locator(".chair.own")).to_contain_text("Berta")
    expect(friend.get_by_role("button", name="Leave")).to_be_visible()
    friend.get_by_role("button", name="ready").click()
    expect(friend.locator(".chair.own .done")).to_be_visible()


def test_watching_a_listed_game(visitors: Visitors) -> None:
    """A running listed game can be watched from the start page, without any hand."""
    owner = visitors.new_page(preferences={**_listed("person", "level:1"), "name": "Wilhelmine"})
    watcher = visitors.new_page()
    set_up(owner)
    PagePlayer(owner).pick()
    watcher.goto("/")
    section = watcher.get_by_role("region", name="Games to watch")
    section.get_by_role("link").filter(has_text="Wilhelmine").click()
    watcher.locator(".table").wait_for()
    expect(watcher.locator("[data-card]")).to_have_count(0)


@pytest.mark.parametrize("size", [DESK, (844, 390)])
def test_games_to_continue_and_open_tables_are_seen_at_once(visitors: Visitors, size: Size) -> None:
    """The first of each, where they are next to each other."""
    visitors.ignore_errors("status of 404")
    page = visitors.new_page(size)
    SCREENS["start-with-tables"](page)
    for entry in (".own a", ".open a"):
        box = page.locator(entry).first.bounding_box()
        assert box and box["y"] + box["height"] <= size[1], entry
