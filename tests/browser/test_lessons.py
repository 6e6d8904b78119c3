"""Lessons: solved, missed and tried again, by mouse and by keyboard; progress is stored."""

import pytest
from playwright.sync_api import Page, expect

from sanssouci.lessons import lessons
from sanssouci.notation import write_turn

from .feature_screens import FEATURE_SCREENS
from .layout_checks import faults
from .lesson_page import FIRST, INTRODUCED, SECOND, WIDEST, LessonPage
from .visitors import PHONE, Visitors, last_game

COUNT = len(lessons())


def test_a_lesson_is_solved(visitors: Visitors) -> None:
    """The best turn solves a lesson, shows its reasons, and is stored as progress."""
    page = visitors.new_page()
    lesson_page = LessonPage(page)
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name="Lessons").click()
    expect(page.locator(".progress")).to_contain_text(f"0 of {COUNT} solved")
    page.locator(".progress a.main").click()
    page.wait_for_url(f"**/lessons/{FIRST.id}")
    page.locator(".turn").wait_for()
    expect(page.locator(".hint")).to_have_count(0)
    verdict = lesson_page.play(FIRST.best.turn)
    expect(verdict).to_have_attribute("data-grade", "best")
    expect(page.locator(".hint .reasons li").first).to_be_visible()
    expect(page.locator(".hinted.tile")).to_be_visible()
    expect(page.locator(".task .actions a.main")).to_be_focused()
    page.locator(".task .all-lessons").click()
    expect(page.locator(".progress")).to_contain_text(f"1 of {COUNT} solved")
    page.reload()
    expect(page.locator(".lesson-link .done")).to_have_count(1)
    page.locator("footer button").click()
    expect(page.locator(".lesson-link .done")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('sanssouci.lessons')") is None


def test_the_order_of_the_lessons(visitors: Visitors) -> None:
    """Lessons are numbered in learning order, the base game first; solved and next ones are marked."""
    page = visitors.new_page()
    page.add_init_script(f"localStorage.setItem('sanssouci.lessons', '[\"{FIRST.id}\", \"gone-1\"]')")
    page.goto("/lessons")
    links = page.locator(".lesson-link")
    expect(links).to_have_count(COUNT)
    assert [link.get_attribute("href") for link in links.all()] == [
        f"/lessons/{lesson.id}" for lesson in lessons()
    ]
    parts = [part.get_attribute("data-part") for part in page.locator("[data-part]").all()]
    assert parts == ["base", "rewards", "wild_boar", "both"]
    assert all(len(text) > 50 for text in page.locator(".introduction").all_inner_texts())
    numbers = page.locator(".lesson-link [aria-hidden]").all_inner_texts()
    assert numbers == ["✓", *map(str, range(2, COUNT + 1))]
    expect(page.locator("[aria-current=step]")).to_have_attribute("href", f"/lessons/{SECOND.id}")
    expect(page.locator(".progress")).to_contain_text(f"1 of {COUNT} solved")


def test_the_tutorial_leads_to_the_first_lesson(visitors: Visitors) -> None:
    """The end of the tutorial links to the first lesson."""
    page = visitors.new_page()
    FEATURE_SCREENS["learn-end"](page)
    page.get_by_role("link", name="Your first lesson").click()
    page.wait_for_url(f"**/lessons/{FIRST.id}")
    page.locator(".turn").wait_for()


def test_an_expansion_is_introduced(visitors: Visitors) -> None:
    """An expansion is explained until a lesson with it is solved; the base game is not."""
    page = visitors.new_page(size=(320, 568), language="de")
    lesson_page = LessonPage(page)
    lesson_page.open(FIRST)
    expect(page.locator(".task details")).to_have_count(0)
    lesson_page.open(INTRODUCED)
    expect(page.locator(".task details")).to_contain_text("Belohnungstafel")
    assert faults(page) == [], "nothing is cut off on the smallest phone"
    lesson_page.play(INTRODUCED.best.turn)
    lesson_page.open(INTRODUCED)
    expect(page.locator(".task details")).to_have_count(0)


def test_lessons_in_the_imperial_edition(visitors: Visitors) -> None:
    """A base lesson shows the edition of the reader's last game."""
    page = visitors.new_page(preferences=last_game("person", "level:1", edition="imperial"))
    LessonPage(page).open(FIRST)
    expect(page.locator("[data-edition=imperial]").first).to_be_attached()
    expect(page.locator("[data-edition=ravensburger]")).to_have_count(0)


def test_a_lesson_is_missed_and_tried_again(visitors: Visitors) -> None:
    """The tempting turn costs points, the solution is shown only on request, and the best turn solves it."""
    page = visitors.new_page(size=PHONE)
    lesson_page = LessonPage(page)
    lesson_page.open(WIDEST)
    verdict = lesson_page.play(WIDEST.tempting)
    cost = round(WIDEST.worth(WIDEST.tempting).cost)
    expect(verdict).to_contain_text(f"about {cost} points")
    expect(page.locator(".hint")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".task .instruction")).to_be_visible()
    lesson_page.play(WIDEST.tempting)
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(".hint")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".hint")).to_have_count(0)
    expect(lesson_page.play(WIDEST.best.turn)).to_have_attribute("data-grade", "best")


def test_the_solution_is_not_loaded_before_an_answer(visitors: Visitors) -> None:
    """No response of the server contains the best turn or reasons before an answer."""
    page = visitors.new_page()
    responses: list[str] = []
    page.on(
        "response", lambda answer: responses.append(answer.text()) if "/api/lessons" in answer.url else None
    )
    LessonPage(page).open()
    page.wait_for_load_state("networkidle")
    assert len(responses) >= 2
    assert not [text for text in responses if write_turn(FIRST.best.turn) in text or "reasons" in text]


def test_a_lesson_by_keyboard(visitors: Visitors) -> None:
    """A lesson is played by keyboard, and each verdict is announced."""
    page = visitors.new_page()
    LessonPage(page).open()
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


def test_a_lesson_in_another_language(visitors: Visitors) -> None:
    """Verdict and reasons change with the language."""
    page = visitors.new_page()
    lesson_page = LessonPage(page)
    lesson_page.open()
    lesson_page.play(FIRST.tempting)
    page.locator("select").first.select_option("de")
    expect(page.locator(".verdict")).to_contain_text("besseren Zug")
    page.get_by_role("button", name="Lösung").click()
    expect(page.locator(".hint h2")).to_have_text("Ein guter Zug")


def test_an_unknown_lesson(visitors: Visitors) -> None:
    """The address of an unknown lesson shows an error."""
    page = visitors.new_page()
    visitors.ignore_errors("404")
    page.goto("/lessons/ways-99")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".turn")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_lesson_on_a_phone_on_its_side(visitors: Visitors, language: str) -> None:
    """A staged turn can be confirmed without scrolling; then the board scrolls away, from above the rest."""
    page = visitors.new_page((844, 390), language)
    lesson_page = LessonPage(page)
    lesson_page.open(INTRODUCED)
    lesson_page.stage(INTRODUCED.tempting)
    page.evaluate("scrollTo(0, 0)")
    confirm = page.locator(".turn button.main").bounding_box()
    assert confirm and confirm["y"] + confirm["height"] <= 390
    for place in (150, 300, 5000):
        page.evaluate(f"scrollTo(0, {place})")
        garden, column, below = (
            page.locator(part).first.bounding_box()
            for part in (".board .garden", ".display-column", ".recent-turns, .others")
        )
        assert garden and column and below
        assert max(one["y"] + one["height"] for one in (garden, column)) <= below["y"], place
