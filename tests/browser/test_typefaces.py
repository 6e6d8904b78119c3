"""The typefaces of the pages."""

from typing import Any

import pytest
from playwright.sync_api import Page

from .recorded_tables import mock_json
from .screens import SCREENS
from .visitors import Visitors

_BOXES = """() => {
  const texts = [...document.querySelectorAll("main :is(h1, h2, p, button, a, dt, dd, td, th)")];
  return texts.filter((one) => one.checkVisibility()).map((one) => {
    const { top, height } = one.getBoundingClientRect();
    return { text: one.textContent.trim().slice(0, 40), top, height };
  });
}"""
_LOADED = "[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)"
MOST_SHIFT = 2
"""Pixels by which an element may move."""


def _boxes(page: Page, screen: str) -> list[dict[str, Any]]:
    SCREENS[screen](page)
    page.evaluate("document.fonts.ready")
    boxes: list[dict[str, Any]] = page.evaluate(_BOXES)
    return boxes


@pytest.mark.parametrize("screen", ["start", "table"])
def test_nothing_moves_when_the_typefaces_arrive(visitors: Visitors, screen: str) -> None:
    """The local fonts that are shown first have the same proportions."""
    visitors.ignore_errors("ERR_FAILED")
    early, late = visitors.new_page(), visitors.new_page()
    early.route("**/*.woff2", lambda route: route.abort())
    for page in (early, late):  # open tables of other tests may end between the two
        mock_json(page, "**/api/tables*", {"tables": [], "more": False})
    before, after = _boxes(early, screen), _boxes(late, screen)
    if not {"Alegreya Fallback", "Source Sans Fallback"} <= set(early.evaluate(_LOADED)):
        pytest.skip("no local font has known proportions; on Debian and Ubuntu: apt install fonts-liberation")
    assert {"Alegreya", "Source Sans"} <= set(late.evaluate(_LOADED))
    assert not {"Alegreya", "Source Sans"} & set(early.evaluate(_LOADED))
    shifts = [
        (old["text"], old["top"], new["top"])
        for old, new in zip(before, after, strict=True)
        if abs(old["top"] - new["top"]) + abs(old["height"] - new["height"]) > MOST_SHIFT
    ]
    assert shifts == []


_WIDTHS = """(tag) => {
  const element = document.querySelector("main").appendChild(document.createElement(tag));
  element.textContent = "Not ready yet, at level three";
  element.style.cssText = "position: absolute; padding: 0; border: 0; white-space: nowrap; word-spacing: 0";
  return ["--sans", "--serif"].flatMap((family) =>
    [15, 150].map((size) => {
      element.style.font = `600 ${size}px var(${family})`;
      return element.getBoundingClientRect().width / size;
    }),
  );
}"""


@pytest.mark.parametrize("tag", ["p", "button"])
def test_letters_keep_their_widths_at_small_sizes(visitors: Visitors, tag: str) -> None:
    """Widths are not rounded to whole pixels, which would make letters wider and spaces narrower."""
    page = visitors.new_page()
    SCREENS["start"](page)
    page.evaluate("document.fonts.ready")
    small_sans, large_sans, small_serif, large_serif = page.evaluate(_WIDTHS, tag)
    assert small_sans == pytest.approx(large_sans, rel=0.005)
    assert small_serif == pytest.approx(large_serif, rel=0.005)
