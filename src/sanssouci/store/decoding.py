"""From the values of a database row to a typed row. SQLite keeps any value in any column, so each is checked.

A value that this program never writes, such as a text that is no longer UTF-8 after one flipped bit, is
damage to its row alone: the caller gets a ``DamagedRow`` that names the column and never the value.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import cache, partial
from typing import Any, TypeVar, get_args, get_type_hints

from .errors import DamagedRow
from .rows import (
    LAST_MOMENT,
    PLACES,
    BanRow,
    EventRow,
    GameRow,
    GuestRow,
    HoldingRow,
    PlayedRow,
    ReviewRow,
    TokenKind,
    TokenRow,
)
from .tables import BARRED, EVENT, GAME, GUEST, HOLDING, PLAYED, REVIEW, TOKEN

R = TypeVar("R")
T = TypeVar(
    "T", bound="GuestRow | GameRow | EventRow | TokenRow | HoldingRow | BanRow | PlayedRow | ReviewRow"
)
Check = Callable[[object], bool]

_NAME = re.compile("[0-9A-Za-z-]{1,32}")

_TABLES: dict[type, str] = {
    GuestRow: GUEST.name,
    GameRow: GAME.name,
    EventRow: EVENT.name,
    TokenRow: TOKEN.name,
    HoldingRow: HOLDING.name,
    BanRow: BARRED.name,
    PlayedRow: PLAYED.name,
    ReviewRow: REVIEW.name,
}


def decode_text(data: bytes) -> str | bytes:
    """A text as SQLite hands it over, for ``Connection.text_factory``.

    Bytes that are not UTF-8 stay bytes, which no column of text may hold. The driver's own decoder would
    raise an error that quotes the whole value.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def decode_row(kind: type[T], values: Sequence[object]) -> T:
    """A row of a kind; ``DamagedRow`` if a value cannot be one that was written."""
    checks: Sequence[tuple[str, Check]] = _checks(kind)  # type: ignore[arg-type]  # a class can be hashed
    for (name, is_sound), value in zip(checks, values, strict=True):
        if not is_sound(value):
            raise DamagedRow(_TABLES[kind], name, *_owner(kind, values))
    return kind(*_converted(kind, values))


def decode_rows(kind: type[T], found: Iterable[Sequence[object]]) -> list[T]:
    """Rows that belong together; ``DamagedRow`` for the first that is damaged."""
    return [decode_row(kind, values) for values in found]


def decode_list(kind: type[T], found: Iterable[Sequence[object]]) -> list[T | DamagedRow]:
    """Rows that do not depend on each other: a damaged one does not take the others with it."""
    return [attempt(partial(decode_row, kind, values)) for values in found]


def attempt(decode: Callable[[], R]) -> R | DamagedRow:
    """What is decoded, or the damage that was met instead."""
    try:
        return decode()
    except DamagedRow as damaged:
        return damaged


def sound(found: Iterable[R | DamagedRow], damaged: Callable[[DamagedRow], None]) -> list[R]:
    """The rows that are not damaged; ``damaged`` is called with each of the others."""
    rows: list[R] = []
    for row in found:
        if isinstance(row, DamagedRow):
            damaged(row)
        else:
            rows.append(row)
    return rows


def is_name(value: object) -> bool:
    """Whether a value can be the id of a game or a guest, and so be shown to the host."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_place(value: object) -> bool:
    return type(value) is int and value in PLACES


def _owner(kind: type, values: Sequence[object]) -> tuple[str | None, str | None]:
    """The game and the guest that a row belongs to, if they can be named; a result outlives its game."""
    named = dict(zip((field.name for field in fields(kind)), values, strict=True))
    game = named.get("id" if kind is GameRow else "game") if kind is not PlayedRow else None
    guest = named.get("id" if kind is GuestRow else "guest")
    return game if is_name(game) else None, guest if is_name(guest) else None  # type: ignore[return-value]


def _converted(kind: type, values: Sequence[object]) -> Iterable[Any]:
    if kind is not TokenRow:
        return values
    digest, game, token_kind, *others = values
    return digest, game, TokenKind(str(token_kind)), *others


@cache
def _checks(kind: type) -> tuple[tuple[str, Check], ...]:
    hints = get_type_hints(kind)
    checks = {field.name: _check(hints[field.name]) for field in fields(kind)}
    if kind is HoldingRow:
        checks["chair"] = _is_place
    return tuple(checks.items())


def _check(hint: Any) -> Check:
    """The check for the type of a field, which may be optional."""
    kinds = get_args(hint) or (hint,)
    sound = next(check for kind, check in _SOUND.items() if kind in kinds)
    if type(None) in kinds:
        return lambda value: value is None or sound(value)
    return sound


def _is_text(value: object) -> bool:
    return type(value) is str


def _is_whole(value: object) -> bool:
    return type(value) is int


def _is_moment(value: object) -> bool:
    return type(value) in (float, int) and 0 <= value < LAST_MOMENT  # type: ignore[operator]  # it is one of the two


def _is_token_kind(value: object) -> bool:
    return value in _TOKEN_KINDS


_TOKEN_KINDS = frozenset(kind.value for kind in TokenKind)
_SOUND: dict[type, Check] = {TokenKind: _is_token_kind, str: _is_text, float: _is_moment, int: _is_whole}
