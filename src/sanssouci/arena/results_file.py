"""A table of results as a file: one row for each game and seat, as CSV or Parquet.

``won`` is 1, or the share where a victory is shared, or 0. Boards and sides count from 0, as in records.
"""

import contextlib
import os
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from sanssouci.dealer import write_seed
from sanssouci.kernel import BOARD_FIELD, GARDENER_FIELD, NO_BOARD, PART_FIELDS, WINNERS_FIELD, Chunk
from sanssouci.locale import Complaint
from sanssouci.notation import PARTIAL
from sanssouci.rules import PARTS

from .simulation import Simulation

COLUMNS: tuple[str, ...] = (
    "game",
    "seed",
    "seat",
    "player",
    "score",
    *PARTS,
    "gardeners",
    "won",
    "board",
    "side",
    "reward_board",
    "reward_side",
)
KINDS = (".csv", ".parquet")


class _Writer(Protocol):
    def write(self, rows: list[tuple[Any, ...]]) -> None: ...

    def end(self) -> None: ...


class ResultsFile:
    """Grows beside its place and takes it when it is closed, so that a file there is always whole.

    A link is followed, as for every other file that is written.
    """

    def __init__(self, path: Path, simulation: Simulation) -> None:
        self._path = path.resolve()
        self._beside = self._path.parent / f"{PARTIAL}{os.getpid()}{path.suffix}"
        self._players = simulation.players
        self._seed = write_seed(simulation.seed)
        make = _ParquetWriter if path.suffix == ".parquet" else _CsvWriter
        self._writer: _Writer = make(self._beside)

    def add(self, chunk: Chunk) -> None:
        """The rows of some games."""
        rows: list[tuple[Any, ...]] = []
        for number, seats in enumerate(chunk.results.tolist(), start=chunk.first):
            for seat, player in enumerate(self._players):
                fields = seats[seat]
                parts, winners = fields[:PART_FIELDS], fields[WINNERS_FIELD]
                boards = [None if board == NO_BOARD else board for board in fields[BOARD_FIELD:]]
                won = 1 / winners if winners else 0.0
                told = (*parts, fields[GARDENER_FIELD], won, *boards)
                rows.append((number, self._seed, seat + 1, player, sum(parts), *told))
        self._writer.write(rows)

    def close(self) -> None:
        """The file takes its place."""
        self._writer.end()
        self._beside.replace(self._path)

    def discard(self) -> None:
        """Nothing is left."""
        with contextlib.suppress(OSError):
            self._writer.end()
            self._beside.unlink()


class _CsvWriter:
    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("wb")
        self._file.write((",".join(COLUMNS) + "\n").encode())

    def write(self, rows: list[tuple[Any, ...]]) -> None:
        lines = [",".join(["" if value is None else _plain(value) for value in row]) for row in rows]
        self._file.write(("\n".join(lines) + "\n").encode())

    def end(self) -> None:
        self._file.close()


def _plain(value: object) -> str:
    """A value in CSV; a player's name may hold anything that an entry point's may."""
    if isinstance(value, float):
        return f"{value:g}"
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if '"' in text or "," in text else text


class _ParquetWriter:
    def __init__(self, path: Path) -> None:
        try:
            import pyarrow as arrow  # noqa: PLC0415 - an extra
            from pyarrow import parquet  # noqa: PLC0415
        except ImportError:
            raise Complaint("cli.no_parquet") from None
        kinds = {"seed": arrow.string(), "player": arrow.string(), "won": arrow.float64()}
        self._arrow = arrow
        self._schema = arrow.schema([(name, kinds.get(name, arrow.int64())) for name in COLUMNS])
        self._writer = parquet.ParquetWriter(path, self._schema)

    def write(self, rows: list[tuple[Any, ...]]) -> None:
        columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))
        self._writer.write_table(self._arrow.table(columns, schema=self._schema))

    def end(self) -> None:
        self._writer.close()
