"""Looking back at a game that is played: what brings a page there, at recorded tables."""

from collections.abc import Callable

from playwright.sync_api import Page

from .recorded import SECRET, TABLE, game_at, go_on, recorded, show, sit_at, tell


def _past(page: Page) -> None:
    """A seat looks back over half of the game."""
    then = game_at("imperial-rewards-boar-4", 1)[0]["game"]
    view, events = game_at("imperial-rewards-boar-4", 2)
    tell(page, "**/past/*", {"turn": then["turn"], "last": view["game"]["turn"], "game": then})
    sit_at(page, view, events)
    page.locator(".turn").wait_for()
    page.keyboard.press("b")
    page.get_by_role("slider").fill(str(then["turn"]))
    page.locator(".log [aria-current]").wait_for()


def _past_watching(page: Page) -> None:
    """Somebody who watches looks back, and the game has gone on."""
    update = recorded("timed")
    game = update["view"]["game"]
    turn = game["turn"] - 1
    tell(page, "**/past/*", {"turn": turn, "last": turn + 1, "game": {**game, "turn": turn}})
    lines = show(page, update["view"], update["events"])
    page.goto(f"/watch/{TABLE}#{SECRET}")
    page.locator(".table").wait_for()
    page.keyboard.press("b")
    page.locator(".banner").wait_for()
    later = {**update["view"], "seq": update["view"]["seq"] + 1, "game": {**game, "turn": turn + 2}}
    go_on(lines, later, [])
    page.locator(".banner").get_by_text(str(turn + 2)).first.wait_for()


PAST: dict[str, Callable[[Page], None]] = {"past": _past, "past-watching": _past_watching}
