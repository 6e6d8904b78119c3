"""Tables that anyone may find: listed on the start page, taken from there, and looked at."""

from typing import Any

from playwright.sync_api import Page, expect

from .guests import Guests, last_game
from .hands import Hand
from .test_company import set_up


def _listed(*chairs: str) -> dict[str, Any]:
    """Preferences for a table that is listed."""
    wishes = last_game(*chairs)
    return {"lastGame": {**wishes["lastGame"], "visibility": "open"}}


def _from_the_list(page: Page, *names: str) -> None:
    """From the start page to the table at which these sit."""
    page.goto("/")
    line = page.locator(".open a")
    for name in names:
        line = line.filter(has_text=name)
    line.first.click()
    page.wait_for_url("**/table/*")


def test_who_sits_down_from_the_list_sits_there(guests: Guests) -> None:
    """Without a reload: the chair is one's own, one can be ready, and can leave."""
    owner = guests.comes(preferences={**_listed("person", "open"), "name": "Olivia"})
    friend = guests.comes()
    set_up(owner)
    _from_the_list(friend, "Olivia")
    friend.get_by_role("textbox", name="name").fill("Berta")
    friend.get_by_role("button", name="Take a seat").click()
    expect(friend.locator(".chair.own")).to_contain_text("Berta")
    expect(friend.get_by_role("button", name="Leave")).to_be_visible()
    friend.get_by_role("button", name="ready").click()
    expect(friend.locator(".chair.own .done")).to_be_visible()


def test_a_listed_game_that_goes_on_can_be_watched(guests: Guests) -> None:
    """It stands below the open tables, and shows the table to a stranger, without any hand."""
    owner = guests.comes(preferences={**_listed("person", "level:1"), "name": "Wilhelmine"})
    watcher = guests.comes()
    set_up(owner)
    Hand(owner).pick()
    watcher.goto("/")
    section = watcher.get_by_role("region", name="Games to watch")
    section.get_by_role("link").filter(has_text="Wilhelmine").click()
    watcher.locator(".table").wait_for()
    expect(watcher.locator("[data-card]")).to_have_count(0)
