"""Paginated lists of tables: open ones, running ones that anyone may watch, and a guest's own.

The cursor ``next`` encodes the position of the last row, so tables that come and go between two requests
neither hide a row nor show one twice. Damaged tables are left out.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Annotated, TypeVar

import orjson
from pydantic import Field

from sanssouci.notation.json_types import ChairNumber, JsonObject, Timestamp
from sanssouci.notation.typed_reader import validator
from sanssouci.store import FIRST_OPEN, FIRST_OWN, GameRow, HeldGame, OpenTablesCursor, OwnTablesCursor
from sanssouci.table import ListedChair, ListedFields, Stage

from ..ops.damaged_data import DamagedData
from .live_table import OWNER
from .table_registry import TableRegistry

Row = TypeVar("Row", GameRow, HeldGame)
T = TypeVar("T")
Next = Annotated[str | None, Field(description="The `after` of the next page; null on the last page.")]


class ListedTable(ListedFields):
    """A table in a list: its public summary."""

    chairs: list[ListedChair]
    """All chairs, by number."""
    created_at: Timestamp
    """When it was created."""
    updated_at: Timestamp
    """When its last event happened."""


class OwnTable(ListedTable):
    """One of your tables in a list."""

    your_chairs: list[ChairNumber]
    """The chairs that you hold."""
    owner: bool
    """Whether you own the table."""
    your_turn: bool
    """Whether the table waits for one of your chairs and no stand-in plays there. A lobby with an open chair
    waits for others."""
    deadline: Timestamp | None
    """When the clock runs out for the people it waits for; null: never."""


class OwnTablesAnswer(JsonObject):
    """Your tables."""

    tables: list[OwnTable]
    """At most 200; those waiting for you come first."""
    next: Next


class TablesAnswer(JsonObject):
    """Open tables."""

    tables: list[ListedTable]
    """At most a hundred, the newest first."""
    next: Next


_MOMENT = r"0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,2}"
OPEN_PAGE = rf"^{_MOMENT}~[0-9a-f]{{16}}$"
"""The cursor of a page of open tables."""
OWN_PAGE = rf"^[01]~{_MOMENT}~[0-9a-f]{{16}}$"


def open_page(registry: TableRegistry, after: str | None, most: int, *, begun: bool = False) -> TablesAnswer:
    """A page of tables that anyone may join, or, if ``begun``, of running games that anyone may watch."""
    cursor: OpenTablesCursor = FIRST_OPEN
    if after is not None:
        moment, game = after.split("~")
        cursor = float.fromhex(moment), game
    find = registry.store.running_games if begun else registry.store.open_games
    games = find(most + 1, cursor)
    tables = list(_sound(registry, games[:most], write_listed, lambda game: game.id))
    last = games[most - 1] if len(games) > most else None
    return {"tables": tables, "next": None if last is None else f"{last.created_at.hex()}~{last.id}"}


def own_page(registry: TableRegistry, guest: str, after: str | None, most: int) -> OwnTablesAnswer:
    """A page of a guest's tables; those awaiting the guest come first."""
    cursor: OwnTablesCursor = FIRST_OWN
    if after is not None:
        awaited, moment, game = after.split("~")
        cursor = int(awaited), float.fromhex(moment), game
    games = registry.store.games_of(guest, most + 1, cursor)
    tables = list(_sound(registry, games[:most], own_table, lambda held: held.game.id))
    last = games[most - 1] if len(games) > most else None
    if last is None:
        return {"tables": tables, "next": None}
    next_page = f"{int(_is_awaited(last))}~{last.game.updated_at.hex()}~{last.game.id}"
    return {"tables": tables, "next": next_page}


def write_listed(game: GameRow) -> ListedTable:
    """A row of a list; ``LookupError``, ``TypeError`` or ``ValueError`` if its stored summary is damaged."""
    summary = orjson.loads(game.summary)
    if summary["table"] != game.id:
        raise ValueError("a summary of another table")
    chairs = [{"away": False, **chair} for chair in summary["chairs"]]
    row = {**summary, "chairs": chairs, "created_at": game.created_at, "updated_at": game.updated_at}
    # A flipped bit may change a key or a value.
    listed: ListedTable = validator(ListedTable).validate_python(row)
    return listed


def own_table(held: HeldGame) -> OwnTable:
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
    for row in rows:
        with suppress(DamagedData), registry.damage_log.reporting_damage(table(row)):
            yield write(row)


def _deadline(game: GameRow) -> float | None:
    """When a clock runs out. A deadline that is not in the future is a pending bot action, not a clock."""
    return game.deadline if game.deadline is not None and game.deadline > game.updated_at else None


def _is_awaited(held: HeldGame) -> bool:
    """Whether one of the guest's chairs is to act. A lobby with an open chair waits for others."""
    if held.game.phase == Stage.LOBBY.value:
        return False
    return any(held.game.waiting >> chair & 1 for chair in held.chairs if chair != OWNER)
