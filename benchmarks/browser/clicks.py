"""How soon the page shows its answer to a click, at the fullest table there is."""

from collections import defaultdict
from dataclasses import dataclass

from playwright.sync_api import Browser, Locator, Page

from tests.browser.hands import Hand

from .figures import Times
from .visits import company, probed, seated, visit


@dataclass(frozen=True)
class Clicks:
    """Clicks on one kind of thing."""

    shown: Times
    """Until the frame with the answer is shown."""
    handling: Times
    """In the page's own script."""


def measure_clicks(site: str, browser: Browser, turns: int) -> dict[str, Clicks]:
    """A few turns, each staged, undone to nothing, staged again and played."""
    noted = _Notes()
    with visit(site, browser, company("level:1")) as page:
        hand = seated(page)
        for turn in range(turns):
            _stage(hand, noted)
            while _undo(page).is_enabled():
                noted.click("undo", _undo(page))
            _stage(hand, noted)
            _read_rules(page, noted)
            noted.click("confirm", page.locator(".turn button.main"))
            hand.played = turn + 1
            if not hand.wait_for_turn():
                break
    return noted.all()


class _Notes:
    """What was measured, by kinds."""

    def __init__(self) -> None:
        self._shown: dict[str, list[float]] = defaultdict(list)
        self._handling: dict[str, list[float]] = defaultdict(list)

    def click(self, kind: str, thing: Locator) -> None:
        """Click on something."""
        thing.click()
        answer = probed(thing.page, "answered()")
        self._shown[kind].append(answer["duration"])
        self._handling[kind].append(answer["handling"])

    def all(self) -> dict[str, Clicks]:
        """All kinds."""
        return {
            kind: Clicks(Times.of(self._shown[kind]), Times.of(self._handling[kind])) for kind in self._shown
        }


def _undo(page: Page) -> Locator:
    return page.locator(".turn .actions button").first


def _stage(hand: Hand, noted: _Notes) -> None:
    page = hand.page
    noted.click("card", page.locator(".hand .card").nth(hand.played % 2))
    noted.click("tile", page.locator(".space:not(.faded)").first)
    kinds = {"square": ("square", "gardener"), "boar": ("square", "boar"), "noble": ("noble", "stop")}
    while (need := hand.need()) is not None:
        kind, target = kinds[need]
        offered = page.locator(f"[data-target={target}]")
        leave = page.get_by_role("button", name="No noble")
        noted.click(kind, offered.last if offered.count() else leave)


def _read_rules(page: Page, noted: _Notes) -> None:
    noted.click("rules", page.locator("header nav button").first)
    page.wait_for_selector("[data-rule]")
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-rule]", state="detached")
