"""Every screen there is, each with what brings a page there; most of them at recorded tables."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from unittest.mock import patch

from playwright.sync_api import Page

from sanssouci.locale import translate

from . import recorded as records
from .hands import Hand
from .learned import Guided
from .looked_back import PAST
from .places import PLACES
from .recorded import FULLEST, SECRET, answer_hints, game_at, hint_of, recorded, replay, show, sit_at
from .running import links, replaced

Show = Callable[[Page], None]
LONGEST = (
    "Maximiliane von Quitzow-B",
    "Wolfgang Amadeus Hoffmann",
    "Guillermo Constantino XIV",
    "Friederike Wilhelmine II",
)
"""As long as a name may be."""


def _start(page: Page) -> None:
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.wait_for()


def _setting_up(page: Page) -> None:
    page.goto("/#new")
    page.locator("main fieldset").first.wait_for()


def _setting_up_more(page: Page) -> None:
    """Four chairs, one of each kind, and a clock."""
    _setting_up(page)
    page.get_by_role("radio", name="4", exact=True).locator("..").click()
    page.locator(".more .keys label").nth(1).click()
    page.locator(".chair").last.locator("label").last.click()


def _lobby(page: Page) -> None:
    """A real one: the owner, an open chair, all links; one chair is about to be given to somebody else."""
    _setting_up(page)
    page.locator(".chair").last.locator("label").last.click()
    page.locator("main form button.main").click()
    page.locator(".links input").first.wait_for()
    page.locator("details summary").click()
    page.locator(".chair [aria-expanded=false]").last.click()
    page.locator(".links [aria-expanded=false]").first.click()
    page.get_by_role("img").last.wait_for()


def _join(page: Page) -> None:
    view = recorded("solo")[0]["view"]
    chairs = [
        {**chair, "sitter": "open", "player": None, "colour": None} if chair["chair"] else chair
        for chair in view["chairs"]
    ]
    you: records.Json = {"chair": None, "seat": None, "owner": False, "may": []}
    show(page, {**view, "chairs": chairs, "you": you})
    page.goto(f"/join/{'0' * 16}#{SECRET}")
    page.locator("main form input").first.wait_for()


def _picking(page: Page) -> None:
    sit_at(page, recorded("imperial-rewards-boar-4")["picking"])
    page.locator("[data-phase] button.main").wait_for()


def _picking_rewards(page: Page) -> None:
    """The second of two picks, with one's missions; its boards are those of the game that followed."""
    view = recorded("imperial-rewards-boar-4")["picking"]
    gardens = recorded("imperial-rewards-boar-4")["views"][0]["game"]["gardens"]
    setup = {
        **view["setup"],
        "phase": "reward_sides",
        "garden_sides": [0, 1, 0, 1],
        "missions": [["h", "f"], None, None, None],
        "rewards": [[garden["rewards"] for garden in gardens[:2]]],
        "picked": [False, True, False, True],
    }
    sit_at(page, {**view, "setup": setup})
    page.locator("[data-phase] .side").last.wait_for()


def _table(page: Page) -> None:
    sit_at(page, *game_at("ravensburger-2", 1))
    page.locator(".turn").wait_for()


def _staged(page: Page) -> None:
    _table(page)
    hand = Hand(page)
    hand.cards.last.click()
    hand.spaces.first.click()


def _four_seats(page: Page) -> None:
    sit_at(page, *game_at("imperial-rewards-boar-4", 1))
    page.locator(".turn").wait_for()


def _four_seats_staged(page: Page) -> None:
    _four_seats(page)
    hand = Hand(page)
    hand.stage()


def fullest_turn(page: Page) -> Iterator[str]:
    """The turn of which most is to be said, step by step: which step comes next.

    A free choice, a gardener on a red square that costs more than there is to lose, the boar under it.
    """
    view, events = deepcopy(game_at("imperial-rewards-boar-4", 2))
    seat = view["you"]["seat"]
    view["game"]["gardens"][seat]["rewards"]["e4"] = "-3"
    view["game"]["scores"][seat]["total"] = 1
    space = next(space for space, tiles in view["options"]["spaces"].items() if "e4g" in tiles)
    sit_at(page, view, events)
    page.locator(".turn").wait_for()
    for step in (
        f"[data-space='{space}']",
        "[role=gridcell][data-square=e4]",
        "[data-target=stop] >> nth=-1",
    ):
        yield Hand(page).need() or ""
        page.locator(step).click()
    yield ""


