"""How many clicks it takes somebody new from the open page to a first turn that is played."""

from playwright.sync_api import Browser, Page

from tests.browser.hands import Hand

from .visits import seated, visit


def count_clicks(site: str, browser: Browser, games: int) -> list[int]:
    """In some games, as they are preselected, by somebody who takes what is plain."""
    counts = []
    for _ in range(games):
        with visit(site, browser, moving=False) as page:
            _play(seated(page))
            counts.append(int(page.evaluate("probe.handled.length")))
    return counts


def _play(hand: Hand) -> None:
    """A tile, the card for it if both in hand would do, a noble or none, Confirm."""
    page = hand.page
    _point_at_a_plain_tile(page)
    page.locator(".space:hover").click()
    while (need := hand.need()) is not None:
        if need == "card":
            page.locator(".hand .card").first.click()
        else:
            hand.choose(need)
    hand.confirm()


def _point_at_a_plain_tile(page: Page) -> None:
    """One that has a single square to go to, as pointing shows."""
    for space in page.locator(".space:not(.faded)").all():
        space.hover()
        if page.locator("[data-target]").count() == 1:
            return
