"""The focus: arrows move it where things belong together, and it never falls on the page as a whole."""

import pytest
from playwright.sync_api import Locator, Page, expect

from .guests import PHONE, Guests
from .hands import Hand
from .recorded import answer_hints, game_at, go_on, recorded, sit_at


def _at(page: Page, place: int = 1) -> Hand:
    sit_at(page, *game_at("ravensburger-2", place))
    page.locator(".turn").wait_for()
    return Hand(page)


def _space(page: Page, space: int) -> Locator:
    return page.locator(f"[data-space='{space}']")


def test_who_has_picked_reads_on_from_the_title(guests: Guests) -> None:
    """The button is gone, the table comes a little later: its title has the focus then."""
    page = guests.comes()
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.press("Enter")
    picking = page.locator("[data-phase] button.main")
    picking.press("Enter")
    page.locator(".table").wait_for()
    expect(page.locator(".table h1")).to_be_focused()


def test_who_has_confirmed_stays_in_the_turn_bar(guests: Guests) -> None:
    """Undo that has nothing to undo any more, and Confirm that is gone, leave the focus in the bar."""
    hand = Hand(guests.comes())
    page = hand.page
    hand.begin()
    hand.wait_for_turn()
    hand.cards.first.click()
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator(".turn")).to_be_focused()
    hand.stage()
    before = hand.told()
    page.locator(".turn button.main").press("Enter")
    hand.see_played(before)
    hand.wait_for_turn()
    assert page.evaluate("document.activeElement.closest('.staging') !== null")


def test_the_end_is_read_from_its_title(guests: Guests) -> None:
    """When the last turn was played, the focus is on who has won."""
    page = guests.comes()
    last, over = recorded("solo")[5:]
    lines = sit_at(page, last["view"], last["events"])
    page.locator("[data-card]").first.focus()
    go_on(lines, over["view"], over["events"])
    expect(page.locator(".end h1")).to_be_focused()


@pytest.mark.parametrize("way", ["close", "stage"])
def test_a_hint_gives_the_focus_back(guests: Guests, way: str) -> None:
    """Closed, to the button that asked for it; put on the table, to Confirm."""
    page = guests.comes()
    answer_hints(page, _hint())
    _at(page, 0)
    ask = page.get_by_role("button", name="Hint")
    ask.press("Enter")
    hint = page.locator(".hint")
    hint.get_by_role("button", name="Close" if way == "close" else "Set up").press("Enter")
    expect(hint).to_have_count(0)
    expect(ask if way == "close" else page.get_by_role("button", name="Confirm")).to_be_focused()


def _hint() -> dict[str, object]:
    options = game_at("ravensburger-2", 0)[0]["options"]
    card, spaces = next(iter(options["cards"].items()))
    turn = f"{card}@{spaces[0]}-{options['spaces'][str(spaces[0])][0]}"
    expected = {"turn": turn, "score": 80.4, "share": 0.5, "level": True}
    return {"turn": turn, "expected": expected, "others": [], "reasons": []}


def test_what_happens_is_heard_in_a_dialog_too(guests: Guests) -> None:
    """A modal dialog silences all that is not in it, so the one live region goes there, and comes back."""
    page = guests.comes()
    first, both = recorded("solo")[1:3]
    lines = sit_at(page, first["view"], first["events"])
    page.locator(".turn").wait_for()
    page.keyboard.press("?")
    go_on(lines, both["view"], both["events"])
    expect(page.locator("dialog[open] [role=status]")).to_contain_text("Berta plays")
    page.keyboard.press("Escape")
    page.locator("[data-card]").first.click()
    expect(page.locator("[role=status]")).to_contain_text("tile")
    expect(page.locator("[role=status]")).to_have_count(1)


def test_d_leads_to_the_first_tile_that_can_be_taken(guests: Guests) -> None:
    """And Tab leads to one space of the display only."""
    page = guests.comes()
    takes = game_at("ravensburger-2", 1)[0]["options"]["cards"]
    card, spaces = next((card, spaces) for card, spaces in takes.items() if 0 not in spaces)
    _at(page)
    page.locator(f"[data-card='{card}']").click()
    page.keyboard.press("d")
    expect(_space(page, min(spaces))).to_be_focused()
    expect(page.locator("[data-space][tabindex='0']")).to_have_count(1)


def test_arrows_move_in_display_and_hand(guests: Guests) -> None:
    """As the spaces lie: pairs below each other on a desk, beside each other on a phone."""
    page = guests.comes()
    _at(page)
    _space(page, 2).focus()
    for key, wanted in (("Right", 3), ("Right", 3), ("Down", 5), ("Left", 4), ("Up", 2), ("Left", 2)):
        page.keyboard.press(f"Arrow{key}")
        expect(_space(page, wanted)).to_be_focused()
    page.keyboard.press("End")
    expect(_space(page, 9)).to_be_focused()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    for key, wanted in (("Left", 7), ("Up", 6), ("Up", 6), ("Right", 8), ("Down", 9)):
        page.keyboard.press(f"Arrow{key}")
        expect(_space(page, wanted)).to_be_focused()
    cards = page.locator("[data-card]")
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(cards.first).to_be_focused()
