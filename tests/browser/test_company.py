"""Several people at one table, each at a browser of their own, or all at one."""

import pytest
from playwright.sync_api import Page, expect

from .guests import Guests, last_game
from .hands import Hand
from .post import Line, Post
from .recorded import TABLE, game_at, show, sit_at

BOTH = ("rewards", "wild_boar")


def set_up(page: Page) -> None:
    """Set up a game like the last one."""
    page.goto("/#new")
    page.locator("main form button.main").click()
    page.wait_for_url("**/table/*")


def sit_down(page: Page, link: str, name: str) -> None:
    """Come by a join link, and take a chair."""
    page.goto(link)
    page.get_by_role("textbox", name="name").fill(name)
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_url("**/table/*")


@pytest.mark.parametrize("rounds", [3, pytest.param(18, marks=pytest.mark.exhaustive)])
def test_four_people_at_four_browsers(guests: Guests, rounds: int) -> None:
    """The fullest game there is, over a join link: its first turns or all 72, nobody was told a secret."""
    owner = guests.comes(
        preferences=last_game("person", "open", "open", "open", edition="imperial", expansions=BOTH)
    )
    pages = [owner, *(guests.comes() for _ in range(3))]
    post, hands = [Post(page) for page in pages], [Hand(page) for page in pages]
    set_up(owner)
    link = owner.get_by_role("textbox", name="Invite").input_value()
    for page, name in zip(pages[1:], ("Berta", "Camilo", "Dora"), strict=True):
        sit_down(page, link, name)
    for page in pages:
        page.get_by_role("button", name="ready").click()
    for phase in ("garden_sides", "reward_sides"):
        for hand in hands:
            hand.take_side(phase)
    _play_together(hands, 4 * rounds)
    assert [hand.played for hand in hands] == [rounds] * 4
    assert [told for letters in post for told in letters.secrets()] == []
    stages = {letters.views[-1]["stage"] for letters in post}
    if rounds < 18:
        assert stages == {"playing"}
        return
    totals = hands[0].totals()
    assert len(totals) == 4 and all(hand.totals() == totals for hand in hands)
    assert stages == {"over"}


def _play_together(hands: list[Hand], turns: int) -> None:
    """One after the other, as they sit; all the others see a turn before the next one is played."""
    in_order = sorted(hands, key=lambda hand: hand.seat)
    for turn in range(turns):
        hand = in_order[turn % 4]
        hand.wait_for_turn()
        hand.stage()
        hand.confirm()
        for other in hands:
            other.see_told(turn + 1)


def test_a_pick_that_crosses_another_one(guests: Guests) -> None:
    """Whoever picks while somebody else does has picked; nobody has to click twice for that."""
    owner, friend = guests.comes(preferences=last_game("person", "open")), guests.comes()
    line = Line(friend)
    set_up(owner)
    sit_down(friend, owner.get_by_role("textbox", name="Invite").input_value(), "Berta")
    for page in (owner, friend):
        page.get_by_role("button", name="ready").click()
    Hand(friend).asked_to_pick()
    line.hold()
    Hand(owner).take_side()
    friend.locator("[data-phase] button.main").click()
    line.release()
    for page in (owner, friend):
        page.locator(".table").wait_for()


def test_who_watches_sees_everything_but_secrets(guests: Guests) -> None:
    """By the watch link of the lobby: the same turns, no hand, and nothing to play with."""
    pages = [guests.comes(preferences=last_game("person", "open")), guests.comes()]
    hands, watcher = [Hand(page) for page in pages], Hand(guests.comes())
    post = Post(watcher.page)
    set_up(pages[0])
    watcher.page.goto(pages[0].get_by_role("textbox", name="watch").input_value())
    sit_down(pages[1], pages[0].get_by_role("textbox", name="Invite").input_value(), "Berta")
    for page in pages:
        page.get_by_role("button", name="ready").click()
    for hand in hands:
        hand.take_side()
    for page in (*pages, watcher.page):
        page.locator(".table").wait_for()
    in_order = sorted(hands, key=lambda hand: hand.seat)
    for turn in range(4):
        in_order[turn % 2].wait_for_turn()
        in_order[turn % 2].stage()
        in_order[turn % 2].confirm()
        watcher.see_told(turn + 1)
        assert watcher.page.locator("[data-card], .turn, .hand, .missions").count() == 0
    assert post.secrets() == [] and post.views[-1]["game"]["hand"] == []


