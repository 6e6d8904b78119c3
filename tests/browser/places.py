"""Screens beside the game: the score-keeper, statistics, the daily garden, the guided game, lessons."""

import json
from collections.abc import Callable

from playwright.sync_api import Page

from sanssouci.lessons import lessons

from ..real_tables import RECORDS, real_table, sheet
from ..web.guided_game import CHAPTERS
from .played import TODAY, many_days, many_games
from .recorded import Json, tell
from .reviewed import show_review
from .taught import FIRST, SECOND, WIDEST, Pupil

RECORDS_OF = {path.stem: path for path in RECORDS}


def _keep(page: Page, table: Json) -> None:
    """Let a browser find a real table that was entered before."""
    kept = json.dumps(json.dumps(sheet(table)))
    page.add_init_script(f"localStorage.setItem('sanssouci.sheet', {kept})")


def _scores(page: Page) -> None:
    """Nothing is entered yet."""
    page.goto("/scores")
    page.locator(".result table").wait_for()


def _scores_counted(page: Page) -> None:
    """Four seats with both expansions, at their end."""
    _keep(page, real_table(RECORDS_OF["imperial-rewards-boar-4"])[0])
    page.goto("/scores")
    page.locator(".winner").wait_for()


def _scores_refused(page: Page) -> None:
    """What cannot be on a real table, and in a boards file; the sides of a set can be chosen."""
    table, _ = real_table(RECORDS_OF["imperial-rewards-boar-2"])
    table["seats"][0]["track"] = 2
    table["seats"][1]["built"] = [square for square in table["seats"][1]["built"] if square[1] != "2"]
    _keep(page, table)
    page.goto("/scores")
    page.locator(".refused").first.wait_for()
    page.locator("details.game summary").click()
    page.locator("details.game select").select_option("parterre")
    page.locator("details.check summary").click()
    page.locator("textarea").fill("[boards]\nname = 7")
    page.locator("details.check form > button").click()
    page.locator(".wrong").wait_for()


def _statistics(page: Page) -> None:
    """Somebody who has played a lot; the figures of the chart are open as a table."""
    tell(page, "**/api/me", {"name": "Ada"})
    tell(page, "**/api/me/tables*", {"tables": []})
    tell(page, "**/api/me/statistics", many_games())
    page.goto("/statistics")
    page.locator("svg.chart").wait_for()
    page.locator("main details summary").click()


def _no_statistics(page: Page) -> None:
    page.goto("/statistics")
    page.locator(".none").wait_for()


def _daily(page: Page) -> None:
    """Nobody has played yet."""
    tell(page, "**/api/daily", TODAY)
    page.goto("/daily")
    page.locator(".today .button").first.wait_for()


def _daily_over(page: Page) -> None:
    """Today's is over, and so are some days before."""
    kept = json.dumps(json.dumps(many_days(TODAY["day"])))
    page.add_init_script(f"localStorage.setItem('sanssouci.daily', {kept})")
    _daily(page)
    page.locator("textarea").wait_for()


def _review(page: Page) -> None:
    """Of a game of four, with the figures of the graph as a table, and a missed turn open."""
    show_review(page, "imperial-rewards-boar-4")
    page.locator(".review details summary").first.click()
    page.locator(".review details[data-turn] summary").first.click()


def _review_of_two(page: Page) -> None:
    show_review(page, "ravensburger-base-2")


def _review_in_work(page: Page) -> None:
    show_review(page, "ravensburger-base-2", done=14)


def _learn(page: Page) -> None:
    """One chapter of the guided game is done."""
    _keep_guide(page, ["turn"])
    page.goto("/learn")
    page.locator(".chapter").first.wait_for()


def _learn_end(page: Page) -> None:
    """All chapters are done."""
    _keep_guide(page, list(CHAPTERS))
    page.goto("/learn")
    page.locator(".end").wait_for()


def _lessons(page: Page) -> None:
    """Some lessons are solved."""
    kept = json.dumps(json.dumps([lesson.id for lesson in lessons()[:5]]))
    page.add_init_script(f"localStorage.setItem('sanssouci.lessons', {kept})")
    page.goto("/lessons")
    page.locator(".one").first.wait_for()


def _lesson(page: Page) -> None:
    """A position, and the turn that tempts is staged."""
    pupil = Pupil(page)
    pupil.open(SECOND)
    pupil.stage(SECOND.tempting)


def _lesson_missed(page: Page) -> None:
    """The tempting turn was played."""
    pupil = Pupil(page)
    pupil.open(WIDEST)
    pupil.play(WIDEST.tempting)


def _lesson_shown(page: Page) -> None:
    """After that the best one is shown."""
    _lesson_missed(page)
    page.locator(".task .ways button").nth(1).click()
    page.locator(".hint").wait_for()


def _lesson_solved(page: Page) -> None:
    """The best turn was played."""
    pupil = Pupil(page)
    pupil.open()
    pupil.play(FIRST.best.turn)
    page.locator(".hint").wait_for()


def _keep_guide(page: Page, done: list[str]) -> None:
    kept = json.dumps(json.dumps({"done": done, "chapter": None, "table": None}))
    page.add_init_script(
        f"localStorage.getItem('sanssouci.guide') ?? localStorage.setItem('sanssouci.guide', {kept})"
    )


PLACES: dict[str, Callable[[Page], None]] = {
    "scores": _scores,
    "scores-counted": _scores_counted,
    "scores-refused": _scores_refused,
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
    "lesson-missed": _lesson_missed,
    "lesson-shown": _lesson_shown,
    "lesson-solved": _lesson_solved,
}
"""Each with what brings a page there."""
