"""Staging a turn: every step can be undone, every refusal is explained, and nothing is lost."""

import re

import pytest
from playwright.sync_api import expect

from .page_player import PagePlayer
from .recorded_tables import FULLEST, Json, Sockets, game_at, open_table, recorded
from .screens import SCREENS
from .socket_traffic import RESTART_CODE, SocketProxy, SocketTraffic, go_online
from .visitors import Size, Visitors

EACH_REFUSAL = pytest.mark.parametrize(
    ("view", "turn", "rule"),
    [
        pytest.param(entry["view"], refused["turn"], refused["rule"], id=code)
        for code, (entry, refused) in sorted(
            {
                refused["code"]: (entry, refused)
                for entry in (*recorded("refused"), *recorded("boar-2"))
                for refused in entry["refused"]
            }.items()
        )
    ],
)


def _start_game(visitors: Visitors) -> PagePlayer:
    player = PagePlayer(visitors.new_page())
    player.begin()
    player.wait_for_turn()
    return player


def _open_longest_turn(visitors: Visitors) -> tuple[PagePlayer, Sockets]:
    player = PagePlayer(visitors.new_page())
    sockets = open_table(player.page, FULLEST)
    player.wait_for_turn()
    return player, sockets


def _take_step(player: PagePlayer, step: int) -> None:
    """Take one of the five steps of the longest turn."""
    page = player.page
    player.press(
        (
            page.locator("[data-card='24']"),
            page.locator("[data-space='4']"),
            page.locator("[role=gridcell][data-square=e4]"),
            page.locator("[data-target=boar]").first,
            page.locator("[data-target=stop]").first,
        )[step]
    )


@pytest.mark.parametrize("way", ["Undo", "Escape", "u"])
def test_every_step_can_be_undone(visitors: Visitors, way: str) -> None:
    """Each step can be undone, with the button or a key, down to the first."""
    player, _ = _open_longest_turn(visitors)
    page, states = player.page, [player.staged()]
    undo = page.get_by_role("button", name="Undo")
    for step in range(5):
        _take_step(player, step)
        states.append(player.staged())
    assert player.need() is None and len({tuple(state) for state in states}) == 6
    for state in reversed(states[:-1]):
        if way == "Undo":
            undo.click()
        else:
            page.keyboard.press(way)
        assert player.staged() == state
    expect(undo).to_be_disabled()


def test_a_turn_can_be_staged_again_after_undo(visitors: Visitors) -> None:
    """A turn that was undone completely can be staged again and played."""
    player = _start_game(visitors)
    player.stage()
    undo = player.page.get_by_role("button", name="Undo")
    while undo.is_enabled():
        undo.click()
    player.stage()
    player.confirm()


