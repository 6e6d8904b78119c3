"""Several people at one table, in several browsers or sharing one."""

import pytest
from playwright.sync_api import Page, expect

from .page_player import PagePlayer
from .recorded_tables import TABLE, game_at, open_table, serve_table
from .socket_traffic import SocketProxy, SocketTraffic
from .visitors import Visitors, last_game, text_on_screen

BOTH = ("rewards", "wild_boar")


def set_up(page: Page) -> None:
    """Set up a game like the last one."""
    page.goto("/#new")
    page.locator("main form button.main").click()
    page.wait_for_url("**/table/*")


def sit_down(page: Page, link: str, name: str) -> None:
    """Open a join link and take a chair."""
    page.goto(link)
    page.get_by_role("textbox", name="name").fill(name)
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_url("**/table/*")


@pytest.mark.parametrize("rounds", [3, pytest.param(18, marks=pytest.mark.exhaustive)])
def test_four_people_at_four_browsers(visitors: Visitors, rounds: int) -> None:
    """The largest game, joined by link: its first turns or all 72, without any secret sent to others."""
    owner = visitors.new_page(
        preferences=last_game("person", "open", "open", "open", edition="imperial", expansions=BOTH)
    )
    pages = [owner, *(visitors.new_page() for _ in range(3))]
    traffic, players = [SocketTraffic(page) for page in pages], [PagePlayer(page) for page in pages]
    set_up(owner)
    link = owner.get_by_role("textbox", name="Invite").input_value()
    for page, name in zip(pages[1:], ("Berta", "Camilo", "Dora"), strict=True):
        sit_down(page, link, name)
    for page in pages:
        page.get_by_role("button", name="ready").click()
    for phase in ("garden_sides", "reward_sides"):
        for player in players:
            player.take_side(phase)
    _play_together(players, 4 * rounds)
    assert [player.played for player in players] == [rounds] * 4
    assert [secret for each in traffic for secret in each.secrets()] == []
    stages = {each.views[-1]["stage"] for each in traffic}
    if rounds < 18:
        assert stages == {"playing"}
        return
    totals = players[0].totals()
    assert len(totals) == 4 and all(player.totals() == totals for player in players)
    assert stages == {"over"}


def _play_together(players: list[PagePlayer], turns: int) -> None:
    """Play turns in seat order. Everyone sees a turn before the next one."""
    in_order = sorted(players, key=lambda player: player.seat)
    for turn in range(turns):
        player = in_order[turn % 4]
        player.wait_for_turn()
        player.stage()
        player.confirm()
        for other in players:
            other.wait_for_log(turn + 1)


def test_simultaneous_picks(visitors: Visitors) -> None:
    """Two people who pick at the same time need only one click each."""
    owner, friend = visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()
    proxy = SocketProxy(friend)
    set_up(owner)
    sit_down(friend, owner.get_by_role("textbox", name="Invite").input_value(), "Berta")
    for page in (owner, friend):
        page.get_by_role("button", name="ready").click()
    PagePlayer(friend).phase_to_pick()
    proxy.hold()
    PagePlayer(owner).take_side()
    friend.locator("[data-phase] button.main").click()
    proxy.release()
    for page in (owner, friend):
        page.locator(".table").wait_for()


def begin_game(players: list[PagePlayer], watcher: PagePlayer) -> None:
    """Bring two people and a spectator to a table by the links of the lobby, and pick sides."""
    pages = [player.page for player in players]
    set_up(pages[0])
    watcher.page.goto(pages[0].get_by_role("textbox", name="watch").input_value())
    sit_down(pages[1], pages[0].get_by_role("textbox", name="Invite").input_value(), "Berta")
    for page in pages:
        page.get_by_role("button", name="ready").click()
    for player in players:
        player.take_side()
    for page in (*pages, watcher.page):
        page.locator(".table").wait_for()


def test_a_spectator_sees_no_secrets(visitors: Visitors) -> None:
    """A spectator with the watch link sees all turns, no hand, and no controls."""
    pages = [visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()]
    players, watcher = [PagePlayer(page) for page in pages], PagePlayer(visitors.new_page())
    traffic = SocketTraffic(watcher.page)
    begin_game(players, watcher)
    in_order = sorted(players, key=lambda player: player.seat)
    for turn in range(4):
        in_order[turn % 2].wait_for_turn()
        in_order[turn % 2].stage()
        in_order[turn % 2].confirm()
        watcher.wait_for_log(turn + 1)
        assert watcher.page.locator("[data-card], .turn, .hand, .missions").count() == 0
    assert traffic.secrets() == [] and traffic.views[-1]["game"]["hand"] == []


