"""A line that is open, but through which nothing comes: whoever waits is told."""

from playwright.sync_api import Route, expect

from .guests import Guests
from .hands import Hand
from .post import Line


def test_a_frozen_line_is_noticed(guests: Guests) -> None:
    """Soon after the server has gone silent the page says so; when it is heard again, no longer."""
    page = guests.comes()
    line, hand = Line(page), Hand(page)
    hand.begin()
    hand.wait_for_turn()
    expect(page.locator(".silent")).to_have_count(0)
    line.hold()
    expect(page.locator(".silent")).to_have_text("Waiting for the server …")
    line.release()
    expect(page.locator(".silent, .broken")).to_have_count(0)


def test_a_place_that_does_not_arrive_says_so(guests: Guests) -> None:
    """A sentence instead of an empty page, and the next try may be a better one."""
    guests.forgive("ERR_FAILED")
    page = guests.comes()
    page.goto("/")
    page.route("**/assets/features-*", lambda route: route.abort())
    page.get_by_role("link", name="Score-keeper").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This page did not load")
    page.unroute("**/assets/features-*")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Score a real game")
    assert "keeper." not in page.locator("main").inner_text()


def test_a_language_chosen_while_words_arrive_is_whole(guests: Guests) -> None:
    """Whoever is overtaken waits: no key is ever shown instead of its sentence."""
    page = guests.comes()
    page.goto("/")
    held: list[Route] = []
    page.route("**/assets/features-*", lambda route, _request: held.append(route))
    with page.expect_request("**/assets/features-en*"):
        page.get_by_role("link", name="Score-keeper").click()
    with page.expect_request("**/assets/features-fr*"):
        page.get_by_role("combobox", name="Language").select_option("fr")
    assert page.locator(".result").count() == 0
    for route in held:
        route.continue_()
    page.locator(".result table").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert "keeper." not in page.locator("main").inner_text()
