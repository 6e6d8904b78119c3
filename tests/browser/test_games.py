"""Complete games in the browser, from the first click to the scores."""

import re

from playwright.sync_api import Locator, Page, expect

from .layout_checks import faults
from .page_player import PagePlayer, TouchPlayer
from .socket_traffic import Json, SocketTraffic
from .visitors import DESK, PHONE, Visitors


def test_a_game_by_mouse(visitors: Visitors) -> None:
    """A game against the computer takes one click to start, and its scores equal those of the record."""
    page = visitors.new_page()
    player = PagePlayer(page)
    player.begin()
    player.play_on()
    assert player.played == 18
    table = page.url.rsplit("/", 1)[1]
    record = page.request.get(f"/api/tables/{table}/record").json()
    assert player.totals() == record["result"]["scores"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    assert download.value.suggested_filename == f"sanssouci-{table}.json"


def test_a_game_by_keyboard(visitors: Visitors) -> None:
    """A game is played by keyboard only: digits, D, G, N, C and arrow keys."""
    page = visitors.new_page()
    page.goto("/#new")
    button = page.locator("main form button.main")
    button.wait_for()
    _tab_to(page, button)
    page.keyboard.press("Enter")
    player = PagePlayer(page)
    side = page.locator("[data-phase] button.main")
    side.wait_for()
    _tab_to(page, side)
    page.keyboard.press("Enter")
    while player.wait_for_turn():
        _play_by_keys(player)
    assert player.played == 18
    expect(page.locator("h1")).to_be_visible()


def _tab_to(page: Page, goal: Locator) -> None:
    for _ in range(60):
        if goal.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the element cannot be reached by Tab")


def _play_by_keys(player: PagePlayer) -> None:
    page = player.page
    page.keyboard.press("1")
    page.keyboard.press("d")
    page.keyboard.press("Enter")
    while (need := player.need()) is not None:
        if need == "noble":
            page.keyboard.press("n")
        else:
            _walk_to(page, page.locator("[data-target]").first.get_attribute("data-square") or "")
            page.keyboard.press("Enter")
    before = player.log_length()
    page.keyboard.press("c")
    player.wait_until_played(before)


def _walk_to(page: Page, square: str) -> None:
    """Move to a square of the garden with the arrow keys."""
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


def test_a_game_by_roles_and_names(visitors: Visitors) -> None:
    """A game is played by roles and names only, and the computer's turns are announced."""
    page = visitors.new_page()
    page.goto("/#new")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="Take side").click()
    played = 0
    while True:
        confirm = page.get_by_role("button", name="Confirm")
        over = page.get_by_role("heading", name=re.compile(r"\bwins?\b"))
        confirm.or_(over).first.wait_for(timeout=60_000)
        if over.count():
            break
        _stage_by_names(page)
        expect(confirm).to_be_enabled()
        confirm.click()
        played += 1
        announced = page.get_by_role("status").filter(has_text="Henriette plays")
        announced.or_(over).first.wait_for(timeout=60_000)
    assert played == 18


def _stage_by_names(page: Page) -> None:
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


def test_a_game_in_notation(visitors: Visitors) -> None:
    """A game is played by typing every turn in notation."""
    page = visitors.new_page()
    traffic, player = SocketTraffic(page), PagePlayer(page)
    player.begin()
    while player.wait_for_turn():
        page.keyboard.press("t")
        page.keyboard.type(_legal_turn(traffic.views[-1]["options"]))
        page.keyboard.press("Enter")
        assert player.need() is None
        before = player.log_length()
        page.locator("h1").focus()
        page.keyboard.press("c")
        player.wait_until_played(before)
    assert player.played == 18


def _legal_turn(options: Json) -> str:
    """A legal turn, with a noble if possible."""
    card, spaces = next(iter(options["cards"].items()))
    square = options["spaces"][f"{spaces[0]}"][0]
    stop = next(iter(options["stops"].get(square, {})), None)
    return f"{card}@{spaces[0]}-{square}" + (f"/{stop}" if stop else "")


def test_a_game_by_touch(visitors: Visitors) -> None:
    """A game is played by taps on a phone, and the page fits its width."""
    page = visitors.new_page(PHONE)
    player = TouchPlayer(page)
    player.begin()
    while player.wait_for_turn():
        player.stage()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        player.confirm()
    assert player.played == 18 and len(player.totals()) == 2


def test_turns_at_200_percent_zoom(visitors: Visitors) -> None:
    """At 200 % zoom, no text is cut off, and turns can be played."""
    page = visitors.new_page((DESK[0] // 2, DESK[1] // 2))
    player = PagePlayer(page)
    player.begin()
    for _ in range(3):
        player.wait_for_turn()
        player.stage()
        assert faults(page) == []
        player.confirm()
