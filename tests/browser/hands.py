"""A hand at the table: plays turns by mouse or by keyboard, of what the page offers."""

from playwright.sync_api import Locator, Page, expect


class Hand:
    """Somebody who plays at a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.played = 0

    def begin(self) -> None:
        """From the start page to the own first turn, with what is preselected."""
        self.page.goto("/")
        self.page.get_by_role("main").get_by_role("button").first.click()
        self.pick()

    def pick(self) -> None:
        """Take the side that is preselected, as often as one is asked."""
        chosen = self.page.locator("main button.main.now")
        self.page.wait_for_selector("main button.main.now, .table")
        while not self.page.locator(".table").count():
            chosen.click()
            self.page.wait_for_selector("main button.main.now:not([aria-busy=true]), .table")

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return self.page.locator(".end").count() > 0

    def wait_for_turn(self) -> bool:
        """Until it is one's turn, or all is over: then False."""
        self.page.wait_for_selector(".turn, .end", timeout=60_000)
        return not self.over

    def need(self) -> str | None:
        """The step that comes next, by its place: 0 is the card."""
        step = self.page.locator(".turn li[aria-current=step]")
        return step.get_attribute("data-kind") if step.count() else None

    def stage(self) -> None:
        """Put a whole turn together by mouse: now this card, now that one."""
        cards = self.page.locator(".hand .card")
        cards.nth(self.played % cards.count()).click()
        self.page.locator(".space:not(.faded)").first.click()
        while (need := self.need()) is not None:
            self.choose(need)

    def choose(self, need: str) -> None:
        """Take a step by mouse: one of what is offered."""
        if need == "noble" and not self._targets("stop").count():
            self.page.get_by_role("button", name="No noble").click()
        else:
            kinds = {"square": "gardener", "boar": "boar", "noble": "stop"}
            self._targets(kinds[need]).last.click()

    def _targets(self, kind: str) -> Locator:
        return self.page.locator(f"[data-target={kind}]")

    def confirm(self) -> None:
        """Play what is staged, and see it played."""
        before = self.told()
        self.page.locator(".turn button.main").click()
        self.see_played(before)

    def told(self) -> int:
        """How many lines the log has."""
        return self.page.locator(".log li").count()

    def see_played(self, before: int) -> None:
        """Wait until the log has more lines than before, or the game is over."""
        self.played += 1
        self.page.locator(f".end, .log li:nth-child({before + 1})").first.wait_for(state="attached")

    def play_on(self) -> None:
        """Turn after turn, to the end of the game."""
        while self.wait_for_turn():
            self.stage()
            self.confirm()
        expect(self.page.locator("h1")).to_be_visible()
