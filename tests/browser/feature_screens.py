"""Screens other than the game: score sheet, statistics, daily garden, tutorial, lessons."""

import json
from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import Page

from sanssouci.editions import shipped_boards
from sanssouci.lessons import lessons

from ..score_sheets import RECORDS, real_table, sheet
from ..web.guided_game import CHAPTERS
from .lesson_page import FIRST, INTRODUCED, SECOND, WIDEST, LessonPage
from .recorded_tables import Json, mock_json, show_review
from .statistics_data import TODAY, many_days, many_games

MARKS = ("+1", "+2", "+3", "g3", "-2", "-3")
"""In the order of the digits in links to boards."""
RECORDS_OF = {path.stem: path for path in RECORDS}


def _store_sheet(page: Page, table: Json) -> None:
    """Store a score sheet in the browser."""
    stored = json.dumps(json.dumps(sheet(table)))
    page.add_init_script(f"localStorage.setItem('sanssouci.sheet', {stored})")


def _scores(page: Page) -> None:
    """An empty score sheet."""
    page.goto("/scores")
    page.locator(".result table").wait_for()


def _scores_final(page: Page) -> None:
    """Four seats with both expansions, at the end of a game."""
    _store_sheet(page, real_table(RECORDS_OF["imperial-rewards-boar-4"])[0])
    page.goto("/scores")
    page.locator(".winner").wait_for()


def _scores_refused(page: Page) -> None:
    """An impossible score sheet, an invalid boards file, and the sides of a set to choose."""
    table, _ = real_table(RECORDS_OF["imperial-rewards-boar-2"])
    table["seats"][0]["track"] = 2
    table["seats"][1]["built"] = [square for square in table["seats"][1]["built"] if square[1] != "2"]
    _store_sheet(page, table)
    page.goto("/scores")
    page.locator(".refused").first.wait_for()
    page.locator("details.game summary").click()
    page.locator("details.game select").select_option("parterre")
    page.locator("details.check summary").click()
    page.locator("textarea").fill("[boards]\nname = 7")
    page.locator("details.check form > button").click()
    page.locator(".wrong").wait_for()


def _boards(page: Page) -> None:
    """An empty set in the board editor."""
    page.goto("/boards")
    page.locator(".problem").first.wait_for()


def _boards_complete(page: Page) -> None:
    """A complete set with reward boards and pairs, shared by link; a reward side is open."""
    layouts = shipped_boards("bosquet").layouts()
    fields = {
        "name": "Schloss Sanssouci, zweite Auflage",
        "gardens": ".".join("-".join("".join(side) for side in board) for board in layouts["gardens"]),
        "rewards": ".".join("-".join(map(_digits, board)) for board in layouts["rewards"]),
        "pairs": "".join(layouts["pairs"]),
    }
    page.goto(f"/boards#{urlencode(fields)}")
    page.locator("[data-complete]").wait_for()
    page.locator("[data-side='boards.rewards.2.back']").click()


def _digits(marks: dict[str, str]) -> str:
    """The marks of a reward side as in a link."""
    squares = ["e3", *(f"{column}4" for column in "def"), *(f"{column}5" for column in "cdefg")]
    squares += [f"{column}6" for column in "bcdefgh"]
    return "".join(str(MARKS.index(marks[square]) + 1) if square in marks else "0" for square in squares)


def _offline(page: Page) -> None:
    """The start page without a server."""
    page.route("**/api/**", lambda route: route.abort())
    page.goto("/")
    page.locator("[data-offline]").wait_for()


def _boards_offline(page: Page) -> None:
    """The board editor without a server."""
    _boards(page)
    page.route("**/api/**", lambda route: route.abort())
    page.locator("[data-square=e3]").click()
    page.locator(".verdict .problem").wait_for()


def _statistics(page: Page) -> None:
    """A guest with many games. The chart is also open as a table."""
    mock_json(page, "**/api/me", {"name": "Ada"})
    mock_json(page, "**/api/me/tables*", {"tables": []})
    mock_json(page, "**/api/me/statistics", many_games())
    page.goto("/statistics")
    page.locator("svg.chart").wait_for()
    page.locator("main details summary").click()


