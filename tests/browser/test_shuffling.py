"""The shuffle in the browser: nonces are kept, revealed without a click, and compared at the end."""

import json

from playwright.sync_api import expect

from .page_player import PagePlayer
from .screens import show_lobby
from .socket_traffic import SocketProxy, SocketTraffic
from .test_multiplayer import set_up, sit_down
from .visitors import Visitors, last_game, text_on_screen


def test_a_nonce_survives_a_reload_and_is_revealed_without_a_click(visitors: Visitors) -> None:
    """While one browser is cut off, the others see that it is awaited; when it is back, the game starts."""
    owner, friend = visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()
    post = SocketTraffic(owner)
    line = SocketProxy(friend)
    set_up(owner)
    sit_down(friend, owner.get_by_role("textbox", name="Invite").input_value(), "Berta")
    friend.get_by_role("button", name="ready").click()
    expect(text_on_screen(friend, "Please keep this page open")).to_be_visible()
    line.hold()
    owner.get_by_role("button", name="ready").click()
    expect(text_on_screen(owner, "Shuffling… Waiting for: Berta.")).to_be_visible()
    expect(owner.get_by_role("button", name="ready")).to_have_count(0)
    line.release()
    friend.reload()
    for page in (owner, friend):
        PagePlayer(page).phase_to_pick()
    kept = json.loads(friend.evaluate("localStorage.getItem('sanssouci.nonces')"))
    assert kept[0]["deal"] == post.views[-1]["deal_commitment"]
    assert post.secrets() == []


def test_a_game_alone_is_shuffled_before_the_table_opens(visitors: Visitors) -> None:
    """Nobody else has to be waited for, so the lobby is not shown; the record is of the new scheme."""
    page = visitors.new_page(preferences=last_game("person", "level:1"))
    post = SocketTraffic(page)
    set_up(page)
    PagePlayer(page).phase_to_pick()
    assert {view["stage"] for view in post.views} == {"picking"}
    assert post.views[0]["scheme"] == "fair/2" and post.views[0]["deal_commitment"]


def test_the_lobby_says_who_did_not_answer(visitors: Visitors) -> None:
    """In a sentence with the names; one click makes ready again."""
    page = visitors.new_page()
    show_lobby(page, unanswered=["Berta", "Camilo"])
    expect(text_on_screen(page, "Berta and Camilo did not answer during the shuffle")).to_be_visible()
    expect(page.get_by_role("button", name="ready")).to_be_enabled()
