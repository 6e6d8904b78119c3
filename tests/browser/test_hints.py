"""A hint is drawn on the table, where it speaks of something; who watches chooses whose garden is large."""

from playwright.sync_api import Page, expect

from .guests import Guests
from .recorded import FULLEST, Json, answer_hints, game_at, hint_of, show, sit_at

SECRET = "A" * 43
SENTENCE = "The noble of this column comes to a3."


def _drawn(page: Page) -> Json:
    """What wears the colour of advice, by its name."""
    cells = page.locator("[role=gridcell]").filter(visible=True).all()
    names = {cell.get_attribute("data-square"): cell.get_attribute("aria-label") or "" for cell in cells}
    return {
        "card": [card.get_attribute("data-card") for card in page.locator(".card.advised").all()],
        "space": [space.get_attribute("data-space") for space in page.locator(".space.advised").all()],
        "squares": sorted(square for square, name in names.items() if square and "hint" in name),
    }


def test_a_hint_is_drawn_on_the_table(guests: Guests) -> None:
    """Card, space, the tile's square with its points, where boar and noble go, and the number of a reason."""
    page = guests.comes()
    answer_hints(page, hint_of((SENTENCE, "a3")))
    sit_at(page, FULLEST)
    page.locator(".turn").wait_for()
    page.keyboard.press("h")
    hint = page.locator(".hint")
    expect(hint).to_contain_text("Expected final score: 86")
    expect(hint).to_contain_text("Chance of winning: 9%")
    expect(page.get_by_role("status")).to_contain_text(SENTENCE)
    drawn = _drawn(page)
    assert drawn["card"] == ["24"] and drawn["space"] == ["4"]
    assert {"a3", "e4", "f4"} <= set(drawn["squares"])
    expect(page.locator(".advice.tile, .advice.boar, .advice.stop")).to_have_count(3)
    expect(page.locator(".advice .reasons[data-numbers='1']")).to_have_count(1)
    page.get_by_role("radio").last.check(force=True)
    expect(page.locator(".space.advised")).to_have_attribute("data-space", "5")
    expect(page.locator(".advice.boar")).to_have_count(0)
    hint.get_by_role("button", name="Close").click()
    assert _drawn(page) == {"card": [], "space": [], "squares": []}


def test_who_watches_chooses_a_garden(guests: Guests) -> None:
    """By the keys below the garden, or by a click on a small one; nobody's hand is shown either way."""
    page = guests.comes()
    view, events = game_at("imperial-rewards-boar-4", 1)
    nobody: Json = {"chair": None, "seat": None, "owner": False, "may": []}
    game = {**view["game"], "hand": [], "missions": [None] * 4}
    show(page, {**view, "you": nobody, "options": None, "game": game}, events)
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
