"""Somebody who plays the guided game as it is shown."""

from playwright.sync_api import Page, expect

from sanssouci.notation import parse_turn, write_square
from sanssouci.rules import Square

from ..web.guided_game import CHAPTERS, shown


class Guided:
    """A page on which the guided game is played."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, chapter: str) -> None:
        """A chapter, whichever comes next."""
        self.page.goto("/learn")
        self.page.locator(".chapter").nth(CHAPTERS.index(chapter)).click()
        self.see("card")

    def begin(self) -> None:
        """From the page of the guided game to its next chapter."""
        self.page.locator(".learn .ways button.main").click()
        self.see("card")

    def see(self, matter: str) -> str:
        """Wait until the guide speaks of something; what it says."""
        now = self.page.locator(f".guide .words[data-matter={matter}]")
        now.wait_for()
        return now.inner_text()

    def play(self, chapter: str) -> list[str]:
        """Stage and confirm the turn that is shown, step by step; all that the guide says of it."""
        said = self.stage(chapter)
        expect(self.page.locator(".guide .aim.met")).to_be_attached()  # low windows hide it
        self.page.locator(".turn button.main").click()
        return [*said, self.see("played")]

    def stage(self, chapter: str, until: str = "ready") -> list[str]:
        """Stage the turn that is shown, up to a matter; what the guide says before each step."""
        play = shown(chapter)
        turn = parse_turn(play)
        assert turn.noble is not None
        steps = {
            "card": f"[data-card='{play.split('@')[0]}']",
            "space": f"[data-space='{turn.space}']",
            **({"square": _on(turn.square)} if turn.gardener else {}),
            "noble": _on(turn.noble),
            "ready": "",
        }
        said = []
        for matter, step in steps.items():
            said.append(self.see(matter))
            if matter == until:
                break
            self.page.locator(step).click()
        return said

    def go_on(self) -> None:
        """On to the next chapter, or to the end."""
        before = self.page.url
        self.page.locator(".guide button.main").click()
        self.page.wait_for_function("(before) => location.href !== before", arg=before)


def _on(square: Square) -> str:
    return f"[role=gridcell][data-square={write_square(square)}]"
