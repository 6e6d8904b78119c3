"""Tables that anyone may find: listed on the start page, taken from there, and looked at."""

from typing import Any

from playwright.sync_api import Page, expect

from .guests import Guests, last_game
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
    friend.get_by_role("button", name="Sit down").click()
    expect(friend.locator(".chair.own")).to_contain_text("Berta")
    expect(friend.get_by_role("button", name="Leave")).to_be_visible()
    friend.get_by_role("button", name="ready").click()
    expect(friend.locator(".chair.own .done")).to_be_visible()
