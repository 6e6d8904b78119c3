"""Past turns during a game: shown as they were, and the game can be rejoined."""

from playwright.sync_api import Page, Response, expect

from .page_player import PagePlayer
from .socket_traffic import SocketTraffic
from .test_multiplayer import set_up, sit_down
from .visitors import Visitors, last_game

LABELS = """() => [...document.querySelectorAll(".board .garden [data-square], .display-column [data-space]")]
  .map(one => one.getAttribute("aria-label"))"""


def _start_game(visitors: Visitors) -> tuple[list[PagePlayer], PagePlayer]:
    """Two players in seat order, after picking, and a spectator."""
    pages, watcher = (
        [visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()],
        visitors.new_page(),
    )
    set_up(pages[0])
    watcher.goto(pages[0].get_by_role("textbox", name="watch").input_value())
    sit_down(pages[1], pages[0].get_by_role("textbox", name="Invite").input_value(), "Berta")
    for page in pages:
        page.get_by_role("button", name="ready").click()
    players = [PagePlayer(page) for page in pages]
    for player in players:
        player.take_side()
    for page in (*pages, watcher):
        page.locator(".table").wait_for()
    return sorted(players, key=lambda player: player.seat), PagePlayer(watcher)


def _play(players: list[PagePlayer], turn: int) -> None:
    player = players[turn % 2]
    player.wait_for_turn()
    player.stage()
    player.confirm()


def _expect_turn(page: Page, turn: int, last: int) -> None:
    expect(page.get_by_role("heading", name=f"Turn {turn} of {last}", exact=True)).to_be_visible()


def _labels(page: Page) -> list[str]:
    labels: list[str] = page.evaluate(LABELS)
    assert len(labels) > 50, "a garden and a display"
    return labels


def test_a_spectator_looks_back(visitors: Visitors) -> None:
    """Past turns are opened by log, keys and slider. New turns are reported. Escape leads back."""
    players, watcher = _start_game(visitors)
    page, traffic = watcher.page, SocketTraffic(watcher.page)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if "/past/" in answer.url else None)
    page.reload()
    page.locator(".table").wait_for()
    page.get_by_role("radio", name="Guest").locator("..").click()
    history = []
    for turn in range(4):
        history.append(_labels(page))
        _play(players, turn)
        watcher.wait_for_log(turn + 1)
    page.locator(".log li button").nth(1).click()
    _expect_turn(page, 2, 4)
    page.get_by_role("radio", name="Guest").locator("..").click()
    assert _labels(page) == history[2]
    expect(page.locator(".banner")).to_contain_text("You are looking back.")
    _play(players, 4)
    expect(page.locator(".banner")).to_contain_text("The game has moved on: 1 turn since.")
    _expect_turn(page, 2, 5)
    assert _labels(page) == history[2]
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("ArrowRight")
    _expect_turn(page, 3, 5)
    assert _labels(page) == history[3]
    page.keyboard.press("Home")
    _expect_turn(page, 0, 5)
    assert _labels(page) == history[0]
    page.get_by_role("slider").fill("1")
    _expect_turn(page, 1, 5)
    assert _labels(page) == history[1]
    page.keyboard.press("Escape")
    page.locator(".layout.table").wait_for()
    assert watcher.log_length() == 5
    assert page.locator("[data-card], .turn, .hand").count() == 0 and traffic.secrets() == []
    games = [answer.json()["game"] for answer in answers]
    assert len(games) == 4, "each position is requested once"
    assert all((game["hand"], game["missions"]) == ([], [None, None]) for game in games)


def test_a_player_looks_back_during_a_turn(visitors: Visitors) -> None:
    """Looking back shows the own past hand and no controls. The staged turn is kept."""
    players, _ = _start_game(visitors)
    first = players[0]
    page, traffic = first.page, SocketTraffic(first.page)
    first.wait_for_turn()
    first_hand = [card.get_attribute("data-card") for card in first.cards.all()]
    for turn in range(2):
        _play(players, turn)
    first.wait_for_turn()
    first.press(first.cards.first)
    staged_before = first.staged()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Look back").click()
    _expect_turn(page, 1, 2)
    page.keyboard.press("ArrowLeft")
    _expect_turn(page, 0, 2)
    assert [card.get_attribute("data-card") for card in first.cards.all()] == first_hand
    assert page.locator(".turn, [data-target], [aria-disabled=false][data-space]").count() == 0
    page.get_by_role("button", name="Back to the game").click()
    page.locator(".turn").wait_for()
    assert first.staged() == staged_before
    first.stage()
    first.confirm()
    assert traffic.secrets() == []
