"""How soon a computer player's turn arrives at the page, over whole games."""

from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser

from .figures import Times
from .visits import probed, seated, visit


def measure_answers(
    site: str, browser: Browser, preferences: dict[str, Any], games: int, turns: int
) -> Times:
    """From Confirm, or from the turn before it where that was a computer player's too."""
    waits: list[float] = []
    for _ in range(games):
        with visit(site, browser, preferences, moving=False) as page:
            hand = seated(page)
            for _ in range(turns):
                hand.stage()
                hand.confirm()
                if not hand.wait_for_turn():
                    break
            waits += waits_of(probed(page, "arrivals()"))
    return Times.of(waits)


def waits_of(arrivals: list[dict[str, Any]], own: int = 0) -> list[float]:
    """Of every turn of the others; those before the first Confirm have nothing that they could count from."""
    waits: list[float] = []
    for before, arrival in pairwise(arrivals):
        if arrival["chair"] != own:
            begun = arrival["confirmed"] if before["chair"] == own else before["at"]
            if begun is not None:
                waits.append(arrival["at"] - begun)
    return waits
