"""One flipped bit in a data file: in a value of a column, or anywhere in the file."""

import sqlite3
import struct
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from ..seeded_random import SeededRandom

Value = str | bytes | int | float | None
_GAME = {
    "game": "id",
    "secret": "game",
    "event": "game",
    "token": "game",
    "holding": "game",
    "barred": "game",
}
"""The column that identifies the game of a row."""
_TRIES = 50


@dataclass(frozen=True)
class Flip:
    """The flipped bit, and the game that its row belongs to."""

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
    """Flip one bit of one value of a column, chosen by the number."""
    rng = SeededRandom(number, table, column)
    with closing(_connect(path)) as connection, connection:
        rows = [rowid for (rowid,) in connection.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
        for _ in range(_TRIES):
            row = rng.choice(rows)
            game = _game(connection, table, row)
            bit = _flip_value(connection, table, column, row, rng)
            if bit is not None:
                return Flip(number, table, column, game, bit, row)
    raise AssertionError(f"no bit of {table}.{column} can be flipped")


def flip_anywhere(path: Path, number: int) -> Flip:
    """Flip one bit of the file, chosen by the number."""
    data = bytearray(path.read_bytes())
    bit = SeededRandom(number, "file").below(len(data) * 8)
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


def _flip_value(
    connection: sqlite3.Connection, table: str, column: str, row: int, rng: SeededRandom
) -> int | None:
    """The flipped bit, or None if a constraint forbids the new value."""
    where = f"FROM {table} WHERE rowid = ?"
    kind, raw = connection.execute(
        f"SELECT typeof({column}), CAST({column} AS BLOB) {where}", (row,)
    ).fetchone()
    (value,) = connection.execute(f"SELECT CAST({column} AS REAL) {where}", (row,)).fetchone()
    new: Value
    match kind:
        case "text" | "blob":
            new, bit = _flipped_bytes(raw, rng)
        case "integer":
            number = connection.execute(f"SELECT {column} {where}", (row,)).fetchone()[0]
            new, bit = _flipped_integer(number, rng)
        case "real":
            new, bit = _flipped_real(value, rng)
        case _:
            bit = rng.below(63)
            new = 1 << bit
    target = "CAST(? AS TEXT)" if kind == "text" else "?"
    with suppress(sqlite3.IntegrityError):
        connection.execute(f"UPDATE {table} SET {column} = {target} WHERE rowid = ?", (new, row))
        return bit
    return None


def _flipped_bytes(raw: bytes, rng: SeededRandom) -> tuple[bytes, int]:
    """Flip the high bit, which no ASCII text has, as often as all others together."""
    if not raw:
        return b"\x80", 7
    place = rng.below(len(raw))
    bit = 7 if rng.chance(50) else rng.below(7)
    changed = bytearray(raw)
    changed[place] ^= 1 << bit
    return bytes(changed), place * 8 + bit


def _flipped_integer(value: int, rng: SeededRandom) -> tuple[int, int]:
    """Flip one of the eight low bits in half of the cases."""
    bit = rng.below(8) if rng.chance(50) else rng.below(64)
    (changed,) = struct.unpack(">q", struct.pack(">Q", (value ^ 1 << bit) & (1 << 64) - 1))
    return changed, bit


def _flipped_real(value: float, rng: SeededRandom) -> tuple[float, int]:
    (number,) = struct.unpack(">Q", struct.pack(">d", value))
    bit = rng.below(64)
    (changed,) = struct.unpack(">d", struct.pack(">Q", number ^ 1 << bit))
    return changed, bit
