"""Looking back while the game goes on: what was is seen as it was, and nobody is thrown out of it."""

from playwright.sync_api import Page, Response, expect

from .guests import Guests, last_game
from .hands import Hand
from .post import Post
from .test_company import set_up, sit_down

SEEN = """() => [...document.querySelectorAll(".board .garden [data-square], .beside [data-space]")]
  .map(one => one.getAttribute("aria-label"))"""


def _company(guests: Guests) -> tuple[list[Hand], Hand]:
    """Two people in the order of their seats, who have picked, and somebody who watches."""
    pages, watcher = [guests.comes(preferences=last_game("person", "open")), guests.comes()], guests.comes()
    set_up(pages[0])
    watcher.goto(pages[0].get_by_role("textbox", name="watch").input_value())
    sit_down(pages[1], pages[0].get_by_role("textbox", name="Invite").input_value(), "Berta")
    for page in pages:
        page.get_by_role("button", name="ready").click()
    hands = [Hand(page) for page in pages]
    for hand in hands:
        hand.take_side()
    for page in (*pages, watcher):
        page.locator(".table").wait_for()
    return sorted(hands, key=lambda hand: hand.seat), Hand(watcher)


def _play(hands: list[Hand], turn: int) -> None:
    hand = hands[turn % 2]
    hand.wait_for_turn()
    hand.stage()
    hand.confirm()


def _at(page: Page, turn: int, last: int) -> None:
    expect(page.get_by_role("heading", name=f"Turn {turn} of {last}", exact=True)).to_be_visible()


def _seen(page: Page) -> list[str]:
    labels: list[str] = page.evaluate(SEEN)
    assert len(labels) > 50, "a garden and a display"
    return labels


def test_a_watcher_looks_back_while_the_game_goes_on(guests: Guests) -> None:
    """By a line of the log, by keys and along the line; it tells what has happened, Escape leads to now."""
    hands, watcher = _company(guests)
    page, post = watcher.page, Post(watcher.page)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if "/past/" in answer.url else None)
    page.reload()
    page.locator(".table").wait_for()
    page.get_by_role("radio", name="Guest").locator("..").click()
    course = []
    for turn in range(4):
        course.append(_seen(page))
        _play(hands, turn)
        watcher.see_told(turn + 1)
    page.locator(".log li button").nth(1).click()
    _at(page, 2, 4)
    page.get_by_role("radio", name="Guest").locator("..").click()
    assert _seen(page) == course[2]
    expect(page.locator(".banner")).to_contain_text("You are looking back.")
    _play(hands, 4)
    expect(page.locator(".banner")).to_contain_text("The game has moved on: 1 turn since.")
    _at(page, 2, 5)
    assert _seen(page) == course[2]
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("ArrowRight")
    _at(page, 3, 5)
    assert _seen(page) == course[3]
    page.keyboard.press("Home")
    _at(page, 0, 5)
    assert _seen(page) == course[0]
    page.get_by_role("slider").fill("1")
    _at(page, 1, 5)
    assert _seen(page) == course[1]
    page.keyboard.press("Escape")
    page.locator(".layout.table").wait_for()
    assert watcher.told() == 5
    assert page.locator("[data-card], .turn, .hand").count() == 0 and post.secrets() == []
    games = [answer.json()["game"] for answer in answers]
    assert len(games) == 4, "each position is asked for once"
    assert all((game["hand"], game["missions"]) == ([], [None, None]) for game in games)


def test_a_player_looks_back_and_comes_back_to_a_turn_that_was_begun(guests: Guests) -> None:
    """One's own hand of then is seen, nothing can be played meanwhile, and it is still one's turn."""
    hands, _ = _company(guests)
    first = hands[0]
    page, post = first.page, Post(first.page)
    first.wait_for_turn()
    held = [card.get_attribute("data-card") for card in first.cards.all()]
    for turn in range(2):
        _play(hands, turn)
    first.wait_for_turn()
    first.press(first.cards.first)
    begun = first.staged()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Look back").click()
    _at(page, 1, 2)
    page.keyboard.press("ArrowLeft")
    _at(page, 0, 2)
    assert [card.get_attribute("data-card") for card in first.cards.all()] == held
    assert page.locator(".turn, [data-target], [aria-disabled=false][data-space]").count() == 0
    page.get_by_role("button", name="Back to now").click()
    page.locator(".turn").wait_for()
    assert first.staged() == begun
    first.stage()
    first.confirm()
    assert post.secrets() == []