def test_two_people_and_a_watcher_lose_nothing(guests: Guests) -> None:
    """A reload in mid-turn, a line that is lost, somebody for whom a computer plays until they come back."""
    pages = [guests.comes(preferences=last_game("person", "open")), guests.comes()]
    hands, watcher = [Hand(page) for page in pages], Hand(guests.comes())
    lines = [Line(page) for page in pages]
    set_up(pages[0])
    watcher.page.goto(pages[0].get_by_role("textbox", name="watch").input_value())
    sit_down(pages[1], pages[0].get_by_role("textbox", name="Invite").input_value(), "Berta")
    for page in pages:
        page.get_by_role("button", name="ready").click()
    for hand in hands:
        hand.take_side()
    for page in (*pages, watcher.page):
        page.locator(".table").wait_for()
    first, second = sorted(range(2), key=lambda person: hands[person].seat)
    hands[first].wait_for_turn()
    hands[first].stage()
    staged = hands[first].staged()
    pages[first].reload()
    hands[first].wait_for_turn()
    assert hands[first].staged() == staged
    lines[second].cut()
    expect(pages[second].locator(".broken")).to_be_visible()
    hands[first].confirm()
    watcher.see_told(1)
    lines[second].mend()
    hands[second].wait_for_turn()
    pages[second].locator(".menu summary").click()
    pages[second].get_by_role("button", name="Let a computer play for me").click()
    hands[first].see_told(3)  # that it does, and its turn
    hands[first].wait_for_turn()
    watcher.see_told(3)
    expect(watcher.page.get_by_text("away, a computer plays").first).to_be_visible()
    expect(watcher.page.locator(".log .stand-in")).to_have_count(1)
    pages[second].get_by_role("button", name="Take my seat back").click()
    hands[first].stage()
    hands[first].confirm()
    hands[second].wait_for_turn()
    told = [hand.page.locator(".log li").all_inner_texts() for hand in (*hands, watcher)]
    assert told[0] == told[1] == told[2]


def test_two_people_at_one_screen(guests: Guests) -> None:
    """Between them a curtain: nothing of anybody's hand is on the page until the next one asks for it."""
    page = guests.comes(preferences=last_game("person", "person"))
    post, hand = Post(page), Hand(page)
    set_up(page)
    for _ in range(2):
        _come_forward(page)
        hand.take_side()
    for turn in range(6):
        _come_forward(page)
        hand.wait_for_turn()
        known = next(view for view in reversed(post.views) if view["you"]["seat"] == hand.seat)
        shown = [card.get_attribute("data-card") for card in hand.cards.all()]
        assert shown == known["game"]["hand"] and known["game"]["turn"] == turn
        hand.stage()
        hand.press(page.locator(".turn button.main"))
        page.locator(".curtain").wait_for()


def _come_forward(page: Page) -> None:
    """Where a curtain hangs, see that it hides everything, and open it."""
    page.locator(".curtain, [data-phase], .turn").first.wait_for()
    if page.locator(".curtain").count():
        assert page.locator("[data-card], [data-garden], [data-phase], .missions").count() == 0
        page.locator(".curtain button").click()
    expect(page.locator(".curtain")).to_have_count(0)


def test_a_link_can_be_taken_from_the_screen(guests: Guests) -> None:
    """As a QR code, which comes and goes; its name says what it is."""
    page = guests.comes(preferences=last_game("person", "open"))
    set_up(page)
    shown = page.get_by_role("img", name="QR code: Invite")
    page.get_by_role("button", name="QR code").first.click()
    expect(shown).to_be_visible()
    assert len(shown.locator("path").get_attribute("d") or "") > 1000
    page.get_by_role("button", name="Hide QR code").click()
    expect(shown).to_have_count(0)


def test_others_in_the_network_are_let_in(guests: Guests) -> None:
    """The page says that only this computer finds the server; one click, and the links begin otherwise."""
    page = guests.comes(preferences=last_game("person", "open"))
    here = {"extent": "computer", "urls": [], "may_open": True}
    opened = {"extent": "network", "urls": ["http://192.168.1.7:8017"], "may_open": False}
    page.route(
        "**/api/reach",
        lambda route: route.fulfill(json=opened if route.request.method == "POST" else here),
    )
    set_up(page)
    link = page.get_by_role("textbox", name="Invite")
    assert link.input_value().startswith(guests.site)
    page.get_by_role("button", name="Let others on this network join").click()
    expect(page.get_by_text("everyone on your local network")).to_be_visible()
    assert link.input_value().startswith("http://192.168.1.7:8017/join/")


def test_another_table_that_waits_is_one_click_away(guests: Guests) -> None:
    """Where others are awaited; nothing is offered while no other table waits."""
    page = guests.comes(preferences=last_game("person", "level:1"))
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    waiting = page.url
    page.clock.install()
    view, events = game_at("imperial-rewards-boar-4", 1)
    game = {**view["game"], "to_move": 2}
    lines = show(page, {**view, "game": game, "options": None, "waiting": [2]}, events)
    page.goto(f"/table/{TABLE}")
    page.locator(".table").wait_for()
    page.clock.run_for(3_100)
    page.get_by_role("link", name="Your turn elsewhere").click()
    page.wait_for_url(waiting)
    assert len(lines) == 1


def test_others_may_let_a_computer_play(guests: Guests) -> None:
    """For whoever keeps them waiting, from the moment that the server tells; not before."""
    view, events = game_at("imperial-rewards-boar-4", 1)
    game = {**view["game"], "to_move": 2}
    persons = [{**chair, "sitter": "person", "player": None, "votes": []} for chair in view["chairs"]]
    you = {**view["you"], "may": [*view["you"]["may"], "vote"]}
    waits = {**view, "game": game, "options": None, "waiting": [2], "chairs": persons, "you": you}
    ask = "Let a computer play for Camilo"
    for vote_from, asked in ((0, 1), (4e9, 0)):
        page = guests.comes()
        sit_at(page, {**waits, "vote_from": vote_from}, events)
        page.locator(".table").wait_for()
        expect(page.get_by_role("button", name=ask)).to_have_count(asked)
