"""Keyboard focus: arrow keys move it within groups, and it is never lost."""

import pytest
from playwright.sync_api import Locator, Page, expect

from .layout_checks import resize
from .page_player import PagePlayer
from .recorded_tables import game_at, mock_hint, open_table, recorded, send_update
from .visitors import PHONE, Visitors


def _open_game(page: Page, place: int = 1) -> PagePlayer:
    open_table(page, *game_at("ravensburger-2", place))
    page.locator(".turn").wait_for()
    return PagePlayer(page)


def _space(page: Page, space: int) -> Locator:
    return page.locator(f"[data-space='{space}']")


def test_focus_moves_to_the_title_after_picking(visitors: Visitors) -> None:
    """After the last pick, the title of the table has the focus."""
    page = visitors.new_page()
    page.goto("/#new")
    page.locator("main form button.main").press("Enter")
    picking = page.locator("[data-phase] button.main")
    picking.press("Enter")
    page.locator(".table").wait_for()
    expect(page.locator(".table h1")).to_be_focused()


def test_focus_stays_in_the_turn_bar(visitors: Visitors) -> None:
    """Focus stays in the turn bar when Undo gets disabled, and when Confirm disappears."""
    player = PagePlayer(visitors.new_page())
    page = player.page
    player.begin()
    player.wait_for_turn()
    player.cards.first.click()
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator(".turn")).to_be_focused()
    player.stage()
    before = player.log_length()
    page.locator(".turn button.main").press("Enter")
    player.wait_until_played(before)
    player.wait_for_turn()
    assert page.evaluate("document.activeElement.closest('.staging') !== null")


def test_focus_moves_to_the_title_at_the_end(visitors: Visitors) -> None:
    """At the end of the game, the title with the winner has the focus."""
    page = visitors.new_page()
    last, over = recorded("solo")[5:]
    sockets = open_table(page, last["view"], last["events"])
    page.locator("[data-card]").first.focus()
    send_update(sockets, over["view"], over["events"])
    expect(page.locator(".end h1")).to_be_focused()


@pytest.mark.parametrize("way", ["close", "stage"])
def test_a_hint_returns_the_focus(visitors: Visitors, way: str) -> None:
    """Closing a hint focuses the button that opened it; staging it focuses Confirm."""
    page = visitors.new_page()
    mock_hint(page, _hint())
    _open_game(page, 0)
    hint_button = page.get_by_role("button", name="Hint")
    hint_button.press("Enter")
    hint = page.locator(".hint")
    hint.get_by_role("button", name="Close" if way == "close" else "Set up").press("Enter")
    expect(hint).to_have_count(0)
    expect(hint_button if way == "close" else page.get_by_role("button", name="Confirm")).to_be_focused()


def _hint() -> dict[str, object]:
    options = game_at("ravensburger-2", 0)[0]["options"]
    card, spaces = next(iter(options["cards"].items()))
    turn = f"{card}@{spaces[0]}-{options['spaces'][str(spaces[0])][0]}"
    expected = {"turn": turn, "score": 80.4, "share": 0.5, "level": True}
    return {"turn": turn, "expected": expected, "others": [], "reasons": []}


def test_the_live_region_moves_into_dialogs(visitors: Visitors) -> None:
    """A modal dialog hides everything else from screen readers, so the live region moves into it and back."""
    page = visitors.new_page()
    first, both = recorded("solo")[1:3]
    sockets = open_table(page, first["view"], first["events"])
    page.locator(".turn").wait_for()
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    send_update(sockets, both["view"], both["events"])
    expect(page.locator("dialog[open] [role=status]")).to_contain_text("Berta plays")
    page.keyboard.press("Escape")
    page.locator("[data-card]").first.click()
    expect(page.locator("[role=status]")).to_contain_text("tile")
    expect(page.locator("[role=status]")).to_have_count(1)


def test_key_d_focuses_the_first_available_tile(visitors: Visitors) -> None:
    """Tab reaches only one space of the display."""
    page = visitors.new_page()
    spaces_by_card = game_at("ravensburger-2", 1)[0]["options"]["cards"]
    card, spaces = next((card, spaces) for card, spaces in spaces_by_card.items() if 0 not in spaces)
    _open_game(page)
    page.locator(f"[data-card='{card}']").click()
    page.keyboard.press("d")
    expect(_space(page, min(spaces))).to_be_focused()
    expect(page.locator("[data-space][tabindex='0']")).to_have_count(1)


