"""Integrity checks: the data file, the hash chains, and a replay of each game by the caller."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from sqlalchemy import URL

from sanssouci.locale import UserError

from . import sqlite
from .chain import check_chain
from .errors import DamagedRow, not_read
from .export_rows import GameExport, GuestExport
from .reader import Reader
from .rows import GameRow

CheckExport: TypeAlias = Callable[[GameExport], None]
"""Replays a game by the rules; ``UserError`` if it is not legal."""


CheckGuestExport: TypeAlias = Callable[[GuestExport], None]
"""``UserError`` if a guest is not valid."""


def any_guest(export: GuestExport) -> None:
    """Accepts every guest."""


def check_game(export: GameExport, check_export: CheckExport) -> None:
    """``UserError`` if the hash chain of a game is broken or ``check_export`` finds an error."""
    broken = check_chain(export.events, last=export.game.seq)
    if broken is not None:
        raise UserError("store.broken_chain", game=export.game.id, seq=broken)
    check_export(export)


def check_games(store: Reader, check_export: CheckExport) -> Iterator[tuple[GameRow, UserError | None]]:
    """Every game with its error or None; games whose own row is damaged are left out."""
    for game in store.all_games():
        try:
            check_game(store.checked_game_export(game), check_export)
        except UserError as user_error:
            yield game, user_error
        else:
            yield game, None


def check_file(store: Reader) -> None:
    """``UserError`` if the data file itself is damaged, ``Unavailable`` if it cannot be read."""
    if isinstance(store.address, URL):
        return  # PostgreSQL enforces types and foreign keys, and checks its pages as it reads them
    try:
        wrong = sqlite.integrity_error(store.address)
    except sqlite3.Error as error:
        raise not_read(error) from None
    if wrong is not None:
        raise UserError("store.damaged", path=store.address, reason=wrong)


def check_guests(store: Reader, check_export: CheckGuestExport = any_guest) -> tuple[int, list[UserError]]:
    """The number of readable guests, and all errors in rows of guests and in tokens."""
    wrong: list[UserError] = []
    if strays := store.stray_tokens():
        wrong.append(UserError("store.stray_tokens", tokens=strays))
    guests = 0
    with reporting(store, lambda row: wrong.append(row.located())):
        for export in store.checked_guest_exports():
            guests += 1
            try:
                if isinstance(export, UserError):
                    raise export
                check_export(export)
            except UserError as user_error:
                wrong.append(user_error)
    return guests, wrong


@contextmanager
def reporting(store: Reader, damaged: Callable[[DamagedRow], None]) -> Iterator[None]:
    """Calls ``damaged`` with every row that a list leaves out, for the duration of the context."""
    before = store.damaged
    store.damaged = damaged
    try:
        yield
    finally:
        store.damaged = before
