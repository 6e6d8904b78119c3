"""A hint is drawn on the table, and a spectator chooses the large garden."""

import re
from copy import deepcopy

import pytest
from playwright.sync_api import Page, expect

from .layout_checks import NEXT_FRAMES, faults, resize, set_language
from .recorded_tables import FULLEST, Json, game_at, hint_of, mock_hint, open_table, serve_table
from .visitors import DESK, PHONE, Size, Visitors

SECRET = "A" * 43
SENTENCE = "The noble of this column comes to a3."


def _highlighted(page: Page) -> Json:
    """The cards, spaces and squares that a hint highlights."""
    cells = page.locator("[role=gridcell]").filter(visible=True).all()
    names = {cell.get_attribute("data-square"): cell.get_attribute("aria-label") or "" for cell in cells}
    return {
        "card": [card.get_attribute("data-card") for card in page.locator(".card.hinted").all()],
        "space": [space.get_attribute("data-space") for space in page.locator(".space.hinted").all()],
        "squares": sorted(square for square, name in names.items() if square and "hint" in name),
    }


def test_a_hint_is_drawn_on_the_table(visitors: Visitors) -> None:
    """A hint marks card, space, square, boar, noble, and the number of a reason."""
    page = visitors.new_page()
    mock_hint(page, hint_of((SENTENCE, "a3")))
    open_table(page, FULLEST)
    page.locator(".turn").wait_for()
    page.keyboard.press("h")
    hint = page.locator(".hint")
    expect(hint.locator(".portrait svg")).to_have_count(1)
    expect(hint.locator(".expected-result")).to_have_text(
        ["Chance of winning: 9%Expected lead: −7.3 points", re.compile("9%Expected lead: −7.5 points")]
    )
    expect(page.get_by_role("status")).to_contain_text(SENTENCE)
    highlighted = _highlighted(page)
    assert highlighted["card"] == ["24"] and highlighted["space"] == ["4"]
    assert {"a3", "e4", "f4"} <= set(highlighted["squares"])
    expect(page.locator(".hinted.tile, .hinted.boar, .hinted.stop")).to_have_count(3)
    expect(page.locator(".hinted .reasons[data-numbers='1']")).to_have_count(1)
    page.get_by_role("radio").last.check(force=True)
    expect(page.locator(".space.hinted")).to_have_attribute("data-space", "5")
    expect(page.locator(".hinted.boar")).to_have_count(0)
    hint.get_by_role("button", name="Close").click()
    assert _highlighted(page) == {"card": [], "space": [], "squares": []}


_IN_FRONT = """(mark) => {
  for (const one of document.querySelectorAll(".markers, .markers *")) one.style.pointerEvents = "auto";
  const { left, right, top, bottom } = mark.getBoundingClientRect();
  const places = [0.25, 0.5, 0.75].flatMap((x) => [0.25, 0.5, 0.75].map((y) => [x, y]));
  return places.every(([x, y]) =>
    mark.contains(document.elementFromPoint(left + x * (right - left), top + y * (bottom - top))));
}"""
"""Whether nothing that is drawn on the garden covers a mark."""


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_staged_hint_covers_no_mark(visitors: Visitors, size: Size) -> None:
    """Frames and rings are behind the numbers of reasons, a walk is behind the nobles that it passes."""
    page = visitors.new_page(size)
    mock_hint(page, hint_of((SENTENCE, "a3"), (SENTENCE, "e4"), (SENTENCE, "f4")))
    open_table(page, FULLEST)
    page.locator(".turn").wait_for()
    page.keyboard.press("h")
    expect(page.locator(".hinted i")).not_to_have_count(0)
    page.get_by_role("button", name="Set up this turn").click()
    page.keyboard.press("h")
    reasons = page.locator(".hinted .reasons")
    expect(reasons).to_have_count(3)
    expect(page.locator("svg.walk")).to_have_count(1)
    expect(page.locator(".hinted i")).to_have_count(0)  # the walk shows the way
    noble = page.locator("[data-markers=b3] > .noble")
    page.evaluate(NEXT_FRAMES)
    for mark in (*reasons.all(), noble):
        assert mark.evaluate(_IN_FRONT)


def test_the_flag_of_a_hint_hides_no_noble(visitors: Visitors) -> None:
    """On a phone, flags extend beyond their square, here to that of a noble above."""
    page = visitors.new_page((360, 740))
    given = hint_of((SENTENCE, "a3"))
    turn = "24@0-b4g"
    mock_hint(page, {**given, "turn": turn, "expected": {**given["expected"], "turn": turn}})
    open_table(page, FULLEST)
    page.locator(".turn").wait_for()
    assert "b3" in FULLEST["game"]["gardens"][FULLEST["you"]["seat"]]["nobles"]
    page.keyboard.press("h")
    page.locator(".hinted.tile [data-sign]").wait_for()
    assert [fault for fault in faults(page) if "badges" in fault] == []


def test_the_flag_of_a_hint_leaves_room_for_the_words_on_a_card(visitors: Visitors) -> None:
    """R16: on narrow cards that have become a free choice."""
    page = visitors.new_page((1024, 768), "de")
    given, (view, events) = hint_of((SENTENCE, "a3")), deepcopy(game_at("imperial-rewards-boar-4", 1))
    view["game"]["display"] = ["a" if motif == "b" else motif for motif in view["game"]["display"]]
    turn = "b@6-b2g"
    mock_hint(page, {**given, "turn": turn, "expected": {**given["expected"], "turn": turn}, "others": []})
    open_table(page, view, events)
    page.locator(".card .ribbon").wait_for()
    page.keyboard.press("h")
    page.locator(".card.hinted").wait_for()
    for language in ("de", "fr"):
        set_language(page, language)
        for window in ((1024, 768), (320, 568), (844, 390)):
            resize(page, window)
            assert [fault for fault in faults(page) if "ribbon" in fault or "in-" in fault] == [], window


def test_a_spectator_chooses_the_large_garden(visitors: Visitors) -> None:
    """A garden is chosen by the buttons below it or by clicking a small one. No hand is shown."""
    page = visitors.new_page()
    view, events = game_at("imperial-rewards-boar-4", 1)
    spectator: Json = {"chair": None, "seat": None, "owner": False, "may": []}
    game = {**view["game"], "hand": [], "missions": [None] * 4}
    serve_table(page, {**view, "you": spectator, "options": None, "game": game}, events)
    page.goto(f"/watch/{'0' * 16}#{SECRET}")
    large = page.locator(".garden[data-garden]")
    expect(large).to_have_attribute("data-garden", "0")
    page.get_by_role("radio", name="Camilo").focus()
    page.keyboard.press("Space")
    expect(large).to_have_attribute("data-garden", "2")
    expect(page.get_by_role("grid", name="Camilo")).to_be_visible()
    assert [seat.get_attribute("data-seat") for seat in page.locator("button.seat").all()] == ["3", "0", "1"]
    page.locator("button.seat").last.click()
    expect(large).to_have_attribute("data-garden", "1")
    assert page.locator("[data-card]").count() == 0
