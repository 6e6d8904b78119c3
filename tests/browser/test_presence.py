"""Presence: a person who closes the browser is shown as away; a person who waits can nudge."""

import json
import re

from playwright.sync_api import expect

from .page_player import PagePlayer
from .recorded_tables import NAMES, game_at, open_table
from .test_multiplayer import begin_game
from .visitors import Visitors, last_game, text_on_screen


def test_a_person_who_closes_the_browser_is_shown_as_away(visitors: Visitors) -> None:
    """The others see who has left and who is back."""
    pages = [visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()]
    players, watcher = [PagePlayer(page) for page in pages], PagePlayer(visitors.new_page())
    begin_game(players, watcher)
    first, second = sorted(players, key=lambda player: player.seat)
    panel = second.page.locator("button.seat .foot")
    expect(panel).to_contain_text("thinking")
    table, profile = first.page.url, first.page.context
    first.page.close()
    expect(panel).to_contain_text("not here")
    text_on_screen(second.page, "is not at the table right now.").first.wait_for()
    profile.new_page().goto(table)
    expect(panel).to_contain_text("thinking")


def test_a_spectator_in_the_lobby_is_told_so(visitors: Visitors) -> None:
    """A person with the watch link learns that they have no seat; an invited guest is asked to take one."""
    owner, watcher = visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()
    owner.goto("/#new")
    owner.locator("main form button.main").click()
    owner.wait_for_url("**/table/*")
    watcher.goto(owner.get_by_role("textbox", name="watch").input_value())
    text_on_screen(watcher, "You are watching.").wait_for()
    expect(owner.locator(".watching")).to_have_count(0)
    guest = visitors.new_page()
    guest.goto(owner.get_by_role("textbox", name="Invite").input_value())
    guest.get_by_role("button", name="Take a seat").wait_for()
    expect(guest.locator(".watching")).to_have_count(0)


def test_a_nudge_is_sent_once_and_rings(visitors: Visitors) -> None:
    """The button sends one nudge and is then disabled. The nudge changes the title of the other page, and its
    message is in front of dialogs.
    """
    view, events = game_at("imperial-rewards-boar-4", 1)
    chairs = [{**chair, "sitter": "person", "player": None} for chair in view["chairs"]]
    other = next(chair["chair"] for chair in chairs if chair["chair"] != view["you"]["chair"])
    waiting = {**view, "chairs": chairs, "since": 0, "waiting": [other], "options": None}
    page = visitors.new_page()
    sockets = open_table(page, waiting, events)
    button = page.get_by_role("button", name=f"Nudge {NAMES[other]}")
    messages: list[dict[str, object]] = []
    button.wait_for()
    sockets[-1].on_message(lambda text: messages.append(json.loads(text)))
    button.click()
    expect(button).to_be_disabled()
    assert {"type": "nudge", "chair": other} in messages

    own = view["you"]["chair"]
    page = visitors.new_page()
    sockets = open_table(page, {**view, "chairs": chairs, "waiting": [own]}, events)
    page.locator(".turn").wait_for()
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    sockets[-1].send(json.dumps({"type": "nudge", "by": other, "chair": own}))
    expect(page.locator(".toast")).to_contain_text(f"{NAMES[other]} is waiting for your turn")
    assert page.locator(".toast-area").evaluate("it => it.matches(':popover-open')"), "in front of the dialog"
    expect(page).to_have_title(re.compile("🔔"))