def test_reload_reconnect_and_stand_in(visitors: Visitors) -> None:
    """Staged turns survive a reload, events a lost connection, and a stand-in plays during an absence."""
    visitors.ignore_errors("ERR_FAILED")  # the page tries to connect
    pages = [visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()]
    players, watcher = [PagePlayer(page) for page in pages], PagePlayer(visitors.new_page())
    proxies = [SocketProxy(page) for page in pages]
    begin_game(players, watcher)
    first, second = sorted(range(2), key=lambda person: players[person].seat)
    players[first].wait_for_turn()
    players[first].stage()
    staged = players[first].staged()
    pages[first].reload()
    players[first].wait_for_turn()
    assert players[first].staged() == staged
    proxies[second].disconnect()
    expect(pages[second].locator(".connection")).to_be_visible()
    players[first].confirm()
    watcher.wait_for_log(1)
    proxies[second].restore()
    players[second].wait_for_turn()
    pages[second].locator(".menu summary").click()
    pages[second].get_by_role("button", name="Let a computer play for me").click()
    players[first].wait_for_log(3)  # the stand-in, and its turn
    players[first].wait_for_turn()
    watcher.wait_for_log(3)
    expect(watcher.page.get_by_text("away, a computer plays").first).to_be_visible()
    expect(watcher.page.locator(".log .stand-in")).to_have_count(1)
    pages[second].get_by_role("button", name="Take my seat back").click()
    players[first].stage()
    players[first].confirm()
    players[second].wait_for_turn()
    logs = [player.page.locator(".log li").all_inner_texts() for player in (*players, watcher)]
    assert logs[0] == logs[1] == logs[2]


def test_two_people_share_a_screen(visitors: Visitors) -> None:
    """A curtain hides all hands until the next person opens it."""
    page = visitors.new_page(preferences=last_game("person", "person"))
    traffic, player = SocketTraffic(page), PagePlayer(page)
    set_up(page)
    for _ in range(2):
        _open_curtain(page)
        player.take_side()
    for turn in range(6):
        _open_curtain(page)
        player.wait_for_turn()
        known = next(view for view in reversed(traffic.views) if view["you"]["seat"] == player.seat)
        shown = [card.get_attribute("data-card") for card in player.cards.all()]
        assert shown == known["game"]["hand"] and known["game"]["turn"] == turn
        player.stage()
        player.press(page.locator(".turn button.main"))
        page.locator(".pass-device").wait_for()


def _open_curtain(page: Page) -> None:
    """Check that a curtain hides everything, and open it."""
    page.locator(".pass-device, [data-phase], .turn").first.wait_for()
    if page.locator(".pass-device").count():
        assert page.locator("[data-card], [data-garden], [data-phase], .missions").count() == 0
        page.locator(".pass-device button").click()
    expect(page.locator(".pass-device")).to_have_count(0)


def test_qr_code_of_a_link(visitors: Visitors) -> None:
    """A QR code of a link can be shown and hidden, and has an accessible name."""
    page = visitors.new_page(preferences=last_game("person", "open"))
    set_up(page)
    shown = page.get_by_role("img", name="QR code: Invite")
    page.get_by_role("button", name="QR code").first.click()
    expect(shown).to_be_visible()
    assert len(shown.locator("path").get_attribute("d") or "") > 1000
    page.get_by_role("button", name="Hide QR code").click()
    expect(shown).to_have_count(0)


def test_opening_the_server_to_the_network(visitors: Visitors) -> None:
    """The page says that the server is local. One click opens it to the network and changes the links."""
    page = visitors.new_page(preferences=last_game("person", "open"))
    local = {"extent": "computer", "urls": [], "may_open": True}
    opened = {"extent": "network", "urls": ["http://192.168.1.7:8017"], "may_open": False}
    page.route(
        "**/api/reach", lambda route: route.fulfill(json=opened if route.request.method == "POST" else local)
    )
    set_up(page)
    link = page.get_by_role("textbox", name="Invite")
    assert link.input_value().startswith(visitors.site)
    page.get_by_role("button", name="Let others on this network join").click()
    expect(text_on_screen(page, "everyone on your local network")).to_be_visible()
    assert link.input_value().startswith("http://192.168.1.7:8017/join/")


def test_a_link_to_another_waiting_table(visitors: Visitors) -> None:
    """While others are awaited, the page links to another table that waits for the user."""
    page = visitors.new_page(preferences=last_game("person", "level:1"))
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    waiting = page.url
    page.clock.install()
    view, events = game_at("imperial-rewards-boar-4", 1)
    game = {**view["game"], "to_move": 2}
    sockets = serve_table(page, {**view, "game": game, "options": None, "waiting": [2]}, events)
    page.goto(f"/table/{TABLE}")
    page.locator(".table").wait_for()
    page.clock.run_for(3_100)
    link = page.get_by_role("link", name="Your turn elsewhere")
    link.wait_for()
    assert len(sockets) == 1  # the other table opens one too
    link.click()
    page.wait_for_url(waiting)


def test_voting_for_a_stand_in(visitors: Visitors) -> None:
    """The button for a stand-in appears at the time given by the server."""
    view, events = game_at("imperial-rewards-boar-4", 1)
    game = {**view["game"], "to_move": 2}
    persons = [{**chair, "sitter": "person", "player": None, "votes": []} for chair in view["chairs"]]
    you = {**view["you"], "may": [*view["you"]["may"], "vote"]}
    waiting_view = {**view, "game": game, "options": None, "waiting": [2], "chairs": persons, "you": you}
    label = "Let a computer play for Camilo"
    for vote_from, count in ((0, 1), (4e9, 0)):
        page = visitors.new_page()
        open_table(page, {**waiting_view, "vote_from": vote_from}, events)
        page.locator(".table").wait_for()
        expect(page.get_by_role("button", name=label)).to_have_count(count)
