"""Guests and games as lines of JSON, each with everything that belongs to it."""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, TypeAlias, TypeVar, get_args, get_type_hints

from .rows import BanRow, EventRow, GameRow, GuestRow, HoldingRow, PlayedRow, ReviewRow, TokenKind, TokenRow

T = TypeVar("T")

_hints = cache(get_type_hints)

PARSE_ERRORS = (ValueError, LookupError, TypeError, OverflowError, RecursionError)
"""The errors that parsing a foreign line may raise."""


@dataclass(frozen=True, slots=True)
class GuestExport:
    """A guest with the guest's own tokens, results and reviews."""

    guest: GuestRow
    tokens: tuple[TokenRow, ...]
    played: tuple[PlayedRow, ...] = ()
    reviews: tuple[ReviewRow, ...] = ()

    def __post_init__(self) -> None:
        own = ("", TokenKind.GUEST, self.guest.id)
        if any((token.game, token.kind, token.guest) != own for token in self.tokens):
            raise ValueError("a token of somebody else")
        if any(played.guest != self.guest.id for played in self.played):
            raise ValueError("a game of somebody else")
        if any(review.guest != self.guest.id for review in self.reviews):
            raise ValueError("a review of somebody else")


@dataclass(frozen=True, slots=True)
class GameExport:
    """A game with its seed, events, tokens, seats and bans."""

    game: GameRow
    seed: bytes = field(repr=False)
    events: tuple[EventRow, ...]
    tokens: tuple[TokenRow, ...]
    holdings: tuple[HoldingRow, ...]
    barred: tuple[BanRow, ...]

    def __post_init__(self) -> None:
        parts: list[EventRow | TokenRow | HoldingRow | BanRow] = [*self.events, *self.tokens]
        parts += [*self.holdings, *self.barred]
        if not self.game.id or any(part.game != self.game.id for part in parts):
            raise ValueError("a part of another game")


ExportRow: TypeAlias = GuestExport | GameExport


def dump_export(export: ExportRow) -> dict[str, Any]:
    document = asdict(export)
    if isinstance(export, GameExport):
        document["seed"] = export.seed.hex()
    return document


def load_export(document: dict[str, Any]) -> ExportRow:
    """Raises one of ``PARSE_ERRORS`` if the object is not an export of a guest or a game."""
    if "guest" in document:
        document = {"played": [], "reviews": [], **document}  # older exports lack them
        _check_fields(document, GuestExport)
        return GuestExport(
            _row(GuestRow, document["guest"]),
            _rows(TokenRow, document["tokens"]),
            _rows(PlayedRow, document["played"]),
            _rows(ReviewRow, document["reviews"]),
        )
    _check_fields(document, GameExport)
    return GameExport(
        _row(GameRow, document["game"]),
        bytes.fromhex(document["seed"]),
        _rows(EventRow, document["events"]),
        _rows(TokenRow, document["tokens"]),
        _rows(HoldingRow, document["holdings"]),
        _rows(BanRow, document["barred"]),
    )


def write_line(document: dict[str, Any]) -> bytes:
    return json.dumps(document, allow_nan=False).encode("ascii") + b"\n"


def read_line(line: bytes) -> dict[str, Any]:
    """Raises one of ``PARSE_ERRORS`` if the line is not a JSON object."""
    if not line.endswith(b"\n"):
        raise ValueError("the line is torn")
    document = json.loads(line.decode("utf-8"))
    if not isinstance(document, dict):
        raise TypeError("not an object")
    return document


def _check_fields(document: object, kind: Any) -> dict[str, Any]:
    if not isinstance(document, dict) or document.keys() != _hints(kind).keys():
        raise ValueError("other fields than wanted")
    return document


def _rows(kind: Callable[..., T], documents: object) -> tuple[T, ...]:
    if not isinstance(documents, list):
        raise TypeError("not a list")
    return tuple(_row(kind, document) for document in documents)


def _row(kind: Callable[..., T], document: object) -> T:
    found, hints = _check_fields(document, kind), _hints(kind)
    return kind(**{name: _value(found[name], hint) for name, hint in hints.items()})


def _value(value: object, hint: Any) -> object:
    kinds = get_args(hint) or (hint,)
    if TokenKind in kinds:
        return TokenKind(str(value))
    if float in kinds and type(value) in (int, float):
        number = float(value)  # type: ignore[arg-type]  # it is one of the two
        if not math.isfinite(number):
            raise ValueError("not a number of seconds")
        return number
    if type(value) not in kinds:  # type, not isinstance: True is not an integer here
        raise TypeError("another kind of value than wanted")
    if isinstance(value, str):
        value.encode("utf-8")  # fails for lone surrogates, which JSON can express
    return value
