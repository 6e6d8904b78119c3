"""How soon a computer player's turn arrives at the page, over whole games."""

from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser

from .figures import Times
from .visits import probed, seated, visit

_ANSWERED = """answers => document.querySelector(".end") ||
  probe.arrivals().filter(({ chair, confirmed }) => chair !== 0 && confirmed !== null).length >= answers"""
"""Whether all others have played since somebody has confirmed so often, or the game is over."""


def measure_answers(
    site: str, browser: Browser, preferences: dict[str, Any], games: int, turns: int
) -> Times:
    """From Confirm, or from the turn before it where that was a computer player's too."""
    waits: list[float] = []
    others = len(preferences["lastGame"]["chairs"]) - 1
    for _ in range(games):
        with visit(site, browser, preferences, moving=False) as page:
            hand = seated(page)
            while hand.played < turns and hand.wait_for_turn():
                hand.stage()
                hand.confirm()
                page.wait_for_function(_ANSWERED, arg=hand.played * others)
            waits += waits_of(probed(page, "arrivals()"))
    return Times.of(waits)


def waits_of(arrivals: list[dict[str, Any]], own: int = 0) -> list[float]:
    """Of every turn of the others but a first of all: there is nothing that it could count from."""
    waits: list[float] = []
    for before, arrival in pairwise(arrivals):
        if arrival["chair"] != own:
            begun = arrival["confirmed"] if before["chair"] == own else before["at"]
            if begun is not None:
                waits.append(arrival["at"] - begun)
    return waits
