"""The time until the page responds to a click, at the fullest table."""

from collections import defaultdict
from dataclasses import dataclass

from playwright.sync_api import Browser, Locator, Page

from tests.browser.page_player import PagePlayer

from .figures import Times
from .visits import company, probed, seated, visit


@dataclass(frozen=True)
class Clicks:
    """Clicks on one kind of element."""

    shown: Times
    """Until the frame with the response is shown."""
    handling: Times
    """In the page's event handlers."""


def measure_clicks(site: str, browser: Browser, turns: int) -> dict[str, Clicks]:
    """Play some turns, each staged, undone completely, staged again and confirmed."""
    times = _ClickTimes()
    with visit(site, browser, company("level:1")) as page:
        player = seated(page)
        for turn in range(turns):
            _stage(player, times)
            while _undo(page).is_enabled():
                times.click("undo", _undo(page))
            _stage(player, times)
            _read_rules(page, times)
            times.click("confirm", page.locator(".turn button.main"))
            player.played = turn + 1
            if not player.wait_for_turn():
                break
    return times.all()


class _ClickTimes:
    """Measured times, by kind of element."""

    def __init__(self) -> None:
        self._shown: dict[str, list[float]] = defaultdict(list)
        self._handling: dict[str, list[float]] = defaultdict(list)

    def click(self, kind: str, thing: Locator) -> None:
        """Click on an element and note its times."""
        thing.click()
        answer = probed(thing.page, "answered()")
        self._shown[kind].append(answer["duration"])
        self._handling[kind].append(answer["handling"])

    def all(self) -> dict[str, Clicks]:
        return {
            kind: Clicks(Times.of(self._shown[kind]), Times.of(self._handling[kind])) for kind in self._shown
        }


def _undo(page: Page) -> Locator:
    return page.locator(".turn .actions button").first


def _stage(player: PagePlayer, times: _ClickTimes) -> None:
    page = player.page
    times.click("card", page.locator(".hand .card").nth(player.played % 2))
    times.click("tile", page.locator(".space:not(.faded)").first)
    kinds = {"square": ("square", "gardener"), "boar": ("square", "boar"), "noble": ("noble", "stop")}
    while (need := player.need()) is not None:
        kind, target = kinds[need]
        offered = page.locator(f"[data-target={target}]")
        leave = page.get_by_role("button", name="No noble")
        times.click(kind, offered.last if offered.count() else leave)


def _read_rules(page: Page, times: _ClickTimes) -> None:
    times.click("rules", page.locator("header nav button").first)
    page.wait_for_selector("[data-rule]")
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-rule]", state="detached")
