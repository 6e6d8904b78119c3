"""The way in: from a first visit to a turn, and back to a game that was left."""

from playwright.sync_api import expect

from sanssouci.editions import shipped_boards, write_boards

from .guests import Guests
from .hands import Hand
from .post import Post

COUNT = "window.clicks = 0; addEventListener('click', (click) => click.isTrusted && window.clicks++, true)"


def test_six_clicks_to_a_first_turn(guests: Guests) -> None:
    """On a first visit: Play, a side, a tile with its card, a noble or none, Confirm."""
    page = guests.comes()
    page.add_init_script(COUNT)
    post, hand = Post(page), Hand(page)
    hand.begin()
    hand.wait_for_turn()
    options = post.views[-1]["options"]
    plain = [space for space, squares in options["spaces"].items() if len(squares) == 1]
    card, space = next(
        (card, space) for card in options["cards"] for space in options["cards"][card] if f"{space}" in plain
    )
    page.locator(f"[data-card='{card}']").click()
    page.locator(f"[data-space='{space}']").click()
    while (need := hand.need()) is not None:
        hand.choose(need)
    hand.confirm()
    assert page.evaluate("window.clicks") <= 6


def test_a_game_that_was_left_goes_on(guests: Guests) -> None:
    """It stands on the start page, and shows the table as it was."""
    page = guests.comes()
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    hand.stage()
    hand.confirm()
    assert hand.wait_for_turn()
    before = hand.told()
    page.goto("/")
    page.locator(".own a, .own button").first.click()
    hand.wait_for_turn()
    expect(page.locator(".log li")).to_have_count(before)


def test_a_game_with_the_boards_of_the_own_box(guests: Guests) -> None:
    """They come from a file; one that is wrong is refused with its field, and the choice stays."""
    guests.forgive("status of 422")
    page = guests.comes()
    post, hand = Post(page), Hand(page)
    page.goto("/#new")
    boards = write_boards(shipped_boards("bosquet")).replace('"bosquet"', '"my box"', 1)
    chosen = page.locator(".boards select")

    def open_file(text: str) -> None:
        page.locator(".boards input[type=file]").set_input_files(
            {"name": "box.toml", "mimeType": "text/plain", "buffer": text.encode()}
        )

    open_file(boards.replace('"+1"', '"+9"', 1))
    expect(page.locator(".notice")).to_contain_text("boards.rewards.1.front")
    assert chosen.evaluate("select => select.selectedIndex") == 0
    open_file(boards)
    expect(chosen.locator("option:checked")).to_have_text("My box")
    page.locator(".begin .main").click()
    hand.pick()
    hand.wait_for_turn()
    assert post.views[-1]["terms"]["boards"]["name"] == "my box"
    page.goto("/#new")
    expect(chosen.locator("option:checked")).to_have_text("My box")
