"""Every screen, with a function that opens it; most of them at recorded tables."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from unittest.mock import patch

from playwright.sync_api import Page

from sanssouci.editions import Words
from sanssouci.locale import translate
from sanssouci.rules import colour_card

from . import recorded_tables as records
from .feature_screens import FEATURE_SCREENS
from .game_screens import OFFERS, PAST, deal_commitment, links, replaced_seat
from .page_player import PagePlayer
from .recorded_tables import (
    FULLEST,
    SECRET,
    game_at,
    hint_of,
    mock_hint,
    mock_json,
    open_table,
    recorded,
    replay,
    serve_table,
)
from .tutorial_page import TutorialPage

Show = Callable[[Page], None]
LONG_NAMES = (
    "Maximiliane von Quitzow-B",
    "Wolfgang Amadeus Hoffmann",
    "Guillermo Constantino XIV",
    "Friederike Wilhelmine II",
)
"""Names of the maximum length."""


def _start(page: Page) -> None:
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.wait_for()


def _start_with_tables(page: Page) -> None:
    """A game that waits for the user, and open tables."""
    view = recorded("solo")[0]["view"]
    chairs = [{"sitter": "person", "name": name, "player": None, "away": False} for name in LONG_NAMES]
    listed = {
        "table": "0" * 16,
        "stage": "lobby",
        "terms": view["terms"],
        "round": None,
        "chairs": chairs,
        "created_at": 0,
        "updated_at": 0,
    }
    waiting = {"stage": "playing", "round": 7, "your_turn": True, "deadline": None}
    own = {"your_chairs": [0], "owner": True, **waiting}
    mock_json(page, "**/api/me", {"name": "Ada"})
    mock_json(page, "**/api/me/tables*", {"tables": [{**listed, **own}]})
    open_tables = [{**listed, "table": digit * 16} for digit in "123"]
    mock_json(page, "**/api/tables*", {"tables": open_tables, "more": False})
    page.goto("/")
    page.locator(".own a").first.wait_for()
    page.locator(".open a").first.wait_for()


def _setting_up(page: Page) -> None:
    page.goto("/#new")
    page.locator("main fieldset").first.wait_for()


def _setting_up_more(page: Page) -> None:
    """Four chairs of all kinds, and a clock."""
    _setting_up(page)
    page.get_by_role("radio", name="4", exact=True).locator("..").click()
    page.locator(".more .segmented label").nth(1).click()
    page.locator(".chair").last.locator("label").last.click()


def _lobby(page: Page) -> None:
    """A real lobby with all links, and the dialog for changing a chair."""
    _setting_up(page)
    page.locator(".chair").last.locator("label").last.click()
    page.locator("main form button.main").click()
    page.locator(".links input").first.wait_for()
    page.locator("details summary").click()
    page.locator(".chair [aria-expanded=false]").last.click()
    page.locator(".links [aria-expanded=false]").first.click()
    page.get_by_role("img").last.wait_for()


def show_lobby(page: Page, **changes: object) -> None:
    """Two people in the lobby, the first of them at this screen; some fields of the view are changed."""
    view = recorded("solo")[0]["view"]
    friend = {"sitter": "person", "name": "Berta", "player": None, "ready": False}
    chairs = [{**chair, **friend} if chair["chair"] else chair for chair in view["chairs"]]
    open_table(page, {**view, "scheme": "fair/3", "chairs": chairs, "waiting": [0, 1], **changes})
    page.locator(".lobby .state").wait_for()


def _lobby_shuffling(page: Page) -> None:
    """Everyone is ready, and one nonce is missing."""
    view = recorded("solo")[0]["view"]
    friend = {"sitter": "person", "name": "Berta", "player": None}
    chairs = [{**chair, **(friend if chair["chair"] else {}), "ready": True} for chair in view["chairs"]]
    show_lobby(page, shuffling=True, waiting=[1], chairs=chairs, you={**view["you"], "may": ["rise", "wear"]})


def _lobby_unanswered(page: Page) -> None:
    """A shuffle was given up because of two people."""
    show_lobby(page, unanswered=["Berta", "Camilo"])


def _lobby_of_an_earlier_version(page: Page) -> None:
    """Nonces are not committed to."""
    show_lobby(page, scheme="fair/1")


def _join(page: Page) -> None:
    view = recorded("solo")[0]["view"]
    chairs = [
        {**chair, "sitter": "open", "player": None, "colour": None} if chair["chair"] else chair
        for chair in view["chairs"]
    ]
    you: records.Json = {"chair": None, "seat": None, "owner": False, "may": []}
    serve_table(page, {**view, "chairs": chairs, "you": you})
    page.goto(f"/join/{'0' * 16}#{SECRET}")
    page.locator("main form input").first.wait_for()


def _picking(page: Page) -> None:
    open_table(page, recorded("imperial-rewards-boar-4")["picking"])
    page.locator("[data-phase] button.main").wait_for()


def _picking_rewards(page: Page) -> None:
    """The second of two picks, with the own missions and the boards of the game that followed."""
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
    open_table(page, {**view, "setup": setup})
    page.locator("[data-phase] .side").last.wait_for()


def _table(page: Page) -> None:
    open_table(page, *game_at("ravensburger-2", 1))
    page.locator(".turn").wait_for()


def _staged(page: Page) -> None:
    _table(page)
    player = PagePlayer(page)
    player.cards.last.click()
    player.spaces.first.click()


def _four_seats(page: Page) -> None:
    open_table(page, *game_at("imperial-rewards-boar-4", 1))
    page.locator(".turn").wait_for()


def _four_seats_staged(page: Page) -> None:
    _four_seats(page)
    player = PagePlayer(page)
    player.stage()


def fullest_turn(page: Page) -> Iterator[str]:
    """Stage the turn with the most explanations. Yields the next step each time.

    A free choice of the motif with the longest name, a gardener on a red square that costs more points than
    there are, with the boar on it.
    """
    view, events = deepcopy(game_at("imperial-rewards-boar-4", 2))
    seat = view["you"]["seat"]
    view["game"]["gardens"][seat]["rewards"]["e4"] = "-3"
    view["game"]["scores"][seat]["total"] = 1
    space = next(space for space, tiles in view["options"]["spaces"].items() if "e4g" in tiles)
    view["game"]["display"][int(space)] = "h"
    open_table(page, view, events)
    page.locator(".turn").wait_for()
    for step in (
        f"[data-space='{space}']",
        "[role=gridcell][data-square=e4]",
        "[data-target=stop] >> nth=-1",
    ):
        yield PagePlayer(page).need() or ""
        page.locator(step).click()
    yield ""


def _fullest_turn(page: Page) -> None:
    for _ in fullest_turn(page):
        pass


def _last_turn(page: Page) -> None:
    open_table(page, *game_at("imperial-rewards-boar-4", 2))
    page.locator(".turn").wait_for()


def _waiting(page: Page) -> None:
    """Another seat's turn."""
    view, events = game_at("imperial-rewards-boar-4", 1)
    game = {**view["game"], "to_move": 2}
    open_table(page, {**view, "game": game, "options": None, "waiting": [2]}, events)
    page.locator(".table").wait_for()


