"""Looking through what is kept: the file, chains of hashes, and whatever the rules have to say to a game."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from sanssouci.locale import UserError

from . import sqlite
from .chain import check_chain
from .errors import DamagedRow, not_read
from .export_rows import GameExport, GuestExport
from .reader import Reader
from .rows import GameRow

Examine: TypeAlias = Callable[[GameExport], None]
"""Plays a game through the rules; ``UserError`` if it is not one."""


ExamineGuest: TypeAlias = Callable[[GuestExport], None]
"""``UserError`` if somebody cannot be a guest."""


def any_guest(parcel: GuestExport) -> None:
    """Whoever it is."""


def check_game(parcel: GameExport, examine: Examine) -> None:
    """``UserError`` if the chain of a game is broken, or its examination finds something."""
    broken = check_chain(parcel.events, last=parcel.game.seq)
    if broken is not None:
        raise UserError("store.broken_chain", game=parcel.game.id, seq=broken)
    examine(parcel)


def check_games(store: Reader, examine: Examine) -> Iterator[tuple[GameRow, UserError | None]]:
    """Every game with what is wrong with it, if anything; one whose own row is damaged is left out."""
    for game in store.all_games():
        try:
            check_game(store.checked_game_export(game), examine)
        except UserError as user_error:
            yield game, user_error
        else:
            yield game, None


def check_file(store: Reader) -> None:
    """``UserError`` if the data file itself is damaged, ``Unavailable`` if it cannot be read."""
    try:
        wrong = sqlite.damage(store.path)
    except sqlite3.Error as error:
        raise not_read(error) from None
    if wrong is not None:
        raise UserError("store.damaged", path=store.path, reason=wrong)


def check_guests(store: Reader, examine: ExamineGuest = any_guest) -> tuple[int, list[UserError]]:
    """How many guests can be read, and everything that is wrong with rows of guests and with tokens."""
    wrong: list[UserError] = []
    if strays := store.stray_tokens():
        wrong.append(UserError("store.stray_tokens", tokens=strays))
    guests = 0
    with reporting(store, lambda row: wrong.append(row.located())):
        for parcel in store.checked_guest_exports():
            guests += 1
            try:
                if isinstance(parcel, UserError):
                    raise parcel
                examine(parcel)
            except UserError as user_error:
                wrong.append(user_error)
    return guests, wrong


@contextmanager
def reporting(store: Reader, damaged: Callable[[DamagedRow], None]) -> Iterator[None]:
    """In here ``damaged`` is called with every row that a list leaves out."""
    before = store.damaged
    store.damaged = damaged
    try:
        yield
    finally:
        store.damaged = before
