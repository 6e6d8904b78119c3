"""Lists of tables, page by page: those that anyone may join or watch, and one's own, those first that wait.

A page says where the next one begins. The text holds the place of the last table and is opaque to others: so
tables that come and go meanwhile neither hide another nor show it twice. One that is damaged is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

import orjson

from sanssouci.store import FIRST_OPEN, FIRST_OWN, GameRow, HeldGame, OpenPlace, OwnPlace
from sanssouci.table import Stage

from ..ops.corrupt_tables import CorruptData
from ..wire.table_view import ListedTable
from .live_table import OWNER
from .table_registry import TableRegistry

Json = dict[str, Any]
Row = TypeVar("Row", GameRow, HeldGame)


_MOMENT = r"0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,2}"
OPEN_PAGE = rf"^{_MOMENT}~[0-9a-f]{{16}}$"
"""Where a page of open tables begins."""
OWN_PAGE = rf"^[01]~{_MOMENT}~[0-9a-f]{{16}}$"


def open_page(registry: TableRegistry, after: str | None, most: int, *, begun: bool = False) -> Json:
    """A page of the tables that anyone may join; or of those that have begun, which anyone may watch."""
    place: OpenPlace = FIRST_OPEN
    if after is not None:
        moment, game = after.split("~")
        place = float.fromhex(moment), game
    find = registry.store.running_games if begun else registry.store.open_games
    games = find(most + 1, place)
    tables = list(_sound(registry, games[:most], write_listed, lambda game: game.id))
    return {"tables": tables, "next": _open_place(games[most - 1]) if len(games) > most else None}


def own_page(registry: TableRegistry, guest: str, after: str | None, most: int) -> Json:
    """A page of a guest's tables; those come first that wait for the guest."""
    place: OwnPlace = FIRST_OWN
    if after is not None:
        awaited, moment, game = after.split("~")
        place = int(awaited), float.fromhex(moment), game
    games = registry.store.games_of(guest, most + 1, place)
    tables = list(_sound(registry, games[:most], write_held, lambda held: held.game.id))
    return {"tables": tables, "next": _own_place(games[most - 1]) if len(games) > most else None}


def write_listed(game: GameRow) -> Json:
    """A table in a list; ``LookupError``, ``TypeError`` or ``ValueError`` if its summary cannot be one."""
    summary = orjson.loads(game.summary)
    if summary["table"] != game.id:
        raise ValueError("a summary of another table")
    chairs = [{"away": False, **chair} for chair in summary["chairs"]]
    listed = {**summary, "chairs": chairs, "created_at": game.created_at, "updated_at": game.updated_at}
    ListedTable.model_validate(listed)  # a key or a word with one flipped bit
    return listed


def write_held(held: HeldGame) -> Json:
    """A table in the list of a guest who holds chairs there."""
    return {
        **write_listed(held.game),
        "your_chairs": [chair for chair in held.chairs if chair != OWNER],
        "owner": OWNER in held.chairs,
        "your_turn": _is_awaited(held),
        "deadline": _deadline(held.game),
    }


def _sound(
    registry: TableRegistry, rows: Iterable[Row], write: Callable[[Row], Json], table: Callable[[Row], str]
) -> Iterator[Json]:
    """The tables that can be listed."""
    for row in rows:
        with suppress(CorruptData), registry.corrupt_tables.noticed(table(row)):
            yield write(row)


def _open_place(game: GameRow) -> str:
    return f"{game.created_at.hex()}~{game.id}"


def _own_place(held: HeldGame) -> str:
    return f"{int(_is_awaited(held))}~{held.game.updated_at.hex()}~{held.game.id}"


def _deadline(game: GameRow) -> float | None:
    """When a clock runs out; what the house must do at once is no clock."""
    return game.deadline if game.deadline is not None and game.deadline > game.updated_at else None


def _is_awaited(held: HeldGame) -> bool:
    """Whether a chair of the guest is to act; a lobby with an open chair waits for others."""
    if held.game.phase == Stage.LOBBY.value:
        return False
    return any(held.game.waiting >> chair & 1 for chair in held.chairs if chair != OWNER)
