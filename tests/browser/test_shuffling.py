"""The shuffle in the browser: nonces are kept, revealed without a click, and compared at the end."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sanssouci.dealer import FAIR_3, deal_commitment, deal_terms, nonce_commitment
from sanssouci.rules import Variant

from ..harness.builders import NONCE
from .page_player import PagePlayer
from .recorded_tables import TABLE, game_at, open_table
from .screens import show_lobby
from .socket_traffic import SocketProxy, SocketTraffic
from .test_links import RECORD_COPIES
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
    assert post.views[0]["scheme"] == "fair/3" and post.views[0]["deal_commitment"]


def test_everyone_can_copy_the_commitment_to_the_deal_during_the_game(visitors: Visitors) -> None:
    """It is the same in both browsers, and each says that it has computed it."""
    owner, friend = visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()
    post = SocketTraffic(owner)
    friend.add_init_script(RECORD_COPIES)
    set_up(owner)
    sit_down(friend, owner.get_by_role("textbox", name="Invite").input_value(), "Berta")
    for page in (owner, friend):
        page.get_by_role("button", name="ready").click()
    for page in (owner, friend):
        PagePlayer(page).phase_to_pick()
        PagePlayer(page).take_side()
    for page in (owner, friend):
        open_deal_commitment(page)
        expect(page.get_by_role("textbox", name="fair/3")).to_have_value(post.views[-1]["deal_commitment"])
        expect(text_on_screen(page, "computed the same commitment")).to_be_visible()
    friend.get_by_role("button", name="Copy").click()
    assert friend.evaluate("copies") == [post.views[-1]["deal_commitment"]]


@pytest.mark.parametrize(
    "changed", [{}, {"first": 0}, {"expansions": []}], ids=["none", "start", "expansions"]
)
def test_the_browser_notices_other_terms_during_the_game(visitors: Visitors, changed: dict[str, Any]) -> None:
    """It has noted the commitment to the deal, and computes it again from the terms it is shown now."""
    page = visitors.new_page()
    view, events = game_at("imperial-rewards-boar-4", 1)
    place, terms = view["you"]["chair"], {**view["terms"], "first": None}
    own = nonce_commitment(TABLE, view["commitment"], place, NONCE, FAIR_3)
    committed = [own if chair["chair"] == place else "" for chair in view["chairs"]]
    variant = Variant(4, "imperial", rewards=True, wild_boar=True)
    bound = deal_terms(variant, terms["boards"]["sha256"], None)
    deal = deal_commitment(TABLE, view["commitment"], committed, FAIR_3, bound)
    kept = [{"table": TABLE, "commitment": own, "nonce": NONCE, "deal": deal}]
    page.add_init_script(f"localStorage.setItem('sanssouci.nonces', {json.dumps(json.dumps(kept))})")
    chairs = [{**chair, "commitment": committed[chair["chair"]] or None} for chair in view["chairs"]]
    shown = {"scheme": FAIR_3, "deal_commitment": deal, "chairs": chairs, "terms": terms | changed}
    open_table(page, {**view, **shown}, events)
    page.locator(".turn").wait_for()
    expect(page.locator(".toast", has_text="The server has changed the deal")).to_have_count(
        1 if changed else 0
    )
    open_deal_commitment(page)
    said = "The server has changed the deal" if changed else "computed the same commitment"
    expect(page.get_by_role("dialog").locator("p", has_text=said)).to_be_visible()


def open_deal_commitment(page: Page) -> None:
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Is the deal fair?").click()


def test_the_lobby_says_who_did_not_answer(visitors: Visitors) -> None:
    """In a sentence with the names; one click makes ready again."""
    page = visitors.new_page()
    show_lobby(page, unanswered=["Berta", "Camilo"])
    expect(text_on_screen(page, "Berta and Camilo did not answer during the shuffle")).to_be_visible()
    expect(page.get_by_role("button", name="ready")).to_be_enabled()


def test_a_table_of_an_earlier_version_says_what_it_does_not_promise(visitors: Visitors) -> None:
    """People can get ready there, knowing that a host who plays could influence the shuffle."""
    page = visitors.new_page()
    show_lobby(page, scheme="fair/1")
    expect(text_on_screen(page, "set up by an earlier version")).to_be_visible()
    expect(page.get_by_role("button", name="ready")).to_be_enabled()
