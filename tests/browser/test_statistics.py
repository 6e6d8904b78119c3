"""A guest's statistics: a played game is listed, exported and deleted."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from ..harness.builders import legal_command
from .page_player import PagePlayer
from .visitors import Visitors

Json = dict[str, Any]

_HAS_CHANGED = "async ([path, seq]) => (await (await fetch(path)).json()).seq > seq"
"""Whether the computer player has acted since an event."""


def play_on(page: Page, turns: int = 1000) -> Json:
    """Play the shown game by HTTP with the cookie of the page, to its end.

    Or until ``turns`` commands were sent and it is the user's turn.
    """
    site, _, table = page.url.partition("/table/")
    sent = 0
    for number in range(5000):
        view: Json = page.request.get(f"/api/tables/{table}").json()
        own_turn = view["you"]["chair"] in view["waiting"]
        if view["ending"] is not None or (own_turn and sent == turns):
            return view
        if own_turn:
            message = {"command_id": f"{number:032x}", "expected_seq": view["seq"]}
            message["command"] = legal_command(view)
            message["chair"] = view["you"]["chair"]
            done = page.request.post(f"/api/tables/{table}/commands", data=message, headers={"origin": site})
            assert done.ok or done.status == 409, done.text()  # the computer player was quicker
            sent += done.ok
        else:
            page.wait_for_function(_HAS_CHANGED, arg=[f"/api/tables/{table}", view["seq"]])
    raise AssertionError("the game does not end")


def _saved(page: Page, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return Path(download.value.path()).read_text(encoding="utf-8")


def test_a_game_is_listed_exported_and_deleted(visitors: Visitors) -> None:
    """Statistics, CSV and JSON show the scores of the table, until they are deleted."""
    page = visitors.new_page()
    PagePlayer(page).begin()
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
