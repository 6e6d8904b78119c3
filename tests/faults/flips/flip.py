"""One flipped bit in a data file: in a value of some column, or anywhere in the file."""

import sqlite3
import struct
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from ..lot import Lot

Value = str | bytes | int | float | None
_GAME = {
    "game": "id",
    "secret": "game",
    "event": "game",
    "token": "game",
    "holding": "game",
    "barred": "game",
}
"""The column that names the game of a row."""
_TRIES = 50


@dataclass(frozen=True)
class Flip:
    """Which bit was flipped; ``game`` is the one that the row belongs to."""

    number: int
    table: str
    column: str
    game: str | None = None
    bit: int = 0
    row: int = 0

    def __str__(self) -> str:
        return f"flip {self.number}: {self.table}.{self.column}, row {self.row}, bit {self.bit}"


def columns(path: Path) -> list[tuple[str, str]]:
    """Every column of every table."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [
            (table, column[1])
            for (table,) in names.fetchall()
            for column in connection.execute(f"PRAGMA table_info({table})")
        ]


def flip_column(path: Path, number: int, table: str, column: str) -> Flip:
    """Flip one bit of one value of a column; which one follows from the number."""
    lot = Lot(number, table, column)
    with closing(_connect(path)) as connection, connection:
        rows = [rowid for (rowid,) in connection.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
        for _ in range(_TRIES):
            row = lot.one(rows)
            game = _game(connection, table, row)
            bit = _flip_value(connection, table, column, row, lot)
            if bit is not None:
                return Flip(number, table, column, game, bit, row)
    raise AssertionError(f"no bit of {table}.{column} can be flipped")


def flip_anywhere(path: Path, number: int) -> Flip:
    """Flip one bit of the file itself."""
    data = bytearray(path.read_bytes())
    bit = Lot(number, "file").below(len(data) * 8)
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)
    return Flip(number, "file", "", None, bit)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    return connection


def _game(connection: sqlite3.Connection, table: str, row: int) -> str | None:
    if table not in _GAME:
        return None
    found = connection.execute(
        f"SELECT CAST({_GAME[table]} AS BLOB) FROM {table} WHERE rowid = ?", (row,)
    ).fetchone()[0]
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else None


def _flip_value(connection: sqlite3.Connection, table: str, column: str, row: int, lot: Lot) -> int | None:
    """The bit that was flipped; None if a key of the tables forbids the new value."""
    where = f"FROM {table} WHERE rowid = ?"
    kind, raw = connection.execute(
        f"SELECT typeof({column}), CAST({column} AS BLOB) {where}", (row,)
    ).fetchone()
    (value,) = connection.execute(f"SELECT CAST({column} AS REAL) {where}", (row,)).fetchone()
    new: Value
    match kind:
        case "text" | "blob":
            new, bit = _flipped_bytes(raw, lot)
        case "integer":
            number = connection.execute(f"SELECT {column} {where}", (row,)).fetchone()[0]
            new, bit = _flipped_integer(number, lot)
        case "real":
            new, bit = _flipped_real(value, lot)
        case _:
            bit = lot.below(63)
            new = 1 << bit
    target = "CAST(? AS TEXT)" if kind == "text" else "?"
    with suppress(sqlite3.IntegrityError):
        connection.execute(f"UPDATE {table} SET {column} = {target} WHERE rowid = ?", (new, row))
        return bit
    return None


def _flipped_bytes(raw: bytes, lot: Lot) -> tuple[bytes, int]:
    """The high bit, which no ASCII text has, is flipped as often as all others together."""
    if not raw:
        return b"\x80", 7
    place = lot.below(len(raw))
    within = 7 if lot.often(50) else lot.below(7)
    changed = bytearray(raw)
    changed[place] ^= 1 << within
    return bytes(changed), place * 8 + within


def _flipped_integer(value: int, lot: Lot) -> tuple[int, int]:
    """A low bit as often as any other."""
    bit = lot.below(8) if lot.often(50) else lot.below(64)
    (changed,) = struct.unpack(">q", struct.pack(">Q", (value ^ 1 << bit) & (1 << 64) - 1))
    return changed, bit


def _flipped_real(value: float, lot: Lot) -> tuple[float, int]:
    (number,) = struct.unpack(">Q", struct.pack(">d", value))
    bit = lot.below(64)
    (changed,) = struct.unpack(">d", struct.pack(">Q", number ^ 1 << bit))
    return changed, bit
