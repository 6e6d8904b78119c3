"""Lists of tables, page by page: those that anyone may join, and one's own with those first that wait.

A page says where the next one begins. The text holds the place of the last table and is opaque to others: so
tables that come and go meanwhile neither hide another nor show it twice.
"""

from collections.abc import Callable
from typing import Any

import orjson

from sanssouci.store import FIRST_OPEN, FIRST_OWN, GameRow, HeldGame, OpenPlace, OwnPlace, Store

from .hosted import OWNER

Json = dict[str, Any]


_MOMENT = r"0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,2}"
OPEN_PAGE = rf"^{_MOMENT}~[0-9a-f]{{16}}$"
"""Where a page of open tables begins."""
OWN_PAGE = rf"^[01]~{_MOMENT}~[0-9a-f]{{16}}$"


def open_page(store: Store, after: str | None, most: int) -> Json:
    """A page of the tables that anyone may join."""
    place: OpenPlace = FIRST_OPEN
    if after is not None:
        moment, game = after.split("~")
        place = float.fromhex(moment), game
    games = store.open_games(most + 1, place)
    tables = [write_listed(game) for game in games[:most]]
    return _page(tables, len(games) > most, lambda last: [last["created_at"].hex(), last["table"]])


def own_page(store: Store, guest: str, after: str | None, most: int) -> Json:
    """A page of a guest's tables; those come first that wait for the guest."""
    place: OwnPlace = FIRST_OWN
    if after is not None:
        awaited, moment, game = after.split("~")
        place = int(awaited), float.fromhex(moment), game
    games = store.games_of(guest, most + 1, place)
    tables = [write_held(held) for held in games[:most]]
    return _page(
        tables,
        len(games) > most,
        lambda last: [str(int(last["your_turn"])), last["updated_at"].hex(), last["table"]],
    )


def _page(tables: list[Json], more: bool, place: Callable[[Json], list[str]]) -> Json:
    """Tables, and where the next page begins, if there is one."""
    return {"tables": tables, "next": "~".join(place(tables[-1])) if more else None}


def write_listed(game: GameRow) -> Json:
    """A table in a list."""
    return {**orjson.loads(game.summary), "created_at": game.created_at, "updated_at": game.updated_at}


def write_held(held: HeldGame) -> Json:
    """A table in the list of a guest who holds chairs there."""
    chairs = [chair for chair in held.chairs if chair != OWNER]
    return {
        **write_listed(held.game),
        "your_chairs": chairs,
        "owner": OWNER in held.chairs,
        "your_turn": any(held.game.waiting >> chair & 1 for chair in chairs),
    }
