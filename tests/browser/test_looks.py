"""Every screen in every language, at every size, light and dark: nothing is cut off, axe finds nothing."""

import pytest

from .guests import DESK, PHONE, TABLET, Guests
from .looks import faults, scrolls, violations
from .screens import SCREENS, TABLES, fullest_turn

ZOOMED = (DESK[0] // 2, DESK[1] // 2)
"""What a desk has room for at 200 % zoom (WCAG 1.4.4, 1.4.10)."""
SIZES = {"desk": DESK, "tablet": TABLET, "phone": PHONE, "zoomed": ZOOMED}
PHONES = {"small phone": (360, 740), "phone on its side": (844, 390)}
"""What the table has layouts for besides."""
NOT_THERE = "status of (404|422)|ERR_FAILED"
"""What the console says of tables that do not exist, of what is refused, and of lines that are cut."""
PARTS = {"menu": ".menu"}
"""Where something lies over the rest, what it covers is too small to be hit."""
EACH_SCREEN = pytest.mark.parametrize("screen", SCREENS)


@EACH_SCREEN
def test_nothing_is_cut_off(guests: Guests, screen: str) -> None:
    """Every text is whole, in its panel and on its own place; the table on a desk needs no scrolling."""
    guests.forgive(NOT_THERE)
    found = []
    for language in ("de", "fr", "es", "en"):
        page = guests.comes(language=language)
        SCREENS[screen](page)
        for size, (width, height) in (SIZES | PHONES if screen in TABLES else SIZES).items():
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{language}, {size}: {fault}" for fault in faults(page)]
            if size == "desk" and screen in TABLES and scrolls(page):
                found.append(f"{language}: the table scrolls")
        page.context.close()
    assert found == []


@pytest.mark.parametrize("language", ["de", "fr", "es", "en"])
def test_all_that_is_said_of_a_turn_is_seen(guests: Guests, language: str) -> None:
    """At every step of the fullest turn: nothing scrolls in the bar, Confirm and the garden are in sight.

    Either the bar stands beside the garden, or it leaves it most of the height. Whatever is said begins with
    a capital.
    """
    page = guests.comes(language=language)
    found, steps = [], []
    for step in fullest_turn(page):
        steps.append(step)
        found += [said for said in page.locator(".worth > *").all_inner_texts() if said[0].islower()]
        for size, (width, height) in (SIZES | PHONES).items():
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{step}, {size}: {fault}" for fault in faults(page)]
            bar, confirm, garden = (
                page.locator(part).bounding_box() for part in (".staging", ".turn button.main", ".garden")
            )
            assert bar and confirm and garden
            covers = bar["height"] > 0.35 * height and bar["x"] < garden["x"] + garden["width"]
            if confirm["y"] + confirm["height"] > height or covers:
                found.append(f"{step}, {size}: the bar {bar}, Confirm {confirm}")
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    assert steps == ["space", "square", "noble", ""] and found == []


BETWEEN = (
    *((1024, 768), (1112, 834), (1093, 614), (960, 540), (911, 512), (1280, 640)),
    *((932, 430), (740, 360), (667, 375), (360, 740), (320, 568)),
)
"""Tablets on their side, laptops with larger type, low windows, phones on their side and small ones."""


def test_confirm_is_in_sight_in_every_window(guests: Guests) -> None:
    """At the fullest turn, in long words; what may scroll is what is said of it."""
    page = guests.comes(language="de")
    found = []
    for step in fullest_turn(page):
        for width, height in BETWEEN:
            page.set_viewport_size({"width": width, "height": height})
            confirm = page.locator(".turn button.main")
            seen = confirm.evaluate(
                """button => {
                  const { x, y, width, height } = button.getBoundingClientRect();
                  return document.elementFromPoint(x + width / 2, y + height - 3) === button;
                }"""
            )
            if not seen:
                found.append(f"{step}, {width}×{height}")
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    assert found == []


@EACH_SCREEN
def test_axe_finds_nothing(guests: Guests, screen: str) -> None:
    """WCAG 2.2 AA, light and dark, on a desk and on a phone."""
    guests.forgive(NOT_THERE)
    page = guests.comes()
    SCREENS[screen](page)
    part = PARTS.get(screen, "html")
    found = [f"light: {fault}" for fault in violations(page, part)]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {fault}" for fault in violations(page, part, about="colours")]
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    found += [f"phone: {fault}" for fault in violations(page, part, about="shapes")]
    assert found == []
