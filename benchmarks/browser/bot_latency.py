"""The time until a computer player's turn arrives at the page, over complete games."""

from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser

from .figures import Times
from .visits import probed, seated, visit

_ANSWERED = """answers => document.querySelector(".end") ||
  probe.arrivals().filter(({ chair, confirmed }) => chair !== 0 && confirmed !== null).length >= answers"""
"""Whether all answers to the confirmed turns have arrived, or the game is over."""


def measure_answers(
    site: str, browser: Browser, preferences: dict[str, Any], games: int, turns: int
) -> Times:
    """Times from Confirm, or from the previous turn if that was a computer player's too."""
    waits: list[float] = []
    others = len(preferences["lastGame"]["chairs"]) - 1
    for _ in range(games):
        with visit(site, browser, preferences, moving=False) as page:
            player = seated(page)
            while player.played < turns and player.wait_for_turn():
                player.stage()
                player.confirm()
                page.wait_for_function(_ANSWERED, arg=player.played * others)
            waits += waits_of(probed(page, "arrivals()"))
    return Times.of(waits)


def waits_of(arrivals: list[dict[str, Any]], own: int = 0) -> list[float]:
    """The waits of all turns of others, except for a very first turn, which has no starting point."""
    waits: list[float] = []
    for before, arrival in pairwise(arrivals):
        if arrival["chair"] != own:
            start = arrival["confirmed"] if before["chair"] == own else before["at"]
            if start is not None:
                waits.append(arrival["at"] - start)
    return waits