@pytest.mark.parametrize("first", ["card", "tile"])
def test_another_card_can_always_be_chosen(visitors: Visitors, first: str) -> None:
    """A tile that the other card cannot take is put back, with the rule. Undo restores it."""
    player = PagePlayer(visitors.new_page())
    page, view = player.page, game_at("ravensburger-2", 1)[0]
    one, other = view["game"]["hand"]
    spaces_by_card = view["options"]["cards"]
    space = next(space for space in spaces_by_card[one] if space not in spaces_by_card[other])
    open_table(page, view)
    if first == "card":
        page.locator(f"[data-card='{one}']").click()
    page.locator(f"[data-space='{space}']").click()
    staged = player.staged()
    page.locator(f"[data-card='{other}']").click()
    expect(page.locator(f"[data-card='{other}']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(f"[data-space='{space}']")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".toast")).to_contain_text("The tile is back on the display")
    expect(page.get_by_role("status").filter(has_text="The tile is back on the display")).to_have_count(1)
    expect(page.locator(".toast").get_by_role("button", name=re.compile("R1[4-7]"))).to_be_visible()
    page.keyboard.press("u")
    assert player.staged() == staged
    expect(page.locator(".toast")).to_have_count(0)


@EACH_REFUSAL
def test_a_refused_turn_is_explained(visitors: Visitors, view: Json, turn: str, rule: str) -> None:
    """Every refusal shows its reason and rule, and nothing is staged."""
    player = PagePlayer(visitors.new_page())
    page = player.page
    open_table(page, view)
    player.wait_for_turn()
    before = player.staged()
    player.type(turn)
    expect(page.get_by_role("status")).to_have_text(re.compile(r"\w.*\."))
    expect(page.locator(".toast").get_by_role("button", name=rule)).to_be_visible()
    assert player.staged() == before
    expect(page.locator(".turn button.main")).to_be_disabled()


def test_an_unavailable_space_is_explained(visitors: Visitors) -> None:
    """Clicking an unavailable space names a rule, which opens in the rules."""
    page = visitors.new_page()
    open_table(page, *game_at("ravensburger-2", 1))  # a card for rows 2 and 5 is in the hand
    page.locator(".hand .card").last.click()
    closed = page.locator("[data-space][aria-disabled=true]")
    closed.first.click(force=True)  # it is marked as disabled
    rule = page.locator(".toast").get_by_role("button", name=re.compile("R1[4-7]"))
    number = re.search(r"R\d+", rule.inner_text())
    assert number is not None
    rule.click()
    expect(page.locator(f"[data-rule={number[0]}]")).to_be_in_viewport()


def test_a_noble_does_not_stop_on_a_gardener(visitors: Visitors) -> None:
    """R20: the stop is refused with the rule, and the turn waits for another."""
    player, _ = _open_longest_turn(visitors)
    for step in range(4):
        _take_step(player, step)
    gardener = FULLEST["game"]["gardens"][player.seat]["gardeners"][0]
    player.press(player.page.locator(f"[role=gridcell][data-square={gardener}]"))
    expect(player.page.locator(".toast").get_by_role("button", name="R20")).to_be_visible()
    assert player.need() == "noble"


def test_a_staged_turn_survives_a_reload(visitors: Visitors) -> None:
    """All staged steps are kept after a reload, at every step."""
    player, _ = _open_longest_turn(visitors)
    for step in range(5):
        _take_step(player, step)
        before = player.staged()
        player.page.reload()
        player.wait_for_turn()
        assert player.staged() == before, step


def test_a_staged_turn_survives_a_lost_connection(visitors: Visitors) -> None:
    """The page reports the lost connection and reconnects. Staging continues meanwhile."""
    player, sockets = _open_longest_turn(visitors)
    for step in range(5):
        before, banner = player.staged(), player.page.locator(".connection")
        sockets[-1].close(code=RESTART_CODE)
        banner.wait_for()
        assert player.staged() == before
        _take_step(player, step)
        go_online(player.page)
        expect(banner).to_have_count(0)
        assert player.staged() != before
        player.wait_for_turn()
    assert player.need() is None and len(sockets) == 6


def test_confirming_a_turn_while_disconnected(visitors: Visitors) -> None:
    """The turn is sent once, after reconnecting, and the page catches up."""
    visitors.ignore_errors("ERR_FAILED")
    page = visitors.new_page()
    player, proxy, traffic = PagePlayer(page), SocketProxy(page), SocketTraffic(page)
    player.begin()
    player.wait_for_turn()
    player.stage()
    proxy.disconnect()
    page.locator(".connection").wait_for()
    before = player.log_length()
    player.press(page.locator(".turn button.main"))
    proxy.restore()
    player.wait_until_played(before)
    expect(page.locator(".connection")).to_have_count(0)
    assert player.wait_for_turn()
    assert len(traffic.views[-1]["game"]["unplayed"][player.seat]) == 17


def test_staging_a_hint(visitors: Visitors) -> None:
    """A hint shows its reasons and can be staged and played."""
    player = _start_game(visitors)
    page = player.page
    with page.expect_response("**/hint") as answer:
        page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint .candidate").first).to_be_visible()
    reasons = [reason["sentence"] for reason in answer.value.json()["reasons"]]
    expect(page.locator(".hint .reasons li")).to_have_text(reasons)
    page.locator(".hint").get_by_role("button", name="Set up").click()
    assert player.need() is None
    player.confirm()


def test_choosing_a_noble_first_is_explained(visitors: Visitors) -> None:
    """R14: choosing a noble before a card is refused, and nothing is staged."""
    player = PagePlayer(visitors.new_page())
    open_table(player.page, *game_at("ravensburger-2", 1))
    player.wait_for_turn()
    notice = player.page.locator(".toast")
    for noble in ("[data-door]:has(svg)", "[role=gridcell]:has(.noble)"):
        player.press(player.page.locator(noble).first)
        expect(notice).to_contain_text("R14")
        player.page.keyboard.press("Escape")
        expect(notice).to_have_count(0)
    assert set(player.staged()) == {"–"}


def test_notices_disappear(visitors: Visitors) -> None:
    """A notice disappears after some time or with the next step, but stays while it has the focus."""
    page = visitors.new_page()
    page.clock.install()
    player = PagePlayer(page)
    open_table(page, *game_at("ravensburger-2", 1))
    player.wait_for_turn()
    notice = page.locator(".toast")
    player.type("zz@9")
    page.locator(".toast button").last.focus()
    page.clock.run_for(20_000)
    expect(notice).to_be_visible()
    page.locator(".typed input").focus()
    page.clock.run_for(15_100)
    expect(notice).to_have_count(0)
    player.type("zz@9")
    expect(notice).to_be_visible()
    player.press(player.cards.first)
    expect(notice).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 740), (844, 390)])
def test_a_refusal_does_not_cover_its_square(visitors: Visitors, size: Size) -> None:
    """On a scrolled table it is below a square at the upper edge."""
    page = visitors.new_page(size, "de")
    SCREENS["staged"](page)
    square, toast = page.locator("[role=gridcell][data-square=d1]"), page.locator(".toast")
    page.evaluate("scrollBy(0, 80)")
    square.click()
    message, tapped = toast.bounding_box(), square.bounding_box()
    assert message and tapped and tapped["y"] < 60 < message["y"]
    assert message["y"] >= tapped["y"] + tapped["height"]
