"""A line that is open, but through which nothing comes: whoever waits is told."""

from playwright.sync_api import expect

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
    expect(page.locator(".silent")).to_have_text("Waiting for the server …", timeout=10_000)
    line.release()
    expect(page.locator(".silent, .broken")).to_have_count(0)
