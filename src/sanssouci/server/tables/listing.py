"""Paginated lists of tables: open ones, running ones that anyone may watch, and a guest's own.

The cursor ``next`` encodes the position of the last row, so tables that come and go between two requests
neither hide a row nor show one twice. Corrupt tables are left out.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

import orjson

from sanssouci.store import FIRST_OPEN, FIRST_OWN, GameRow, HeldGame, OpenPlace, OwnPlace
from sanssouci.table import Stage

from ..ops.corrupt_tables import CorruptData
from ..wire.responses import OwnTablesAnswer, TablesAnswer
from ..wire.scalars import validator
from ..wire.table_view import ListedTable, OwnTable
from .live_table import OWNER
from .table_registry import TableRegistry

Row = TypeVar("Row", GameRow, HeldGame)
T = TypeVar("T")


_MOMENT = r"0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,2}"
OPEN_PAGE = rf"^{_MOMENT}~[0-9a-f]{{16}}$"
"""The cursor of a page of open tables."""
OWN_PAGE = rf"^[01]~{_MOMENT}~[0-9a-f]{{16}}$"


def open_page(registry: TableRegistry, after: str | None, most: int, *, begun: bool = False) -> TablesAnswer:
    """A page of tables that anyone may join, or, if ``begun``, of running games that anyone may watch."""
    place: OpenPlace = FIRST_OPEN
    if after is not None:
        moment, game = after.split("~")
        place = float.fromhex(moment), game
    find = registry.store.running_games if begun else registry.store.open_games
    games = find(most + 1, place)
    tables = list(_sound(registry, games[:most], write_listed, lambda game: game.id))
    return {"tables": tables, "next": _open_place(games[most - 1]) if len(games) > most else None}


def own_page(registry: TableRegistry, guest: str, after: str | None, most: int) -> OwnTablesAnswer:
    """A page of a guest's tables; those awaiting the guest come first."""
    place: OwnPlace = FIRST_OWN
    if after is not None:
        awaited, moment, game = after.split("~")
        place = int(awaited), float.fromhex(moment), game
    games = registry.store.games_of(guest, most + 1, place)
    tables = list(_sound(registry, games[:most], write_held, lambda held: held.game.id))
    return {"tables": tables, "next": _own_place(games[most - 1]) if len(games) > most else None}


def write_listed(game: GameRow) -> ListedTable:
    """A row of a list; ``LookupError``, ``TypeError`` or ``ValueError`` if its stored summary is corrupt."""
    summary = orjson.loads(game.summary)
    if summary["table"] != game.id:
        raise ValueError("a summary of another table")
    chairs = [{"away": False, **chair} for chair in summary["chairs"]]
    row = {**summary, "chairs": chairs, "created_at": game.created_at, "updated_at": game.updated_at}
    listed: ListedTable = validator(ListedTable).validate_python(
        row
    )  # a flipped bit may change a key or a value
    return listed


def write_held(held: HeldGame) -> OwnTable:
    """A row of the guest's own list."""
    return {
        **write_listed(held.game),
        "your_chairs": [chair for chair in held.chairs if chair != OWNER],
        "owner": OWNER in held.chairs,
        "your_turn": _is_awaited(held),
        "deadline": _deadline(held.game),
    }


def _sound(
    registry: TableRegistry, rows: Iterable[Row], write: Callable[[Row], T], table: Callable[[Row], str]
) -> Iterator[T]:
    """Serialise the rows, skipping corrupt ones."""
    for row in rows:
        with suppress(CorruptData), registry.corrupt_tables.reading(table(row)):
            yield write(row)


def _open_place(game: GameRow) -> str:
    return f"{game.created_at.hex()}~{game.id}"


def _own_place(held: HeldGame) -> str:
    return f"{int(_is_awaited(held))}~{held.game.updated_at.hex()}~{held.game.id}"


def _deadline(game: GameRow) -> float | None:
    """When a clock runs out. A deadline that is not in the future is a pending bot action, not a clock."""
    return game.deadline if game.deadline is not None and game.deadline > game.updated_at else None


def _is_awaited(held: HeldGame) -> bool:
    """Whether one of the guest's chairs is to act. A lobby with an open chair waits for others."""
    if held.game.phase == Stage.LOBBY.value:
        return False
    return any(held.game.waiting >> chair & 1 for chair in held.chairs if chair != OWNER)
