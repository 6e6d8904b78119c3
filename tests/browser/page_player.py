"""Plays turns on a page, by mouse or touch."""

from playwright.sync_api import Locator, Page, expect


class PagePlayer:
    """Plays a game on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.played = 0

    def begin(self) -> None:
        """Start a game with the preselected settings and pick the preselected side."""
        self.page.goto("/")
        self.press(self.page.get_by_role("main").get_by_role("button").first)
        self.pick()

    def pick(self) -> None:
        """Take the preselected side in each phase."""
        while self.phase_to_pick() is not None:
            self.take_side()

    def phase_to_pick(self) -> str | None:
        """The phase of picking, or None once the game has begun."""
        self.page.locator("[data-phase] button.main, .table").first.wait_for()
        picking = self.page.locator("[data-phase]")
        return picking.get_attribute("data-phase") if picking.count() else None

    def take_side(self, phase: str = "") -> None:
        """Take the preselected side and wait until it is taken."""
        picking = self.page.locator(f"[data-phase={phase}]" if phase else "[data-phase]")
        phase = picking.get_attribute("data-phase") or ""
        self.press(picking.locator("button.main"))
        expect(self.page.locator(f"[data-phase={phase}] button.main")).to_have_count(0)

    @property
    def seat(self) -> int:
        """The own seat."""
        return int(self.page.locator(".garden[data-garden]").get_attribute("data-garden") or "")

    @property
    def over(self) -> bool:
        return self.page.locator(".end").count() > 0

    def wait_for_turn(self) -> bool:
        """Wait for the own turn or the end of the game. Returns False at the end."""
        self.page.locator(".turn, .end").first.wait_for()
        return not self.over

    def need(self) -> str | None:
        """The next step of the turn, or None if the turn is complete."""
        step = self.page.locator(".turn li[aria-current=step]")
        return step.get_attribute("data-kind") if step.count() else None

    @property
    def cards(self) -> Locator:
        return self.page.locator("[data-card]")

    @property
    def spaces(self) -> Locator:
        """The spaces that can be chosen."""
        return self.page.locator("[data-space][aria-disabled=false]")

    def staged(self) -> list[str]:
        """The text of each staged step."""
        return self.page.locator(".turn li[data-kind] .value").all_inner_texts()

    def press(self, thing: Locator) -> None:
        thing.click()

    def stage(self) -> None:
        """Stage a complete turn, alternating between cards."""
        self.press(self.cards.nth(self.played % self.cards.count()))
        self.press(self.spaces.first)
        while (need := self.need()) is not None:
            self.choose(need)

    def choose(self, need: str) -> None:
        """Take a step with one of the offered targets."""
        if need == "card":
            self.press(self.cards.first)
        elif need == "noble" and not self._targets("stop").count():
            self.press(self.page.get_by_role("button", name="No noble"))
        else:
            kinds = {"square": "gardener", "boar": "boar", "noble": "stop"}
            self.press(self._targets(kinds[need]).last)

    def _targets(self, kind: str) -> Locator:
        return self.page.locator(f"[data-target={kind}]")

    def type(self, turn: str) -> None:
        """Stage a complete turn in notation."""
        field = self.page.get_by_role("textbox", name="Turn in notation")
        if not field.is_visible():
            self.press(self.page.locator(".typed summary"))
        field.fill(turn)
        field.press("Enter")

    def confirm(self) -> None:
        """Confirm the staged turn and wait until it is played."""
        before = self.log_length()
        self.press(self.page.locator(".turn button.main"))
        self.wait_until_played(before)

    def log_length(self) -> int:
        """The number of lines in the log."""
        return self.page.locator(".log li").count()

    def wait_until_played(self, before: int) -> None:
        """Wait until the log is longer than before, or the game is over."""
        self.played += 1
        self.wait_for_log(before + 1)

    def wait_for_log(self, lines: int) -> None:
        """Wait until the log has so many lines, or the game is over."""
        self.page.locator(f".end, .log li:nth-child({lines})").first.wait_for(state="attached")

    def play_on(self) -> None:
        """Play all turns to the end of the game."""
        while self.wait_for_turn():
            self.stage()
            self.confirm()

    def totals(self) -> list[int]:
        """The totals on the end screen, by seat."""
        self.page.locator(".end").wait_for()
        return [int(text) for text in self.page.locator("tr.total td").all_inner_texts()]


class TouchPlayer(PagePlayer):
    """Plays by touch."""

    def press(self, thing: Locator) -> None:
        thing.tap()
