"""Every screen: no text is cut off or covered at any size in any language, and axe finds nothing.

A screen is loaded once and then changes size, language and theme, as a user would change them. German has the
longest words and is checked at every size, the other languages at three sizes. The exhaustive test loads
every combination anew: ``make test-all``.
"""

from typing import Literal

import pytest
from playwright.sync_api import Page

from .guests import DESK, PHONE, TABLET, Guests, Size
from .looks import faults, remove_art, resize, scrolls, set_language, violations
from .screens import SCREENS, TABLES, fullest_turn

LONGEST = "de"
LANGUAGES = (LONGEST, "fr", "es", "en")
ZOOMED = (DESK[0] // 2, DESK[1] // 2)
"""What a desk has room for at 200 % zoom (WCAG 1.4.4, 1.4.10)."""
SIZES = {"desk": DESK, "tablet": TABLET, "phone": PHONE, "zoomed": ZOOMED}
PHONES = {"small phone": (360, 740), "phone on its side": (844, 390)}
"""The table has layouts for these too."""
EXPECTED_ERRORS = "status of (404|422)|ERR_FAILED"
"""Console errors of missing tables, refused requests and cut connections."""
PARTS = {"menu": ".menu"}
"""Where something lies over the rest, what it covers is too small to be hit."""
SERVER_SENTENCES = {"refused", "hint", "record", "scores-refused", "review", "review-of-two"}
"""Screens with a sentence that the server, or an earlier click, wrote in the language of that moment."""
EACH_SCREEN = pytest.mark.parametrize("screen", SCREENS)
EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


def sizes_of(screen: str) -> dict[str, Size]:
    """The sizes at which a screen is checked, by name."""
    return SIZES | PHONES if screen in TABLES else SIZES


def quick_sizes_of(screen: str, language: str) -> dict[str, Size]:
    """Those of them that are checked in a language without loading the screen anew."""
    sizes = sizes_of(screen)
    return sizes if language == LONGEST else {size: sizes[size] for size in ("desk", "phone", "zoomed")}


def layout_faults(page: Page, screen: str, size: str) -> list[str]:
    """What is wrong with the layout of a page that has a size already."""
    found = faults(page)
    if size == "desk" and screen in TABLES and scrolls(page):
        found.append("the table scrolls")
    return [f"{size}: {fault}" for fault in found]


def _opened(guests: Guests, screen: str, language: str) -> Page:
    page = guests.comes(language=language)
    SCREENS[screen](page)
    remove_art(page)
    return page


@EACH_SCREEN
def test_a_screen_is_whole_and_accessible(guests: Guests, screen: str) -> None:
    """Every text is whole, in its panel and in its place; WCAG 2.2 AA holds, light and dark."""
    guests.forgive(EXPECTED_ERRORS)
    found = []
    page = _opened(guests, screen, LONGEST)
    for language in LANGUAGES:
        if screen not in SERVER_SENTENCES:
            set_language(page, language)
        elif language != LONGEST:
            page.context.close()
            page = _opened(guests, screen, language)
        for size, window in quick_sizes_of(screen, language).items():
            resize(page, window)
            found += [f"{language}, {fault}" for fault in layout_faults(page, screen, size)]

    part = PARTS.get(screen, "html")
    resize(page, DESK)
    found += [f"light desk: {fault}" for fault in violations(page, part)]
    resize(page, PHONE)
    page.emulate_media(color_scheme="dark")
    found += [f"dark phone: {fault}" for fault in violations(page, part, about="colours and sizes")]
    assert found == []


@pytest.mark.exhaustive
@EACH_SCREEN
@EACH_LANGUAGE
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_screen_is_whole_however_it_is_loaded(
    guests: Guests, screen: str, language: str, theme: Literal["light", "dark"]
) -> None:
    """The same for every combination, each loaded at its size, in its language and theme."""
    guests.forgive(EXPECTED_ERRORS)
    found = []
    for size, window in sizes_of(screen).items():
        page = guests.comes(size=window, language=language, scheme=theme)
        SCREENS[screen](page)
        found += layout_faults(page, screen, size)
        if size in ("desk", "phone"):
            found += [f"{size}: {fault}" for fault in violations(page, PARTS.get(screen, "html"))]
        page.context.close()
    assert found == []


@EACH_LANGUAGE
def test_all_that_is_said_of_a_turn_is_seen(guests: Guests, language: str) -> None:
    """At every step of the fullest turn: nothing scrolls in the bar, Confirm and the garden are in sight.

    Either the bar stands beside the garden, or it leaves it most of the height. Whatever is said begins with
    a capital.
    """
    page = guests.comes(language=language)
    found, steps = [], []
    for step in fullest_turn(page):
        steps.append(step)
        remove_art(page)
        found += [said for said in page.locator(".worth > *").all_inner_texts() if said[0].islower()]
        for size, (width, height) in (SIZES | PHONES).items():
            resize(page, (width, height))
            found += [f"{step}, {size}: {fault}" for fault in faults(page)]
            bar, confirm, garden = (
                page.locator(part).bounding_box() for part in (".staging", ".turn button.main", ".garden")
            )
            assert bar and confirm and garden
            covers = bar["height"] > 0.35 * height and bar["x"] < garden["x"] + garden["width"]
            if confirm["y"] + confirm["height"] > height or covers:
                found.append(f"{step}, {size}: the bar {bar}, Confirm {confirm}")
        resize(page, DESK)
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
        for window in BETWEEN:
            resize(page, window)
            confirm = page.locator(".turn button.main")
            seen = confirm.evaluate(
                """button => {
                  const { x, y, width, height } = button.getBoundingClientRect();
                  return document.elementFromPoint(x + width / 2, y + height - 3) === button;
                }"""
            )
            if not seen:
                found.append(f"{step}, {window}")
        resize(page, DESK)
    assert found == []
