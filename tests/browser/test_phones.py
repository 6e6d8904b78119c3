"""Upright phones: what sticks, floats or is put in front leaves the rest of the screen visible."""

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from .layout_checks import NEXT_FRAMES, resize
from .screens import SCREENS
from .tutorial_page import TutorialPage
from .visitors import PHONE, Size, Visitors

SMALL, SMALLEST = (360, 740), (320, 568)
EACH_PHONE = pytest.mark.parametrize("window", [PHONE, SMALL, SMALLEST])


def _open(visitors: Visitors, screen: str, window: Size, language: str = "de") -> Page:
    visitors.ignore_errors("ERR_FAILED")
    page = visitors.new_page(window, language)
    SCREENS[screen](page)
    return page


def _box(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box


def _bottom(element: Locator) -> float:
    box = _box(element)
    return box["y"] + box["height"]


def _scrolls(element: Locator) -> bool:
    return bool(element.evaluate("one => one.scrollHeight > one.clientHeight + 1"))


@EACH_PHONE
@pytest.mark.parametrize("screen", ["table", "four-seats-staged"])
def test_the_menu_is_above_the_turn(visitors: Visitors, screen: str, window: Size) -> None:
    """A second tap on its button closes the menu instead of choosing something in it."""
    page = _open(visitors, screen, window)
    page.locator(".menu summary").click()
    page.evaluate(NEXT_FRAMES)
    assert _bottom(page.locator(".menu .sheet")) <= _box(page.locator(".turn-area"))["y"]
    page.locator(".menu summary").click()
    expect(page.locator(".menu .sheet")).to_be_hidden()


def test_a_commitment_is_shown_completely(visitors: Visitors) -> None:
    """In the dialog of a game and at its end."""
    for screen in ("deal-commitment", "end-with-proof"):
        page = _open(visitors, screen, PHONE)
        for window in (PHONE, SMALL, SMALLEST):
            resize(page, window)
            assert not _scrolls(page.locator("textarea")), (screen, window)


def test_the_list_of_keys_fits(visitors: Visitors) -> None:
    """On small phones it does not scroll in German."""
    assert not _scrolls(_open(visitors, "keys", SMALL).locator("dialog[open]"))


@pytest.mark.parametrize("screen", ["past", "replay"])
def test_the_position_has_room(visitors: Visitors, screen: str) -> None:
    """Without scores next to it, the title is not squeezed between two lines."""
    page = _open(visitors, screen, SMALL)
    title, header = (_box(page.locator(part)) for part in (".layout h1", ".layout > header"))
    assert header["height"] >= title["height"] + 10


@pytest.mark.parametrize("screen, message", [("broken", ".connection"), ("refused", ".toast")])
def test_messages_leave_round_and_scores_visible(visitors: Visitors, screen: str, message: str) -> None:
    """A short message covers only the top bar."""
    page = _open(visitors, screen, SMALL)
    assert _bottom(page.locator(message)) <= _box(page.locator(".layout h1"))["y"] + 3


@EACH_PHONE
def test_a_waiting_offer_covers_nothing(visitors: Visitors, window: Size) -> None:
    """The notice is above the header, which sticks below it while the page scrolls."""
    page = _open(visitors, "offer-waiting", window)
    notice, header = page.locator(".notice"), page.locator(".layout > header")
    for place in (0, 90):
        page.evaluate(f"scrollTo(0, {place})")
        page.evaluate(NEXT_FRAMES)
        assert _bottom(notice) <= _box(header)["y"] + 1, place
        assert _box(notice)["y"] >= 0, place


@EACH_PHONE
def test_a_hint_covers_no_square(visitors: Visitors, window: Size) -> None:
    """The whole garden is between the header and the hint, also below the task of a lesson."""
    page = _open(visitors, "lesson-shown", window)
    page.evaluate(NEXT_FRAMES)
    header, garden, hint = (page.locator(part) for part in (".layout > header", ".garden", ".hint-panel"))
    assert _bottom(header) <= _box(garden)["y"] + 1
    assert _bottom(garden) <= _box(hint)["y"]
    before = page.evaluate("scrollY")
    hint.locator(".close").click()
    page.evaluate(NEXT_FRAMES)
    assert page.evaluate("scrollY") <= before


def test_a_revealed_lesson_keeps_its_width(visitors: Visitors) -> None:
    """With several buttons, they are below the text."""
    page = _open(visitors, "lesson", PHONE)
    page.locator(".task .actions button").click()
    page.locator(".task .main").wait_for()
    assert _box(page.locator(".task .instruction"))["width"] > 0.9 * _box(page.locator(".task"))["width"]


def test_the_board_stays_where_it_is_in_a_chapter(visitors: Visitors) -> None:
    """The guide has the same size at each step."""
    page = visitors.new_page(PHONE, "de")
    tutorial = TutorialPage(page)
    tutorial.open("mission")
    sizes = []
    for step in ("card", "space", "noble"):
        tutorial.wait_for(step)
        box = _box(page.locator(".guide"))
        sizes.append((box["x"], box["width"], box["height"]))
        if step == "card":
            tutorial.stage("mission", until="space")
        elif step == "space":
            page.locator(".space.hinted").click()
    assert len(set(sizes)) == 1 and sizes[0][1] > 0.95 * PHONE[0], sizes


def test_a_message_leaves_the_guide_visible(visitors: Visitors) -> None:
    """The message about a discarded tile does not cover what the guide says. The next step ends it."""
    page = visitors.new_page(PHONE, "de")
    TutorialPage(page).open("mission")
    page.locator("[data-card=e]").click()
    page.locator("[data-space='1']").click()
    page.locator("[data-card]").last.click()
    assert _bottom(page.locator(".toast")) <= _box(page.locator(".guide .tip"))["y"]
    page.locator(".space.hinted").click()
    expect(page.locator(".toast")).to_have_count(0)


def test_spectators_see_the_last_round(visitors: Visitors) -> None:
    """Recent turns are listed with two players as well, in a complete frame."""
    recent = _open(visitors, "watching", PHONE).locator(".recent")
    expect(recent).to_be_visible()
    assert recent.evaluate("one => getComputedStyle(one).maskImage") == "none"


def test_cards_of_a_review_have_their_names(visitors: Visitors) -> None:
    """They are large enough for them."""
    name = _open(visitors, "review", SMALL).locator(".comparison [data-card] .name").first
    assert name.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 11


def test_the_day_is_in_one_line(visitors: Visitors) -> None:
    """The longest dates are Spanish. The page is as high as the screen."""
    for language in ("en", "es"):
        page = _open(visitors, "daily", SMALL, language)
        assert _box(page.locator("#today"))["height"] < 36, language
        assert _bottom(page.locator(".page")) >= SMALL[1], language