def test_arrows_move_in_display_and_hand(visitors: Visitors) -> None:
    """Arrow keys follow the layout, which differs between desktop and phone."""
    page = visitors.new_page()
    _open_game(page)
    _space(page, 2).focus()
    for key, expected in (("Right", 3), ("Right", 3), ("Down", 5), ("Left", 4), ("Up", 2), ("Left", 2)):
        page.keyboard.press(f"Arrow{key}")
        expect(_space(page, expected)).to_be_focused()
    page.keyboard.press("End")
    expect(_space(page, 9)).to_be_focused()
    resize(page, PHONE)
    for key, expected in (("Left", 7), ("Up", 6), ("Up", 6), ("Right", 8), ("Down", 9)):
        page.keyboard.press(f"Arrow{key}")
        expect(_space(page, expected)).to_be_focused()
    cards = page.locator("[data-card]")
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(cards.first).to_be_focused()


def test_key_g_focuses_the_first_available_square(visitors: Visitors) -> None:
    """Arrow keys go on from there."""
    page = visitors.new_page()
    player = _open_game(page)
    player.cards.last.click()
    player.spaces.first.click()
    page.keyboard.press("g")
    first = page.locator("[data-target]").first
    expect(first).to_be_focused()
    expect(page.locator("[role=gridcell][tabindex='0']")).to_have_count(1)
    square = first.get_attribute("data-square") or ""
    page.keyboard.press("ArrowDown")
    below = page.locator(f"[role=gridcell][data-square='{square[0]}{int(square[1]) + 1}']")
    expect(below).to_be_focused()


def test_key_g_focuses_a_square_before_a_tile_is_chosen(visitors: Visitors) -> None:
    """The first one, row by row, that a tile can go to; with a card, that one of its tiles can go to."""
    page = visitors.new_page()
    view, _ = game_at("ravensburger-2", 1)
    player = _open_game(page)
    spaces = view["options"]["spaces"]
    for card, taken in (
        (None, list(spaces)),
        ("25", [str(space) for space in view["options"]["cards"]["25"]]),
    ):
        if card is not None:
            page.locator(f"[data-card='{card}']").click()
        squares = {tile[:2] for space in taken for tile in spaces[space]}
        first = min(squares, key=lambda square: (square[1], square[0]))
        page.keyboard.press("g")
        expect(page.locator(f"[role=gridcell][data-square={first}]")).to_be_focused()
        assert player.need() != "noble"


def test_the_menu_lists_the_keys(visitors: Visitors) -> None:
    """The button of the menu has the focus again when the list is closed.

    Letters typed in the list of languages are not keys of the game.
    """
    page = visitors.new_page()
    _open_game(page)
    menu = page.locator(".menu summary")
    menu.press("Enter")
    page.get_by_role("button", name="Keys").press("Enter")
    page.locator("dialog[open] kbd").first.wait_for()
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    language = page.get_by_role("combobox", name="Language")
    language.focus()
    page.keyboard.press("g")
    expect(language).to_be_focused()


def test_escape_closes_a_hint_before_it_undoes_a_step(visitors: Visitors) -> None:
    """A message is closed before that."""
    page = visitors.new_page()
    mock_hint(page, _hint())
    player = _open_game(page, 0)
    player.cards.first.click()
    page.keyboard.press("h")
    page.locator(".hint").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator(".hint")).to_have_count(0)
    expect(page.locator(".card.chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".card.chosen")).to_have_count(0)


def test_there_are_no_empty_panels_after_the_own_turn(visitors: Visitors) -> None:
    """While nobody else has played, no heading announces their turns."""
    page = visitors.new_page()
    view, _ = game_at("ravensburger-2", 1)
    other = 1 - view["you"]["seat"]
    game = {**view["game"], "to_move": other}
    open_table(page, {**view, "game": game, "options": None, "waiting": [other]})
    expect(page.locator(".staging")).to_contain_text("Ada to move")
    expect(page.locator(".staging h2")).to_have_count(0)
    expect(page.locator(".recent")).to_have_count(0)