def _fullest_turn(page: Page) -> None:
    for _ in fullest_turn(page):
        pass


def _last_turn(page: Page) -> None:
    sit_at(page, *game_at("imperial-rewards-boar-4", 2))
    page.locator(".turn").wait_for()


def _waiting(page: Page) -> None:
    """Somebody else's turn."""
    view, events = game_at("imperial-rewards-boar-4", 1)
    game = {**view["game"], "to_move": 2}
    sit_at(page, {**view, "game": game, "options": None, "waiting": [2]}, events)
    page.locator(".table").wait_for()


def _watching(page: Page) -> None:
    """With a clock that runs out."""
    update = recorded("timed")
    show(page, update["view"], update["events"])
    page.goto(f"/watch/{'0' * 16}#{SECRET}")
    page.locator(".table").wait_for()


def _refused(page: Page) -> None:
    """A space that the card cannot take, and why."""
    _table(page)
    hand = Hand(page)
    hand.cards.last.click()
    page.locator("[data-space][aria-disabled=true]").first.click(force=True)
    page.locator(".notice").wait_for()


def _hint(page: Page) -> None:
    """A hint for the longest turn, with long reasons in the reader's language."""
    language = str(page.evaluate("navigator.language"))[:2]
    tile = {"card": "2–6", "tile": "a", "square": "e4", "points": "+4"}
    noble = {"noble": "e", "row": 4, "before": 2}
    reasons = (
        (translate("reason.mission_way", language, **noble), "a3"),
        (translate("reason.kept_next", language, **tile), "e4"),
        (translate("reason.boar_area", language, before=12, after=8), "f4"),
    )
    answer_hints(page, hint_of(*reasons))
    sit_at(page, FULLEST)
    page.locator(".turn").wait_for()
    page.keyboard.press("h")
    page.locator(".hint .reasons").wait_for()


def _typed(page: Page) -> None:
    _four_seats(page)
    page.keyboard.press("t")
    page.locator(".typed input").wait_for(state="attached")  # phones hide it


def _menu(page: Page) -> None:
    _four_seats(page)
    page.locator(".menu summary").click()
    page.locator(".menu .sheet button").last.click()


def _keys(page: Page) -> None:
    _table(page)
    page.keyboard.press("?")
    page.locator("dialog[open] kbd").first.wait_for()


def _enlarged(page: Page) -> None:
    _four_seats(page)
    page.locator("button.seat").first.click()
    page.locator("dialog[open] h3").wait_for()


def _rules(page: Page) -> None:
    _table(page)
    page.get_by_role("banner").get_by_role("button").first.click()
    page.locator("[data-rule=R20]").wait_for()
    page.locator("[data-rule=R20]").scroll_into_view_if_needed()


def _settings(page: Page) -> None:
    _start(page)
    page.locator("[aria-haspopup=dialog]").click()
    page.locator("dialog[open] form").wait_for()


def _curtain(page: Page) -> None:
    """Two people at one screen: the view is that of the other chair."""
    view, events = game_at("ravensburger-2", 1)
    sit_at(page, view, events, chairs=(0, 1))
    page.locator(".curtain").wait_for()


def _broken(page: Page) -> None:
    """The line has been cut, and does not come back."""
    lines = sit_at(page, *game_at("ravensburger-2", 1))
    page.locator(".turn").wait_for()
    page.route("**/tickets", lambda route: route.abort())
    lines[-1].close(code=1012)
    page.locator(".broken").wait_for()


def _chair_lost(page: Page) -> None:
    """Somebody else has come with the link of one's chair."""
    lines = sit_at(page, *game_at("ravensburger-2", 1))
    page.locator(".turn").wait_for()
    lines[-1].close(code=4403)
    page.locator(".lost h1").wait_for()


def _long_names(page: Page) -> None:
    with patch.object(records, "NAMES", LONGEST):
        _waiting(page)


