"""A turn is staged: every step can be undone, every no says why, and nothing gets lost on the way."""

import re

import pytest
from playwright.sync_api import expect

from .guests import Guests
from .hands import Hand
from .post import CUT, Line, Post, come_back
from .recorded import FULLEST, Json, Lines, game_at, recorded, sit_at

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


def _at_the_table(guests: Guests) -> Hand:
    hand = Hand(guests.comes())
    hand.begin()
    hand.wait_for_turn()
    return hand


def _before_the_longest_turn(guests: Guests) -> tuple[Hand, Lines]:
    hand = Hand(guests.comes())
    lines = sit_at(hand.page, FULLEST)
    hand.wait_for_turn()
    return hand, lines


def _take_step(hand: Hand, step: int) -> None:
    """One of the five steps of the longest turn, in their order."""
    page = hand.page
    hand.press(
        (
            page.locator("[data-card='24']"),
            page.locator("[data-space='4']"),
            page.locator("[role=gridcell][data-square=e4]"),
            page.locator("[data-target=boar]").first,
            page.locator("[data-target=stop]").first,
        )[step]
    )


@pytest.mark.parametrize("way", ["Undo", "Escape", "u"])
def test_every_step_can_be_undone(guests: Guests, way: str) -> None:
    """Back from any step to the first, one at a time, with the button or a key."""
    hand, _ = _before_the_longest_turn(guests)
    page, states = hand.page, [hand.staged()]
    undo = page.get_by_role("button", name="Undo")
    for step in range(5):
        _take_step(hand, step)
        states.append(hand.staged())
    assert hand.need() is None and len({tuple(state) for state in states}) == 6
    for state in reversed(states[:-1]):
        if way == "Undo":
            undo.click()
        else:
            page.keyboard.press(way)
        assert hand.staged() == state
    expect(undo).to_be_disabled()


def test_a_turn_that_was_undone_is_played_all_the_same(guests: Guests) -> None:
    """Undone to its beginning and staged again, the server takes it."""
    hand = _at_the_table(guests)
    hand.stage()
    undo = hand.page.get_by_role("button", name="Undo")
    while undo.is_enabled():
        undo.click()
    hand.stage()
    hand.confirm()