def _watching(page: Page) -> None:
    """A spectator's table with a clock."""
    update = recorded("timed")
    serve_table(page, update["view"], update["events"])
    page.goto(f"/watch/{'0' * 16}#{SECRET}")
    page.locator(".table").wait_for()


def _refused(page: Page) -> None:
    """A space that the card cannot take, with the reason."""
    _table(page)
    player = PagePlayer(page)
    player.cards.last.click()
    page.locator("[data-space][aria-disabled=true]").first.click(force=True)
    page.locator(".toast").wait_for()


def _hint(page: Page) -> None:
    """A hint for the longest turn, with long reasons in the user's language."""
    language = str(page.evaluate("navigator.language"))[:2]
    words = Words(language, "imperial")
    tile = {"card": words.card_name(colour_card(2, 6)), "tile": words.tile(7), "square": "e4", "points": "+4"}
    noble = {"noble": words.noble(4), "row": 4, "before": 2}
    reasons = (
        (translate("reason.mission_way", language, **noble), "a3"),
        (translate("reason.kept_next", language, **tile), "e4"),
        (translate("reason.boar_area", language, before=12, after=8), "f4"),
    )
    mock_hint(page, hint_of(*reasons))
    open_table(page, FULLEST)
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
    """Two people who share a screen. The view is that of the other chair."""
    view, events = game_at("ravensburger-2", 1)
    open_table(page, view, events, chairs=(0, 1))
    page.locator(".pass-device").wait_for()


