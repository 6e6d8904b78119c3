"""The time until an opened page can be used."""

from playwright.sync_api import Browser, Page

from .figures import Times
from .visits import company, probed, seat_link, seated, visit

BEGIN = "main .start-bar button"
CARD = ".hand .card"
START_COLD, START_WARM = "start, first visit", "start, again"
TABLE_COLD, TABLE_WARM = "table by its link, first visit", "table, again"


def measure_openings(site: str, browser: Browser, times: int) -> dict[str, Times]:
    """Measure the start page and a table, each with an empty and a full cache."""
    found: dict[str, list[float]] = {name: [] for name in (START_COLD, START_WARM, TABLE_COLD, TABLE_WARM)}
    for _ in range(times):
        with visit(site, browser) as page:
            found[START_COLD].append(_usable(page, BEGIN, "/"))
            found[START_WARM].append(_usable(page, BEGIN, "/"))
        with visit(site, browser, company("level:1")) as owner:
            seated(owner)
            link = seat_link(owner)
        with visit(site, browser) as page:
            found[TABLE_COLD].append(_usable(page, CARD, link))
            found[TABLE_WARM].append(_usable(page, CARD, page.url))
    return {name: Times.of(times) for name, times in found.items()}


def _usable(page: Page, selector: str, address: str) -> float:
    page.add_init_script(f"probe.watchFor({selector!r})")
    page.goto(address)
    page.wait_for_function("() => probe.usable !== null")
    return float(probed(page, "usable"))