@pytest.mark.parametrize("first", ["card", "tile"])
def test_another_card_can_always_be_chosen(guests: Guests, first: str) -> None:
    """A tile that it does not take is put back, which is said with its rule; undo brings it again."""
    hand = Hand(guests.comes())
    page, view = hand.page, game_at("ravensburger-2", 1)[0]
    one, other = view["game"]["hand"]
    takes = view["options"]["cards"]
    space = next(space for space in takes[one] if space not in takes[other])
    sit_at(page, view)
    if first == "card":
        page.locator(f"[data-card='{one}']").click()
    page.locator(f"[data-space='{space}']").click()
    staged = hand.staged()
    page.locator(f"[data-card='{other}']").click()
    expect(page.locator(f"[data-card='{other}']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(f"[data-space='{space}']")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".notice")).to_contain_text("The tile is back on the display")
    expect(page.get_by_role("status").filter(has_text="The tile is back on the display")).to_have_count(1)
    expect(page.locator(".notice").get_by_role("button", name=re.compile("R1[4-7]"))).to_be_visible()
    page.keyboard.press("u")
    assert hand.staged() == staged


@EACH_REFUSAL
def test_a_turn_that_is_refused_says_why(guests: Guests, view: Json, turn: str, rule: str) -> None:
    """Every reason there is: in words, with its rule, and nothing is staged."""
    hand = Hand(guests.comes())
    page = hand.page
    sit_at(page, view)
    hand.wait_for_turn()
    before = hand.staged()
    hand.type(turn)
    expect(page.get_by_role("status")).to_have_text(re.compile(r"\w.*\."))
    expect(page.locator(".notice").get_by_role("button", name=rule)).to_be_visible()
    assert hand.staged() == before
    expect(page.locator(".turn button.main")).to_be_disabled()


def test_what_cannot_be_chosen_says_why(guests: Guests) -> None:
    """A space that the card cannot take: the sentence names a rule, and the rule opens in the rules."""
    page = guests.comes()
    sit_at(page, *game_at("ravensburger-2", 1))  # a card for rows 2 and 5 is in the hand
    page.locator(".hand .card").last.click()
    closed = page.locator("[data-space][aria-disabled=true]")
    closed.first.click(force=True)  # it says that it cannot be chosen
    rule = page.locator(".notice").get_by_role("button", name=re.compile("R1[4-7]"))
    number = re.search(r"R\d+", rule.inner_text())
    assert number is not None
    rule.click()
    expect(page.locator(f"[data-rule={number[0]}]")).to_be_in_viewport()


def test_a_noble_does_not_stop_on_a_gardener(guests: Guests) -> None:
    """R20: who tries is told so, and the turn waits for another stop."""
    hand, _ = _before_the_longest_turn(guests)
    for step in range(4):
        _take_step(hand, step)
    gardener = FULLEST["game"]["gardens"][hand.seat]["gardeners"][0]
    hand.press(hand.page.locator(f"[role=gridcell][data-square={gardener}]"))
    expect(hand.page.locator(".notice").get_by_role("button", name="R20")).to_be_visible()
    assert hand.need() == "noble"


def test_a_staged_turn_survives_a_reload(guests: Guests) -> None:
    """After every step all that was chosen is still there when the page is loaded again."""
    hand, _ = _before_the_longest_turn(guests)
    for step in range(5):
        _take_step(hand, step)
        before = hand.staged()
        hand.page.reload()
        hand.wait_for_turn()
        assert hand.staged() == before, step


def test_a_staged_turn_survives_a_lost_connection(guests: Guests) -> None:
    """The page says that the line is cut, and mends it; what is staged stays, and goes on meanwhile."""
    hand, lines = _before_the_longest_turn(guests)
    for step in range(5):
        before, told = hand.staged(), hand.page.locator(".broken")
        lines[-1].close(code=CUT)
        told.wait_for()
        assert hand.staged() == before
        _take_step(hand, step)
        come_back(hand.page)
        expect(told).to_have_count(0)
        assert hand.staged() != before
        hand.wait_for_turn()
    assert hand.need() is None and len(lines) == 6


def test_a_turn_that_is_confirmed_without_a_line(guests: Guests) -> None:
    """It is played once, as soon as the line is back; what others did meanwhile is caught up with."""
    guests.forgive("ERR_FAILED")
    page = guests.comes()
    hand, line, post = Hand(page), Line(page), Post(page)
    hand.begin()
    hand.wait_for_turn()
    hand.stage()
    line.cut()
    page.locator(".broken").wait_for()
    before = hand.told()
    hand.press(page.locator(".turn button.main"))
    line.mend()
    hand.see_played(before)
    expect(page.locator(".broken")).to_have_count(0)
    assert hand.wait_for_turn()
    assert len(post.views[-1]["game"]["unplayed"][hand.seat]) == 17


def test_the_hint_is_one_click_from_a_turn(guests: Guests) -> None:
    """The hint names a turn with its reasons, as many as this deal gives, stages it, and it is legal."""
    hand = _at_the_table(guests)
    page = hand.page
    with page.expect_response("**/hint") as answer:
        page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint .candidate").first).to_be_visible()
    reasons = [reason["sentence"] for reason in answer.value.json()["reasons"]]
    expect(page.locator(".hint .reasons li")).to_have_text(reasons)
    page.locator(".hint").get_by_role("button", name="Set up").click()
    assert hand.need() is None
    hand.confirm()


def test_a_noble_that_is_chosen_first_says_what_comes_before(guests: Guests) -> None:
    """On the terrace or in the garden, with mouse or keys: R14, and nothing is staged."""
    hand = Hand(guests.comes())
    sit_at(hand.page, *game_at("ravensburger-2", 1))
    hand.wait_for_turn()
    notice = hand.page.locator(".notice")
    for noble in ("[data-door]:has(svg)", "[role=gridcell]:has(.noble)"):
        hand.press(hand.page.locator(noble).first)
        expect(notice).to_contain_text("R14")
        hand.page.keyboard.press("Escape")
        expect(notice).to_have_count(0)
    assert set(hand.staged()) == {"–"}


def test_a_no_goes_by_itself(guests: Guests) -> None:
    """After a while, or with the next good step; it stays while somebody is at it."""
    page = guests.comes()
    page.clock.install()
    hand = Hand(page)
    sit_at(page, *game_at("ravensburger-2", 1))
    hand.wait_for_turn()
    notice = page.locator(".notice")
    hand.type("zz@9")
    page.locator(".notice button").last.focus()
    page.clock.run_for(20_000)
    expect(notice).to_be_visible()
    page.locator(".typed input").focus()
    page.clock.run_for(15_100)
    expect(notice).to_have_count(0)
    hand.type("zz@9")
    expect(notice).to_be_visible()
    hand.press(hand.cards.first)
    expect(notice).to_have_count(0)
