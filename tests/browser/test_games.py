"""Whole games in the browser, from the first click to the scores."""

import re

from playwright.sync_api import Locator, Page, expect

from .guests import DESK, PHONE, Guests
from .hands import Finger, Hand
from .looks import faults
from .post import Json, Post


def test_a_game_by_mouse(guests: Guests) -> None:
    """One click to a game against the computer, eighteen turns, and the scores that the record has too."""
    page = guests.comes()
    hand = Hand(page)
    hand.begin()
    hand.play_on()
    assert hand.played == 18
    table = page.url.rsplit("/", 1)[1]
    record = page.request.get(f"/api/tables/{table}/record").json()
    assert hand.totals() == record["result"]["scores"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    assert download.value.suggested_filename == f"sanssouci-{table}.json"


def test_a_game_by_keyboard(guests: Guests) -> None:
    """No mouse at all: digits choose cards, D and G lead to display and garden, arrows move, C confirms."""
    page = guests.comes()
    page.goto("/")
    button = page.get_by_role("main").get_by_role("button").first
    button.wait_for()
    _tab_to(page, button)
    page.keyboard.press("Enter")
    hand = Hand(page)
    page.wait_for_selector("main button.main")
    _tab_to(page, page.locator("main button.main").last)
    page.keyboard.press("Enter")
    while hand.wait_for_turn():
        _play_by_keys(hand)
    assert hand.played == 18
    expect(page.locator("h1")).to_be_visible()


def _tab_to(page: Page, goal: Locator) -> None:
    for _ in range(60):
        if goal.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("it cannot be reached by Tab")


def _play_by_keys(hand: Hand) -> None:
    page = hand.page
    page.keyboard.press("1")
    page.keyboard.press("d")
    page.keyboard.press("Enter")
    while (need := hand.need()) is not None:
        if need == "noble":
            page.keyboard.press("n")
        else:
            _walk_to(page, page.locator("[data-target]").first.get_attribute("data-square") or "")
            page.keyboard.press("Enter")
    before = hand.told()
    page.keyboard.press("c")
    hand.see_played(before)


def _walk_to(page: Page, square: str) -> None:
    """To a square of the garden with the arrow keys."""
    page.keyboard.press("g")
    for _ in range(20):
        at = page.evaluate(
            "document.activeElement?.dataset.square ?? (document.activeElement?.dataset.door + '0')"
        )
        if at == square:
            return
        sideways, down = ord(square[0]) - ord(at[0]), int(square[1]) - int(at[1])
        key = (
            ("ArrowRight" if sideways > 0 else "ArrowLeft")
            if sideways
            else ("ArrowDown" if down > 0 else "ArrowUp")
        )
        page.keyboard.press(key)
    raise AssertionError(f"{square} cannot be reached")


def test_a_game_from_the_accessibility_tree(guests: Guests) -> None:
    """Only roles and names, as a screen reader has them; what the computer did is said by itself."""
    page = guests.comes()
    page.goto("/")
    page.get_by_role("main").get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Take side").click()
    played = 0
    while True:
        confirm = page.get_by_role("button", name="Confirm")
        over = page.get_by_role("heading", name=re.compile(r"\bwins?\b"))
        confirm.or_(over).first.wait_for(timeout=60_000)
        if over.count():
            break
        _stage_by_ear(page)
        expect(confirm).to_be_enabled()
        confirm.click()
        played += 1
        spoken = page.get_by_role("status").filter(has_text="Henriette plays")
        spoken.or_(over).first.wait_for(timeout=60_000)
    assert played == 18


def _stage_by_ear(page: Page) -> None:
    page.get_by_role("region", name="Your hand").get_by_role("button").first.click()
    display = page.get_by_role("region", name="Display")
    display.get_by_role("button", disabled=False).first.click()
    garden = page.get_by_role("grid", name="Your garden")
    for name in ("a gardener can be laid here", "the noble can stop here"):
        offered = garden.get_by_role("gridcell", name=name)
        if offered.count():
            offered.last.click()
    leave = page.get_by_role("button", name="No noble")
    if leave.count():
        leave.click()


def test_a_game_that_is_typed(guests: Guests) -> None:
    """Every turn in the record's notation, by keyboard, as somebody plays who does not see the garden."""
    page = guests.comes()
    post, hand = Post(page), Hand(page)
    hand.begin()
    while hand.wait_for_turn():
        page.keyboard.press("t")
        page.keyboard.type(_some_turn(post.views[-1]["options"]))
        page.keyboard.press("Enter")
        assert hand.need() is None
        before = hand.told()
        page.locator("h1").focus()
        page.keyboard.press("c")
        hand.see_played(before)
    assert hand.played == 18


def _some_turn(options: Json) -> str:
    """A legal turn: a card, a tile, its square, and a noble if one can go there."""
    card, spaces = next(iter(options["cards"].items()))
    square = options["spaces"][f"{spaces[0]}"][0]
    stop = next(iter(options["stops"].get(square, {})), None)
    return f"{card}@{spaces[0]}-{square}" + (f"/{stop}" if stop else "")


def test_a_game_by_touch(guests: Guests) -> None:
    """On a phone, by taps only, to the scores; the whole of it fits its width."""
    page = guests.comes(PHONE)
    hand = Finger(page)
    hand.begin()
    while hand.wait_for_turn():
        hand.stage()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        hand.confirm()
    assert hand.played == 18 and len(hand.totals()) == 2


def test_turns_at_double_size(guests: Guests) -> None:
    """At 200 % zoom half as much fits on the screen; everything can still be reached, read and played."""
    page = guests.comes((DESK[0] // 2, DESK[1] // 2))
    hand = Hand(page)
    hand.begin()
    for _ in range(3):
        hand.wait_for_turn()
        hand.stage()
        assert faults(page) == []
        hand.confirm()
