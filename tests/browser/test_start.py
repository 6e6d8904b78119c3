"""The start page: from a first visit to a turn, and back to a running game."""

from collections import Counter

from playwright.sync_api import expect

from sanssouci.editions import shipped_boards, write_boards

from .page_player import PagePlayer
from .socket_traffic import SocketTraffic
from .visitors import Visitors

COUNT_CLICKS = (
    "window.clicks = 0; addEventListener('click', (click) => click.isTrusted && window.clicks++, true)"
)


def test_five_clicks_to_a_first_turn(visitors: Visitors) -> None:
    """A first visit needs at most five clicks to play a turn: Play, tile, card, noble, Confirm.

    The side of the garden is picked automatically, which a message says. A tile that one card can take needs
    no click for the card; only a gardener needs one for its square.
    """
    page = visitors.new_page()
    page.add_init_script(COUNT_CLICKS)
    traffic, player = SocketTraffic(page), PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    expect(page.locator(".toast")).to_contain_text("In your next game, you choose")
    options = traffic.views[-1]["options"]
    taken_by = Counter(space for spaces in options["cards"].values() for space in spaces)
    more_clicks = {
        space: (taken_by[int(space)] > 1) + (len(squares) > 1) for space, squares in options["spaces"].items()
    }
    space = min(more_clicks, key=more_clicks.__getitem__)
    page.locator(f"[data-space='{space}']").click()
    while (need := player.need()) is not None:
        player.choose(need)
    player.confirm()
    assert page.evaluate("window.clicks") <= 4 + more_clicks[space]


def test_the_side_is_picked_in_the_first_game_only(visitors: Visitors) -> None:
    """R9: in the next game, the owner picks the side."""
    page = visitors.new_page()
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.click()
    page.locator(".table").wait_for()
    page.goto("/")
    page.get_by_role("button", name="Play", exact=False).first.click()
    expect(page.locator("[data-phase=garden_sides] button.main")).to_be_visible()


def test_resuming_a_game(visitors: Visitors) -> None:
    """A running game is listed on the start page and opens as it was."""
    page = visitors.new_page()
    traffic, player = SocketTraffic(page), PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    player.stage()
    player.confirm()
    assert player.wait_for_turn()
    played = traffic.views[-1]["game"]["turn"]
    page.goto("/")
    page.locator(".own a, .own button").first.click()
    player.wait_for_turn()
    expect(page.locator(".log li")).to_have_count(played)


def test_a_game_with_custom_boards(visitors: Visitors) -> None:
    """Boards are loaded from a file. An invalid file names its wrong field and keeps the choice."""
    visitors.ignore_errors("status of 422")
    page = visitors.new_page()
    traffic, player = SocketTraffic(page), PagePlayer(page)
    page.goto("/#new")
    boards = write_boards(shipped_boards("bosquet")).replace('"bosquet"', '"my box"', 1)
    chosen = page.locator(".boards select")

    def open_file(text: str) -> None:
        page.locator(".boards input[type=file]").set_input_files(
            {"name": "box.toml", "mimeType": "text/plain", "buffer": text.encode()}
        )

    open_file(boards.replace('"+1"', '"+9"', 1))
    expect(page.locator(".toast")).to_contain_text("boards.rewards.1.front")
    assert chosen.evaluate("select => select.selectedIndex") == 0
    open_file(boards)
    expect(chosen.locator("option:checked")).to_have_text("My box")
    page.locator(".start-bar .main").click()
    player.pick()
    player.wait_for_turn()
    assert traffic.views[-1]["terms"]["boards"]["name"] == "my box"
    page.goto("/#new")
    expect(chosen.locator("option:checked")).to_have_text("My box")


def test_the_rules_have_an_address(visitors: Visitors) -> None:
    """It opens them on the start page, at a rule if it names one."""
    page = visitors.new_page()
    response = page.goto("/rules#R20")
    assert response is not None and response.status == 200
    rules = page.get_by_role("dialog")
    rule = rules.locator("[data-rule=R20]")
    expect(rule).to_be_in_viewport()
    expect(rule.locator(".drawing").first.locator(".letter")).to_have_text(list("abcdefghi"))
    page.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sanssouci")
    assert page.evaluate("location.pathname") == "/"
