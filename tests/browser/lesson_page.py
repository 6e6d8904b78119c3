"""Plays a lesson: opens its position, plays a turn and reads the verdict."""

from playwright.sync_api import Locator, Page

from sanssouci.lessons import Lesson, lessons
from sanssouci.notation import write_card, write_square
from sanssouci.rules import LEAVES, Turn

from .page_player import PagePlayer

FIRST, SECOND = lessons()[:2]
INTRODUCED = next(lesson for lesson in lessons() if lesson.view.variant.rewards)
"""The first lesson with rewards, which explains them."""
WIDEST = max(lessons(), key=lambda lesson: (lesson.view.variant.seats, len(lesson.view.variant.expansions)))
"""The lesson with the most gardens on the page."""


class LessonPage:
    """A page that shows a lesson."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, lesson: Lesson = FIRST) -> None:
        """Open a lesson by its address."""
        self.page.goto(f"/lessons/{lesson.id}")
        self.page.locator(".turn").wait_for()
        self.page.locator(".task small").wait_for()

    def stage(self, turn: Turn) -> None:
        """Stage a turn, step by step."""
        player = PagePlayer(self.page)
        steps = {
            "card": f"[data-card='{write_card(turn.card)}']",
            "space": f"[data-space='{turn.space}']",
            "square": _cell(turn.square),
            "boar": "" if turn.boar in (None, LEAVES) else _cell(turn.boar),
            "noble": ".turn .actions button:not(.main)" if turn.noble is None else _cell(turn.noble),
        }
        while (need := player.need()) is not None:
            self.page.locator(steps[need]).first.click()

    def play(self, turn: Turn) -> Locator:
        """Stage and confirm a turn. Returns the verdict."""
        self.stage(turn)
        self.page.locator(".turn button.main").click()
        verdict = self.page.locator(".task .verdict")
        verdict.wait_for()
        return verdict


def _cell(square: int) -> str:
    return f"[role=gridcell][data-square={write_square(square)}]"
