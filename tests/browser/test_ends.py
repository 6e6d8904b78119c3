"""After the game: what the end shows, and how one plays on."""

import re

import pytest
from playwright.sync_api import expect

from .guests import Guests
from .hands import Hand
from .recorded import game_at, go_on, recorded, sit_at


def test_the_missions_are_opened(guests: Guests) -> None:
    """R12, R27: under each seat the letters of its two missions, with points that make up its score."""
    view = recorded("imperial-rewards-boar-4")["over"]["view"]
    page = guests.comes()
    sit_at(page, view)
    page.locator(".end").wait_for()
    words = page.request.get("/api/editions/imperial/words?language=en").json()
    motifs = words["motifs"]
    seats = page.locator("tr.letters td")
    expect(seats).to_have_count(4)
    for seat, (missions, score) in enumerate(
        zip(view["game"]["missions"], view["game"]["scores"], strict=True)
    ):
        letters = seats.nth(seat).locator("li")
        names = [text.lower() for text in letters.locator(".name").all_inner_texts()]
        assert names == [motifs[column].lower() for column in missions]
        assert sum(map(int, letters.locator("b").all_inner_texts())) == score["missions"]


@pytest.mark.parametrize("moving", [True, False])
def test_the_winner_has_a_moment(guests: Guests, moving: bool) -> None:
    """At the end the winner comes first, and any key leads on; where nothing moves, all is there at once."""
    page = guests.comes(moving=moving)
    lines = sit_at(page, *game_at("imperial-rewards-boar-4", 2))
    page.locator(".turn").wait_for()
    go_on(lines, recorded("imperial-rewards-boar-4")["over"]["view"], [])
    title = page.locator("h1")
    expect(title).to_have_text("Berta wins: 49 points")
    expect(title).to_be_focused()
    expect(page.locator(".end")).to_have_class(re.compile("celebrates" if moving else r"^(?!.*celebrates)"))
    page.keyboard.press("Shift")
    expect(page.locator(".celebrates")).to_have_count(0)
    expect(page.locator(".points")).to_have_text("49 points")


def test_a_rematch_against_the_computer_starts_at_once(guests: Guests) -> None:
    """Nobody is to come, so nobody is waited for: one click leads to the picking of sides."""
    page = guests.comes()
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    first = page.url
    page.locator(".menu summary").click()
    for _ in range(2):  # the second click is meant
        page.locator(".menu").get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Rematch").click()
    page.locator("[data-phase]").wait_for()
    assert page.url != first
    hand.pick()
    assert hand.wait_for_turn()


def test_the_end_says_who_gave_up(guests: Guests) -> None:
    """By name, for everyone at the table."""
    view = recorded("imperial-rewards-boar-4")["over"]["view"]
    chairs = [{**chair, "conceded": chair["chair"] == 2} for chair in view["chairs"]]
    page = guests.comes()
    sit_at(page, {**view, "chairs": chairs, "ending": {**view["ending"], "manner": "conceded"}})
    expect(page.locator(".end header")).to_contain_text("because Camilo gave up")
