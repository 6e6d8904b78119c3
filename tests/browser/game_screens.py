"""Screens of a running game: links, the commitment to the deal, a stand-in, offers, and past turns."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from .page_player import PagePlayer
from .recorded_tables import SECRET, TABLE, game_at, mock_json, open_table, recorded, send_update, serve_table


def links(page: Page) -> None:
    """The links dialog of a real game: the watch link with its QR code, and the own seat link."""
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    page.locator(".menu summary").click()
    page.locator(".menu .sheet button").filter(has_text=re.compile("Link|Enlace|Lien")).click()
    page.locator("dialog[open] input").first.wait_for()


def deal_commitment(page: Page) -> None:
    """The dialog with the commitment to the deal of a real game."""
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    page.locator(".menu summary").click()
    page.locator(".menu .sheet button").filter(has_text=re.compile("fair|équitable|justo")).click()
    page.locator("dialog[open] textarea").wait_for()


def replaced_seat(page: Page) -> None:
    """A stand-in plays for the user."""
    view, events = game_at("ravensburger-2", 1)
    own = view["you"]["chair"]
    chairs = [{**chair, "away": index == own} for index, chair in enumerate(view["chairs"])]
    open_table(page, {**view, "chairs": chairs, "you": {**view["you"], "may": ["return"]}}, events)
    page.locator(".replaced").wait_for()


def _table_with(page: Page, **changes: Any) -> None:
    """A game of four people, with some fields of the view changed."""
    view, events = game_at("imperial-rewards-boar-4", 1)
    chairs = [{**chair, "sitter": "person", "player": None} for chair in view["chairs"]]
    open_table(page, {**view, "chairs": chairs, **changes}, events)


def _offer(page: Page) -> None:
    """Another person asks to take back a turn."""
    _table_with(page, offer={"number": 1, "what": "take_back", "chair": 2, "agreed": [2]})
    page.locator("dialog.offer[open]").wait_for()


def _offer_waiting(page: Page) -> None:
    """The user has asked for a break, and two people have not answered."""
    view = game_at("imperial-rewards-boar-4", 1)[0]
    own = view["you"]["chair"]
    may = [*view["you"]["may"], "decline"]
    offer = {"number": 1, "what": "pause", "chair": own, "agreed": sorted({own, 2})}
    _table_with(page, offer=offer, you={**view["you"], "may": may})
    page.locator(".notice").wait_for()


def _paused(page: Page) -> None:
    """The people have paused the game."""
    view = game_at("imperial-rewards-boar-4", 1)[0]
    chairs = [{**chair, "sitter": "person", "player": None, "away": True} for chair in view["chairs"]]
    _table_with(page, chairs=chairs, paused=True, you={**view["you"], "may": ["return"]}, options=None)
    page.locator(".replaced").wait_for()


OFFERS: dict[str, Callable[[Page], None]] = {
    "offer": _offer,
    "offer-waiting": _offer_waiting,
    "paused": _paused,
}


def _past(page: Page) -> None:
    """A player looks back at the middle of the game."""
    past = game_at("imperial-rewards-boar-4", 1)[0]["game"]
    view, events = game_at("imperial-rewards-boar-4", 2)
    mock_json(page, "**/past/*", {"turn": past["turn"], "last": view["game"]["turn"], "game": past})
    open_table(page, view, events)
    page.locator(".turn").wait_for()
    page.keyboard.press("b")
    page.get_by_role("slider").fill(str(past["turn"]))
    page.locator(".log [aria-current]").wait_for()


def _past_watching(page: Page) -> None:
    """A spectator looks back while the game continues."""
    update = recorded("timed")
    game = update["view"]["game"]
    turn = game["turn"] - 1
    mock_json(page, "**/past/*", {"turn": turn, "last": turn + 1, "game": {**game, "turn": turn}})
    sockets = serve_table(page, update["view"], update["events"])
    page.goto(f"/watch/{TABLE}#{SECRET}")
    page.locator(".table").wait_for()
    page.keyboard.press("b")
    page.locator(".banner").wait_for()
    later = {**update["view"], "seq": update["view"]["seq"] + 1, "game": {**game, "turn": turn + 2}}
    send_update(sockets, later, [])
    page.locator(".banner").get_by_text(str(turn + 2)).first.wait_for()


PAST: dict[str, Callable[[Page], None]] = {"past": _past, "past-watching": _past_watching}
