"""Own statistics: a game that was played is there, can be taken along, and is gone when it is deleted."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from ..server.house import next_command
from .guests import Guests
from .hands import Hand

Json = dict[str, Any]


def play_on(page: Page, turns: int = 1000) -> Json:
    """The game that the page shows is played to its end by HTTP, with the cookie of the page.

    Or until so many commands were given, and it is one's turn again.
    """
    site, _, table = page.url.partition("/table/")
    given_so_far = 0
    for number in range(5000):
        view: Json = page.request.get(f"/api/tables/{table}").json()
        mine = view["you"]["chair"] in view["waiting"]
        if view["ending"] is not None or (mine and given_so_far == turns):
            return view
        if mine:
            given = {"command_id": f"{number:032x}", "expected_seq": view["seq"]}
            given["command"] = next_command(view)
            given["chair"] = view["you"]["chair"]
            done = page.request.post(f"/api/tables/{table}/commands", data=given, headers={"origin": site})
            assert done.ok or done.status == 409, done.text()  # the computer player was quicker
            given_so_far += done.ok
        else:
            page.wait_for_timeout(30)  # the computer player thinks
    raise AssertionError("the game does not end")


def _saved(page: Page, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return Path(download.value.path()).read_text(encoding="utf-8")


def test_a_game_is_counted_taken_along_and_deleted(guests: Guests) -> None:
    """What the table showed at its end is what the statistics show, in every form; then it is gone."""
    page = guests.comes()
    Hand(page).begin()
    view = play_on(page)
    seat = view["you"]["seat"]
    score = view["game"]["scores"][seat]
    won = int(seat in view["ending"]["winners"])
    page.goto("/")
    page.get_by_role("link", name="Statistics").click()
    expect(page.locator("dd")).to_have_text(
        ["1", f"{won} {100 * won}%", str(score["total"]), str(score["total"])]
    )
    assert page.locator("[data-opponent='level:3'] .shown").first.inner_text().strip() == f"{won}/1"
    expect(page.locator(f"[data-total='{score['total']}']")).to_have_count(1)
    (line,) = csv.DictReader(StringIO(_saved(page, "CSV")))
    assert {part: int(line[part]) for part in score} == score
    assert json.loads(_saved(page, "JSON"))["games"][0]["score"] == score
    page.get_by_role("button", name="Delete statistics").click()
    page.get_by_role("button", name="Keep them").click()
    page.get_by_role("button", name="Delete statistics").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.locator(".none")).to_be_visible()
    expect(page.locator("h1")).to_be_focused()
    page.reload()
    expect(page.locator(".none")).to_be_visible()
