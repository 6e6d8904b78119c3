"""The number of clicks that a new user needs from the start page to a first turn."""

from playwright.sync_api import Browser, Page

from tests.browser.page_player import PagePlayer

from .visits import seated, visit


def count_clicks(site: str, browser: Browser, games: int) -> list[int]:
    """Count the clicks in some games with preselected settings and simple turns."""
    counts = []
    for _ in range(games):
        with visit(site, browser, moving=False) as page:
            _play(seated(page))
            counts.append(int(page.evaluate("probe.handled.length")))
    return counts


def _play(player: PagePlayer) -> None:
    """Play a tile, its card if both would do, a noble or none, and confirm."""
    page = player.page
    _hover_a_simple_tile(page)
    page.locator(".space:hover").click()
    while (need := player.need()) is not None:
        if need == "card":
            page.locator(".hand .card").first.click()
        else:
            player.choose(need)
    player.confirm()


def _hover_a_simple_tile(page: Page) -> None:
    """Hover a tile that can be placed on a single square only."""
    for space in page.locator(".space:not(.faded)").all():
        space.hover()
        if page.locator("[data-target]").count() == 1:
            return
