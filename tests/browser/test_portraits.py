"""Portraits of the computer players."""

from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from . import recorded_tables as records
from .layout_checks import faults
from .recorded_tables import Json, game_at, open_table, recorded
from .visitors import Size, Visitors

GAME = "imperial-rewards-boar-4"
CHARACTERS = {"Henriette": "level:3", "Wilhelmine": "level:5", "Anselm": "level:4", "Friedrich": "level:6"}
"""The players of a recorded game, by name."""
_CUT_OFF_NAMES = """() => [...document.querySelectorAll(".seat .name")]
  .filter((name) => name.scrollWidth > name.clientWidth)
  .map((name) => name.textContent)"""
_PORTRAITS_ADD_HEIGHT = """() => {
  const height = () => document.documentElement.scrollHeight;
  const before = height();
  for (const portrait of document.querySelectorAll(".portrait")) portrait.remove();
  return before - height();
}"""


def _open(page: Page, view: Json, events: list[Json]) -> None:
    chairs = [
        {**chair, "sitter": "computer", "player": player}
        for chair, player in zip(view["chairs"], CHARACTERS.values(), strict=True)
    ]
    with patch.object(records, "NAMES", tuple(CHARACTERS)):
        open_table(page, {**view, "chairs": chairs}, events)
        page.locator(".portrait svg").first.wait_for(state="attached")


def test_choosing_an_opponent(visitors: Visitors) -> None:
    """A character has a portrait, a reference player has none."""
    page = visitors.new_page()
    page.goto("/#new")
    portrait = page.locator(".chair .portrait svg")
    for player, count in (("level:5", 1), ("greedy", 0), ("level:1", 1)):
        page.locator(".chair select").select_option(player)
        expect(portrait).to_have_count(count)


@pytest.mark.parametrize("size", [(320, 568), (844, 390), (820, 1180), (1024, 768), (1440, 900)])
def test_table_and_result(visitors: Visitors, size: Size) -> None:
    """Portraits show at the table and in the result, where they cut off no text and need no height."""
    page = visitors.new_page(size)
    _open(page, *game_at(GAME, 1))
    expect(page.locator(".seat .portrait svg")).to_have_count(3)
    assert faults(page) == []
    assert page.evaluate(_CUT_OFF_NAMES) == []
    assert page.evaluate(_PORTRAITS_ADD_HEIGHT) == 0
    _open(page, recorded(GAME)["over"]["view"], [])
    expect(page.locator("figcaption .portrait svg")).to_have_count(4)
    assert faults(page) == []
    assert page.evaluate(_PORTRAITS_ADD_HEIGHT) == 0