def _broken(page: Page) -> None:
    """A lost connection that does not come back."""
    sockets = open_table(page, *game_at("ravensburger-2", 1))
    page.locator(".turn").wait_for()
    page.route("**/tickets", lambda route: route.abort())
    sockets[-1].close(code=1012)
    page.locator(".connection").wait_for()


def _chair_lost(page: Page) -> None:
    """Another person has used the link of the own chair."""
    sockets = open_table(page, *game_at("ravensburger-2", 1))
    page.locator(".turn").wait_for()
    sockets[-1].close(code=4403)
    page.locator(".error-page h1").wait_for()


def _long_names(page: Page) -> None:
    with patch.object(records, "NAMES", LONG_NAMES):
        _waiting(page)


def _end_with_long_names(page: Page) -> None:
    with patch.object(records, "NAMES", LONG_NAMES):
        _end(page)


def _end(page: Page) -> None:
    over = recorded("imperial-rewards-boar-4")["over"]
    open_table(page, over["view"], over["events"])
    page.locator(".end").wait_for()


def _end_with_proof(page: Page) -> None:
    over = recorded("ravensburger-2")["over"]
    view = {**over["view"], "scheme": "fair/3", "deal_commitment": "5f" * 32}
    open_table(page, view, over["events"])
    page.locator(".end summary").first.click()


def _record(page: Page) -> None:
    """Choosing a record, after an invalid one was pasted."""
    page.goto("/replay")
    page.locator("textarea").fill('{"format": "none"}')
    page.locator("main form button").click()
    page.locator(".refused").filter(has_text="format").wait_for()


def _replay(page: Page) -> None:
    """The middle of a game of four, from the second seat."""
    replay(page, "imperial-rewards-boar-4", 38)
    page.keyboard.press("2")


def _replay_of_two(page: Page) -> None:
    replay(page, "ravensburger-base-2", 21)


def _replay_open(page: Page) -> None:
    """The end of a game, with all hands and scores."""
    replay(page, "imperial-rewards-boar-4", 72)
    page.keyboard.press("o")
    page.keyboard.press("s")
    page.locator(".score-table").wait_for()


def _continue(page: Page) -> None:
    """The dialog for continuing a game from a turn."""
    replay(page, "imperial-rewards-boar-4", 38)
    page.locator(".actions button").first.click()
    page.locator("dialog[open]").wait_for()


def _guided(page: Page) -> None:
    """The second chapter of the tutorial before its noble, where the text is longest."""
    guided = TutorialPage(page)
    guided.open("gardener")
    guided.stage("gardener", until="noble")


def _guided_other_turn(page: Page) -> None:
    """A turn that misses the aim of its chapter."""
    guided = TutorialPage(page)
    guided.open("gardener")
    page.locator("[data-card='b']").click()
    page.locator("[data-space='5']").click()
    guided.wait_for("other")


def _guided_played(page: Page) -> None:
    """A finished chapter."""
    guided = TutorialPage(page)
    guided.open("turn")
    guided.play("turn")


def _unknown_page(page: Page) -> None:
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
    "replaced": replaced_seat,
    **OFFERS,
    "broken": _broken,
    "replay": _replay,
    "replay-of-two": _replay_of_two,
    "replay-open": _replay_open,
    "go-on": _continue,
    "guided": _guided,
    "guided-astray": _guided_other_turn,
    "guided-played": _guided_played,
}
"""Screens of the table. On a desktop they must fit without scrolling."""
SCREENS: dict[str, Show] = {
    "start": _start,
    "start-with-tables": _start_with_tables,
    "setting-up": _setting_up,
    "setting-up-more": _setting_up_more,
    "lobby": _lobby,
    "lobby-shuffling": _lobby_shuffling,
    "lobby-unanswered": _lobby_unanswered,
    "lobby-of-an-earlier-version": _lobby_of_an_earlier_version,
    "join": _join,
    "picking": _picking,
    "picking-rewards": _picking_rewards,
    **TABLES,
    "links": links,
    "deal-commitment": deal_commitment,
    "keys": _keys,
    "enlarged": _enlarged,
    "rules": _rules,
    "settings": _settings,
    "curtain": _curtain,
    "end": _end,
    "end-with-proof": _end_with_proof,
    "end-with-long-names": _end_with_long_names,
    "record": _record,
    **FEATURE_SCREENS,
    "nowhere": _unknown_page,
    "no-table": _no_table,
    "dead-link": _dead_link,
    "chair-lost": _chair_lost,
}
