"""Somebody who takes a lesson: sees its position, plays a turn, hears what it is worth."""

from playwright.sync_api import Locator, Page

from sanssouci.lessons import Lesson, lessons
from sanssouci.notation import write_card, write_square
from sanssouci.rules import LEAVES, Turn

from .hands import Hand

FIRST, SECOND = lessons()[:2]
WIDEST = max(lessons(), key=lambda lesson: (lesson.view.variant.seats, len(lesson.view.variant.expansions)))
"""With the most gardens to be seen."""


class Pupil:
    """A page on which lessons are taken."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, lesson: Lesson = FIRST) -> None:
        """A lesson, by its address."""
        self.page.goto(f"/lessons/{lesson.id}")
        self.page.locator(".turn").wait_for()
        self.page.locator(".task small").wait_for()

    def stage(self, turn: Turn) -> None:
        """Put a turn together, step by step."""
        hand = Hand(self.page)
        steps = {
            "card": f"[data-card='{write_card(turn.card)}']",
            "space": f"[data-space='{turn.space}']",
            "square": _on(turn.square),
            "boar": "" if turn.boar in (None, LEAVES) else _on(turn.boar),
            "noble": ".turn .actions button:not(.main)" if turn.noble is None else _on(turn.noble),
        }
        while (need := hand.need()) is not None:
            self.page.locator(steps[need]).first.click()

    def play(self, turn: Turn) -> Locator:
        """Stage a turn and confirm it; the verdict."""
        self.stage(turn)
        self.page.locator(".turn button.main").click()
        verdict = self.page.locator(".task .verdict")
        verdict.wait_for()
        return verdict


def _on(square: int) -> str:
    return f"[role=gridcell][data-square={write_square(square)}]"
