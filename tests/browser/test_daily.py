"""The daily garden: one click to begin, found again, over with a result to paste; the same for everyone."""

import json
import re

from playwright.sync_api import expect

from .guests import Guests
from .test_statistics import play_on


def test_a_daily_garden_from_the_start_to_the_pasted_text(guests: Guests) -> None:
    """Whoever leaves finds the table again; at the end the text has points, parts and garden."""
    page = guests.comes()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/")
    page.get_by_role("link", name="Daily garden").click()
    page.get_by_role("button", name="Play today").click()
    page.wait_for_url("**/table/*")
    table = page.url
    page.goto("/daily")
    page.get_by_role("link", name="Continue today").click()
    page.wait_for_url(table)
    view = play_on(page)
    seat = view["you"]["seat"]
    scores = [score["total"] for score in view["game"]["scores"]]
    page.get_by_role("link", name="your result").click()
    text = page.locator("textarea")
    expect(text).to_have_value(_compiled(f"{scores[seat]} : {scores[1 - seat]}"))
    page.get_by_role("button", name="Copy result").click()
    pasted = page.evaluate("navigator.clipboard.readText()")
    assert pasted == text.input_value() and "127.0.0.1" not in pasted
    signs = "".join(pasted.splitlines()[-6:])
    garden = view["game"]["gardens"][seat]
    assert len(signs) == 54 and len(signs) - signs.count("□") == len(garden["built"])
    assert signs.count("▣") == len(garden["nobles"]) and signs.count("▦") == len(garden["gardeners"])
    expect(page.locator(".days li")).to_have_count(1)
    kept = json.loads(page.evaluate("localStorage.getItem('sanssouci.daily')"))
    assert kept[0]["day"] == view["terms"]["daily"] and kept[0]["end"]["total"] == scores[seat]


def _compiled(points: str) -> "re.Pattern[str]":
    return re.compile(re.escape(points))


def test_two_browsers_get_the_same_garden(guests: Guests) -> None:
    """The same display to begin with, at tables of their own."""
    views = []
    for _ in range(2):
        page = guests.comes()
        page.goto("/daily")
        page.get_by_role("button", name="Play today").click()
        page.wait_for_url("**/table/*")
        views.append(play_on(page, turns=3))
    one, other = views
    assert one["table"] != other["table"] and one["commitment"] == other["commitment"]
    assert [chair["seat"] for chair in one["chairs"]] == [chair["seat"] for chair in other["chairs"]]
    assert one["game"]["hand"] == other["game"]["hand"]
    assert one["game"]["display"] == other["game"]["display"]
