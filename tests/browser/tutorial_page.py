"""Plays the tutorial."""

from playwright.sync_api import Page, expect

from sanssouci.notation import parse_turn, write_square
from sanssouci.rules import Square

from ..web.guided_game import CHAPTERS, shown


class TutorialPage:
    """A page that shows the tutorial."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, chapter: str) -> None:
        """Open any chapter."""
        self.page.goto("/learn")
        self.page.locator(".chapter").nth(CHAPTERS.index(chapter)).click()
        self.wait_for("card")

    def begin(self) -> None:
        """Start the next chapter from the overview."""
        self.page.locator(".learn .actions button.main").click()
        self.wait_for("card")

    def wait_for(self, step: str) -> str:
        """Wait until the guide shows the text for a step. Returns the text."""
        now = self.page.locator(f".guide .tip[data-topic={step}]")
        now.wait_for()
        return now.inner_text()

    def play(self, chapter: str) -> list[str]:
        """Stage and confirm the suggested turn, step by step. Returns all texts of the guide."""
        texts = self.stage(chapter)
        expect(self.page.locator(".guide .aim.met")).to_be_attached()  # low windows hide it
        self.page.locator(".turn button.main").click()
        # A noble that has reached the last row cannot make its mission worth more.
        return [*texts, self.wait_for("played_last" if chapter == "mission" else "played")]

    def stage(self, chapter: str, until: str = "ready") -> list[str]:
        """Stage the suggested turn up to a step. Returns the texts before each step."""
        play = shown(chapter)
        turn = parse_turn(play)
        assert turn.noble is not None
        steps = {
            "card": f"[data-card='{play.split('@')[0]}']",
            "space": f"[data-space='{turn.space}']",
            **({"square": _cell(turn.square)} if turn.gardener else {}),
            "noble": _cell(turn.noble),
            "ready": "",
        }
        texts = []
        for name, selector in steps.items():
            texts.append(self.wait_for(name))
            if name == until:
                break
            self.page.locator(selector).click()
        return texts

    def next_chapter(self) -> None:
        """Continue to the next chapter, or to the end."""
        before = self.page.url
        self.page.locator(".guide button.main").click()
        self.page.wait_for_function("(before) => location.href !== before", arg=before)


def _cell(square: Square) -> str:
    return f"[role=gridcell][data-square={write_square(square)}]"
