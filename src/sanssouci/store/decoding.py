"""Decodes database rows into typed rows. SQLite stores any value in any column, so each value is checked.

A value that the store never writes, such as text that is not UTF-8 after a bit flip, damages only its own
row: the caller gets a ``DamagedRow`` that names the column and never the value.
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
from .tables import BAN, EVENT, GAME, GUEST, HOLDING, PLAYED, REVIEW, TOKEN

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
    BanRow: BAN.name,
    PlayedRow: PLAYED.name,
    ReviewRow: REVIEW.name,
}


def decode_text(data: bytes) -> str | bytes:
    """A ``text_factory`` for SQLite connections.

    Bytes that are not UTF-8 stay bytes, which the checks reject. The driver's own decoder would raise an
    error that quotes the whole value.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def decode_row(kind: type[T], values: Sequence[object]) -> T:
    """Raises ``DamagedRow`` for a value that the store never writes."""
    checks: Sequence[tuple[str, Check]] = _checks(kind)  # type: ignore[arg-type]  # a class can be hashed
    for (name, is_sound), value in zip(checks, values, strict=True):
        if not is_sound(value):
            raise DamagedRow(_TABLES[kind], name, *_owner(kind, values))
    return kind(*_converted(kind, values))


def decode_rows(kind: type[T], found: Iterable[Sequence[object]]) -> list[T]:
    """Rows that belong together: raises ``DamagedRow`` for the first damaged one."""
    return [decode_row(kind, values) for values in found]


def decode_list(kind: type[T], found: Iterable[Sequence[object]]) -> list[T | DamagedRow]:
    """Independent rows: each damaged one is replaced by its ``DamagedRow``."""
    return [attempt(partial(decode_row, kind, values)) for values in found]


def attempt(decode: Callable[[], R]) -> R | DamagedRow:
    """The decoded value, or the ``DamagedRow`` that was raised."""
    try:
        return decode()
    except DamagedRow as damaged:
        return damaged


def sound(found: Iterable[R | DamagedRow], damaged: Callable[[DamagedRow], None]) -> list[R]:
    """The rows that are not damaged; calls ``damaged`` with each of the others."""
    rows: list[R] = []
    for row in found:
        if isinstance(row, DamagedRow):
            damaged(row)
        else:
            rows.append(row)
    return rows


def is_name(value: object) -> bool:
    """Whether a value looks like the id of a game or guest, and so is safe to show to the host."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_place(value: object) -> bool:
    return type(value) is int and value in PLACES


def _owner(kind: type, values: Sequence[object]) -> tuple[str | None, str | None]:
    """The ids of the game and guest that a row belongs to; no game for a result, which outlives it."""
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
    """The check for the type of a field; also accepts None if the field is optional."""
    kinds = get_args(hint) or (hint,)
    sound = next(check for kind, check in _SOUND.items() if kind in kinds)
    if type(None) in kinds:
        return lambda value: value is None or sound(value)
    return sound


def _is_text(value: object) -> bool:
    return type(value) is str


def _is_integer(value: object) -> bool:
    return type(value) is int


def _is_timestamp(value: object) -> bool:
    return type(value) in (float, int) and 0 <= value < LAST_MOMENT  # type: ignore[operator]  # it is a number by now


def _is_token_kind(value: object) -> bool:
    return value in _TOKEN_KINDS


_TOKEN_KINDS = frozenset(kind.value for kind in TokenKind)
_SOUND: dict[type, Check] = {TokenKind: _is_token_kind, str: _is_text, float: _is_timestamp, int: _is_integer}
