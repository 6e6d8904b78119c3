"""Stand-ins: the replaced player sees it on every screen."""

import re

from playwright.sync_api import expect

from .layout_checks import faults
from .page_player import PagePlayer
from .recorded_tables import NAMES, game_at, open_table
from .visitors import PHONE, Visitors, last_game

STAND_IN_TEXT = "A computer is playing for you"


def test_a_stand_in_is_announced_to_its_player(visitors: Visitors) -> None:
    """Page, title and list of games show the stand-in. The seat is taken back by keyboard."""
    page = visitors.new_page(preferences=last_game("person", "level:1"))
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Let a computer play for me").click()
    bar = page.locator(".replaced")
    for _ in ("at once", "after a reload"):
        expect(bar).to_contain_text(STAND_IN_TEXT)
        expect(page).to_have_title(re.compile(STAND_IN_TEXT))
        expect(page.get_by_role("status").filter(has_text=STAND_IN_TEXT)).to_have_count(1)
        expect(page.locator(".turn")).to_have_count(0)
        page.reload()
    expect(page.locator(".log li").last).to_contain_text("a computer is playing")
    page.goto("/")
    line = page.locator(".own a").first
    expect(line).to_contain_text(STAND_IN_TEXT)
    expect(line).not_to_contain_text("Your turn")
    names = line.locator(".players").bounding_box()
    assert names is not None and names["width"] > 100, "the names are too narrow"
    line.click()
    bar.get_by_role("button", name="Take my seat back").focus()
    page.keyboard.press("Enter")
    player.wait_for_turn()
    expect(bar).to_have_count(0)
    expect(page).to_have_title("▶ Your turn – Sanssouci")


def test_a_timed_out_player_waits_for_the_stand_in(visitors: Visitors) -> None:
    """Until the stand-in has played, a text replaces the button. The log names the player who timed out."""
    view, events = game_at("imperial-rewards-boar-4", 1)
    own = view["you"]["chair"]
    chairs = [{**chair, "sitter": "person", "player": None} for chair in view["chairs"]]
    chairs[own] = {**chairs[own], "away": True}
    you = {**view["you"], "may": ["concede"]}
    out = {**events[-1], "seq": view["seq"], "type": "time_out", "chair": None, "house": True, "target": own}
    page = visitors.new_page(PHONE)
    open_table(page, {**view, "chairs": chairs, "you": you, "waiting": [own]}, [*events[:-1], out])
    expect(page.locator(".replaced")).to_contain_text("after that you can take your seat back")
    expect(page.locator(".replaced button")).to_have_count(0)
    expect(page.locator(".log li").last).to_contain_text(f"{NAMES[own]} ran out of time")
    assert faults(page) == []
