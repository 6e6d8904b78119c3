"""Guests and games as lines of JSON, each with everything that belongs to it."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from sanssouci.notation import read_typed_json

from .rows import (
    BanRow,
    EventRow,
    GameRow,
    GuestRow,
    HoldingRow,
    PlayedRow,
    ReviewRow,
    Row,
    TokenKind,
    TokenRow,
)

PARSE_ERRORS = (ValueError, LookupError, TypeError, OverflowError, RecursionError)
"""The errors that parsing foreign data may raise."""


@dataclass(frozen=True, slots=True)
class GuestExport(Row):
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
class GameExport(Row):
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


def write_line(document: dict[str, Any]) -> bytes:
    return json.dumps(document, allow_nan=False).encode("ascii") + b"\n"


def write_export(export: ExportRow) -> bytes:
    """The line for a guest or a game."""
    document = asdict(export)
    if isinstance(export, GameExport):
        document["seed"] = export.seed.hex()
    return write_line(document)


def read_export(line: bytes) -> ExportRow:
    """``FieldError`` if the line is not an export of a guest or a game."""
    if line.startswith(b'{"guest"'):
        return read_typed_json(GuestExport, line)
    return read_typed_json(GameExport, line)