def _end_with_long_names(page: Page) -> None:
    with patch.object(records, "NAMES", LONGEST):
        _end(page)


def _end(page: Page) -> None:
    over = recorded("imperial-rewards-boar-4")["over"]
    sit_at(page, over["view"], over["events"])
    page.locator(".end").wait_for()


def _end_with_proof(page: Page) -> None:
    over = recorded("ravensburger-2")["over"]
    sit_at(page, over["view"], over["events"])
    page.locator(".end summary").first.click()


def _record(page: Page) -> None:
    """A record is to be chosen; the one that was pasted is none."""
    page.goto("/replay")
    page.locator("textarea").fill('{"format": "none"}')
    page.locator("main form button").click()
    page.locator(".refused").filter(has_text="format").wait_for()


def _replay(page: Page) -> None:
    """In the middle of a game of four, from the second seat."""
    replay(page, "imperial-rewards-boar-4", 38)
    page.keyboard.press("2")


def _replay_of_two(page: Page) -> None:
    replay(page, "ravensburger-base-2", 21)


def _replay_open(page: Page) -> None:
    """The end of it, with everything that can be asked for."""
    replay(page, "imperial-rewards-boar-4", 72)
    page.keyboard.press("o")
    page.keyboard.press("s")
    page.locator(".parts").wait_for()


def _go_on(page: Page) -> None:
    """Asked from where to play on, and as whom."""
    replay(page, "imperial-rewards-boar-4", 38)
    page.locator(".ways button").first.click()
    page.locator("dialog[open]").wait_for()


def _guided(page: Page) -> None:
    """The guided game: the second chapter with all but a noble, where most is said."""
    guided = Guided(page)
    guided.open("gardener")
    guided.stage("gardener", until="noble")


def _guided_astray(page: Page) -> None:
    """A turn that misses what its chapter is about."""
    guided = Guided(page)
    guided.open("gardener")
    page.locator("[data-card='b']").click()
    page.locator("[data-space='5']").click()
    guided.see("other")


def _guided_played(page: Page) -> None:
    """A chapter that is done."""
    guided = Guided(page)
    guided.open("turn")
    guided.play("turn")


def _nowhere(page: Page) -> None:
    page.goto("/nowhere")
    page.locator("main h1").wait_for()


def _no_table(page: Page) -> None:
    page.goto(f"/table/{'f' * 16}")
    page.locator("main h1").wait_for()


def _dead_link(page: Page) -> None:
    page.goto(f"/seat/{'f' * 16}#{SECRET}")
    page.locator("main h1").wait_for()


TABLES: dict[str, Show] = {
    "table": _table,
    "staged": _staged,
    "four-seats": _four_seats,
    "four-seats-staged": _four_seats_staged,
    "fullest-turn": _fullest_turn,
    "last-turn": _last_turn,
    "waiting": _waiting,
    "long-names": _long_names,
    "watching": _watching,
    **PAST,
    "refused": _refused,
    "hint": _hint,
    "typed": _typed,
    "menu": _menu,
    "replaced": replaced,
    "broken": _broken,
    "replay": _replay,
    "replay-of-two": _replay_of_two,
    "replay-open": _replay_open,
    "go-on": _go_on,
    "guided": _guided,
    "guided-astray": _guided_astray,
    "guided-played": _guided_played,
}
"""The table with what may be open on it: on a desk all of it is seen without scrolling."""
SCREENS: dict[str, Show] = {
    "start": _start,
    "setting-up": _setting_up,
    "setting-up-more": _setting_up_more,
    "lobby": _lobby,
    "join": _join,
    "picking": _picking,
    "picking-rewards": _picking_rewards,
    **TABLES,
    "links": links,
    "keys": _keys,
    "enlarged": _enlarged,
    "rules": _rules,
    "settings": _settings,
    "curtain": _curtain,
    "end": _end,
    "end-with-proof": _end_with_proof,
    "end-with-long-names": _end_with_long_names,
    "record": _record,
    **PLACES,
    "nowhere": _nowhere,
    "no-table": _no_table,
    "dead-link": _dead_link,
    "chair-lost": _chair_lost,
}
