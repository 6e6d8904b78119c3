"""Lessons: one solved, one missed and tried again, by mouse and by keyboard; what is kept of them."""

from playwright.sync_api import Page, expect

from sanssouci.lessons import lessons
from sanssouci.notation import write_turn

from .guests import PHONE, Guests
from .taught import FIRST, WIDEST, Pupil

COUNT = len(lessons())


def test_a_lesson_is_solved(guests: Guests) -> None:
    """From the start page to the first lesson; the best turn is drawn with its reasons, and remembered."""
    page = guests.comes()
    pupil = Pupil(page)
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name="Lessons").click()
    expect(page.locator(".progress")).to_contain_text(f"0 of {COUNT} solved")
    page.locator(".progress a.main").click()
    page.wait_for_url(f"**/lessons/{FIRST.id}")
    page.locator(".turn").wait_for()
    expect(page.locator(".hint")).to_have_count(0)
    verdict = pupil.play(FIRST.best.turn)
    expect(verdict).to_have_attribute("data-grade", "best")
    expect(page.locator(".hint .reasons li").first).to_be_visible()
    expect(page.locator(".advice.tile")).to_be_visible()
    expect(page.locator(".task .ways a.main")).to_be_focused()
    page.locator(".task .all").click()
    expect(page.locator(".progress")).to_contain_text(f"1 of {COUNT} solved")
    page.reload()
    expect(page.locator(".one .done")).to_have_count(1)
    page.locator("footer button").click()
    expect(page.locator(".one .done")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('sanssouci.lessons')") is None


def test_a_lesson_is_missed_and_tried_again(guests: Guests) -> None:
    """The tempting turn costs something; nothing is given away unasked; the best turn solves it."""
    page = guests.comes(size=PHONE)
    pupil = Pupil(page)
    pupil.open(WIDEST)
    verdict = pupil.play(WIDEST.tempting)
    cost = round(WIDEST.worth(WIDEST.tempting).cost)
    expect(verdict).to_contain_text(f"about {cost} points")
    expect(page.locator(".hint")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".task .look")).to_be_visible()
    pupil.play(WIDEST.tempting)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".hint")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".hint")).to_have_count(0)
    expect(pupil.play(WIDEST.best.turn)).to_have_attribute("data-grade", "best")


def test_the_solution_is_not_on_the_page_before_an_answer(guests: Guests) -> None:
    """Whatever was loaded for a lesson names neither its best turn nor what others hold."""
    page = guests.comes()
    heard: list[str] = []
    page.on("response", lambda answer: heard.append(answer.text()) if "/api/lessons" in answer.url else None)
    Pupil(page).open()
    page.wait_for_load_state("networkidle")
    assert len(heard) >= 2
    assert not [text for text in heard if write_turn(FIRST.best.turn) in text or "reasons" in text]


def test_a_lesson_by_keyboard(guests: Guests) -> None:
    """Type the tempting turn, confirm, try again, type the best one; each verdict is said aloud."""
    page = guests.comes()
    Pupil(page).open()
    _type(page, write_turn(FIRST.tempting))
    expect(page.locator("[role=status]").filter(has_text="better turn")).to_have_count(1)
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-card]").first).to_be_focused()
    _type(page, write_turn(FIRST.best.turn))
    expect(page.locator(".verdict")).to_have_attribute("data-grade", "best")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/lessons/{lessons()[1].id}")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def _type(page: Page, turn: str) -> None:
    page.keyboard.press("t")
    page.keyboard.type(turn)
    page.keyboard.press("Enter")
    page.keyboard.press("c")
    page.locator(".verdict").wait_for()


def test_a_lesson_in_another_language(guests: Guests) -> None:
    """What is told of it is told again when the language changes, the verdict too."""
    page = guests.comes()
    pupil = Pupil(page)
    pupil.open()
    pupil.play(FIRST.tempting)
    page.locator("select").first.select_option("de")
    expect(page.locator(".verdict")).to_contain_text("besseren Zug")
    page.get_by_role("button", name="Zeig ihn mir").click()
    expect(page.locator(".hint h2")).to_have_text("Ein guter Zug")


def test_a_lesson_that_is_not_there(guests: Guests) -> None:
    """An address of a lesson that never was says so."""
    page = guests.comes()
    guests.forgive("404")
    page.goto("/lessons/ways-99")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".turn")).to_have_count(0)
