"""A hand at the table: plays turns of what the page offers, by mouse or with a finger."""

from playwright.sync_api import Locator, Page, expect


class Hand:
    """Somebody who plays at a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.played = 0

    def begin(self) -> None:
        """From the start page to the own first turn, with what is preselected."""
        self.page.goto("/")
        self.press(self.page.get_by_role("main").get_by_role("button").first)
        self.pick()

    def pick(self) -> None:
        """Take the side that is preselected, as often as one is asked."""
        while self.asked_to_pick() is not None:
            self.take_side()

    def asked_to_pick(self) -> str | None:
        """Which side is to be picked now; None when the game has begun."""
        self.page.locator("[data-phase] button.main, .table").first.wait_for()
        picking = self.page.locator("[data-phase]")
        return picking.get_attribute("data-phase") if picking.count() else None

    def take_side(self, phase: str = "") -> None:
        """Take the side that is preselected, and see it taken."""
        picking = self.page.locator(f"[data-phase={phase}]" if phase else "[data-phase]")
        phase = picking.get_attribute("data-phase") or ""
        self.press(picking.locator("button.main"))
        expect(self.page.locator(f"[data-phase={phase}] button.main")).to_have_count(0)

    @property
    def seat(self) -> int:
        """Whose garden is one's own, in turn order."""
        return int(self.page.locator(".garden[data-garden]").get_attribute("data-garden") or "")

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return self.page.locator(".end").count() > 0

    def wait_for_turn(self) -> bool:
        """Until it is one's turn, or all is over: then False."""
        self.page.locator(".turn, .end").first.wait_for()
        return not self.over

    def need(self) -> str | None:
        """The step that comes next; None when the turn is whole."""
        step = self.page.locator(".turn li[aria-current=step]")
        return step.get_attribute("data-kind") if step.count() else None

    @property
    def cards(self) -> Locator:
        """The cards in hand."""
        return self.page.locator("[data-card]")

    @property
    def spaces(self) -> Locator:
        """The spaces that can be chosen."""
        return self.page.locator("[data-space][aria-disabled=false]")

    def staged(self) -> list[str]:
        """What is chosen, step by step, in words."""
        return self.page.locator(".turn li[data-kind] .told").all_inner_texts()

    def press(self, thing: Locator) -> None:
        """Choose something: by mouse."""
        thing.click()

    def stage(self) -> None:
        """Put a whole turn together: now this card, now that one."""
        self.press(self.cards.nth(self.played % self.cards.count()))
        self.press(self.spaces.first)
        while (need := self.need()) is not None:
            self.choose(need)

    def choose(self, need: str) -> None:
        """Take a step: one of what is offered."""
        if need == "noble" and not self._targets("stop").count():
            self.press(self.page.get_by_role("button", name="No noble"))
        else:
            kinds = {"square": "gardener", "boar": "boar", "noble": "stop"}
            self.press(self._targets(kinds[need]).last)

    def _targets(self, kind: str) -> Locator:
        return self.page.locator(f"[data-target={kind}]")

    def type(self, turn: str) -> None:
        """Put a whole turn together in the record's notation."""
        field = self.page.get_by_role("textbox", name="Turn in notation")
        if not field.is_visible():
            self.press(self.page.locator(".typed summary"))
        field.fill(turn)
        field.press("Enter")

    def confirm(self) -> None:
        """Play what is staged, and see it played."""
        before = self.told()
        self.press(self.page.locator(".turn button.main"))
        self.see_played(before)

    def told(self) -> int:
        """How many lines the log has."""
        return self.page.locator(".log li").count()

    def see_played(self, before: int) -> None:
        """Wait until the log has more lines than before, or the game is over."""
        self.played += 1
        self.see_told(before + 1)

    def see_told(self, lines: int) -> None:
        """Wait until the log has so many lines, or the game is over."""
        self.page.locator(f".end, .log li:nth-child({lines})").first.wait_for(state="attached")

    def play_on(self) -> None:
        """Turn after turn, to the end of the game."""
        while self.wait_for_turn():
            self.stage()
            self.confirm()

    def totals(self) -> list[int]:
        """The totals of the end screen, by seats."""
        self.page.locator(".end").wait_for()
        return [int(text) for text in self.page.locator("tr.total td").all_inner_texts()]


class Finger(Hand):
    """A hand that taps on a screen."""

    def press(self, thing: Locator) -> None:
        """Choose something: by a tap."""
        thing.tap()