def _no_statistics(page: Page) -> None:
    page.goto("/statistics")
    page.locator(".none").wait_for()


def _daily(page: Page) -> None:
    """A daily garden that is not played yet."""
    mock_json(page, "**/api/daily", TODAY)
    page.goto("/daily")
    page.locator(".today .button").first.wait_for()


def _daily_over(page: Page) -> None:
    """Today's daily garden is finished, and so are some earlier ones."""
    stored = json.dumps(json.dumps(many_days(TODAY["day"])))
    page.add_init_script(f"localStorage.setItem('sanssouci.daily', {stored})")
    _daily(page)
    page.locator(".result svg").wait_for()


def _review(page: Page) -> None:
    """A review of a game of four, with the graph as a table and a missed turn open."""
    show_review(page, "imperial-rewards-boar-4")
    page.locator(".review details summary").first.click()
    page.locator(".review details[data-turn] summary").first.click()


def _review_of_two(page: Page) -> None:
    show_review(page, "ravensburger-base-2")


def _review_in_work(page: Page) -> None:
    show_review(page, "ravensburger-base-2", done=14)


def _learn(page: Page) -> None:
    """The tutorial with one finished chapter."""
    _store_guide(page, ["turn"])
    page.goto("/learn")
    page.locator(".chapter").first.wait_for()


def _learn_end(page: Page) -> None:
    """The tutorial with all chapters finished."""
    _store_guide(page, list(CHAPTERS))
    page.goto("/learn")
    page.locator(".end").wait_for()


def _lessons(page: Page) -> None:
    """The lessons, some of them solved."""
    stored = json.dumps(json.dumps([lesson.id for lesson in lessons()[:5]]))
    page.add_init_script(f"localStorage.setItem('sanssouci.lessons', {stored})")
    page.goto("/lessons")
    page.locator(".lesson-link").first.wait_for()


def _lesson(page: Page) -> None:
    """A lesson with the tempting turn staged."""
    lesson_page = LessonPage(page)
    lesson_page.open(SECOND)
    lesson_page.stage(SECOND.tempting)


def _lesson_introduced(page: Page) -> None:
    """The first lesson with rewards, which explains them, with the tempting turn staged."""
    lesson_page = LessonPage(page)
    lesson_page.open(INTRODUCED)
    lesson_page.stage(INTRODUCED.tempting)


def _lesson_missed(page: Page) -> None:
    """A lesson after the tempting turn."""
    lesson_page = LessonPage(page)
    lesson_page.open(WIDEST)
    lesson_page.play(WIDEST.tempting)


def _lesson_shown(page: Page) -> None:
    """A lesson whose best turn is shown after a mistake."""
    _lesson_missed(page)
    page.locator(".task .actions button").nth(1).click()
    page.locator(".hint").wait_for()


def _lesson_solved(page: Page) -> None:
    """A lesson after the best turn."""
    lesson_page = LessonPage(page)
    lesson_page.open()
    lesson_page.play(FIRST.best.turn)
    page.locator(".hint").wait_for()


def _store_guide(page: Page, done: list[str]) -> None:
    stored = json.dumps(json.dumps({"done": done, "chapter": None, "table": None}))
    page.add_init_script(
        f"localStorage.getItem('sanssouci.guide') ?? localStorage.setItem('sanssouci.guide', {stored})"
    )


FEATURE_SCREENS: dict[str, Callable[[Page], None]] = {
    "scores": _scores,
    "scores-counted": _scores_final,
    "scores-refused": _scores_refused,
    "boards": _boards,
    "boards-complete": _boards_complete,
    "boards-offline": _boards_offline,
    "offline": _offline,
    "statistics": _statistics,
    "statistics-none": _no_statistics,
    "daily": _daily,
    "daily-over": _daily_over,
    "review": _review,
    "review-of-two": _review_of_two,
    "review-in-work": _review_in_work,
    "learn": _learn,
    "learn-end": _learn_end,
    "lessons": _lessons,
    "lesson": _lesson,
    "lesson-introduced": _lesson_introduced,
    "lesson-missed": _lesson_missed,
    "lesson-shown": _lesson_shown,
    "lesson-solved": _lesson_solved,
}
"""Functions that open each screen."""
