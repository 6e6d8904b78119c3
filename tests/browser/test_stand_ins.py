"""A computer plays for somebody who is away: whom it replaces is told so, wherever they look."""

import re

from playwright.sync_api import expect

from .guests import PHONE, Guests, last_game
from .hands import Hand
from .looks import faults
from .recorded import NAMES, game_at, sit_at

PLAYS = "A computer is playing for you"


def test_who_is_replaced_is_told(guests: Guests) -> None:
    """On the page, in its title, after a reload, among one's games; by keyboard the seat is taken back."""
    page = guests.comes(preferences=last_game("person", "level:1"))
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Let a computer play for me").click()
    bar = page.locator(".replaced")
    for _ in ("at once", "after a reload"):
        expect(bar).to_contain_text(PLAYS)
        expect(page).to_have_title(re.compile(PLAYS))
        expect(page.get_by_role("status").filter(has_text=PLAYS)).to_have_count(1)
        expect(page.locator(".turn")).to_have_count(0)
        page.reload()
    expect(page.locator(".log li").last).to_contain_text("a computer plays")
    page.goto("/")
    line = page.locator(".own a").first
    expect(line).to_contain_text(PLAYS)
    expect(line).not_to_contain_text("Your turn")
    names = line.locator(".who").bounding_box()
    assert names is not None and names["width"] > 100, "the names are squeezed"
    line.click()
    bar.get_by_role("button", name="Take my seat back").focus()
    page.keyboard.press("Enter")
    hand.wait_for_turn()
    expect(bar).to_have_count(0)
    expect(page).to_have_title("▶ Your turn – Sanssouci")


def test_whose_time_ran_out_waits_for_the_stand_in(guests: Guests) -> None:
    """It plays first; until it has there is no button, but a word why. The log names whose time it was."""
    view, events = game_at("imperial-rewards-boar-4", 1)
    own = view["you"]["chair"]
    chairs = [{**chair, "sitter": "person", "player": None} for chair in view["chairs"]]
    chairs[own] = {**chairs[own], "away": True}
    you = {**view["you"], "may": ["concede"]}
    out = {**events[-1], "seq": view["seq"], "type": "time_out", "chair": None, "house": True, "target": own}
    page = guests.comes(PHONE)
    sit_at(page, {**view, "chairs": chairs, "you": you, "waiting": [own]}, [*events[:-1], out])
    expect(page.locator(".replaced")).to_contain_text("then the seat can be taken back")
    expect(page.locator(".replaced button")).to_have_count(0)
    expect(page.locator(".log li").last).to_contain_text(f"{NAMES[own]} ran out of time")
    assert faults(page) == []
