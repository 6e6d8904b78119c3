"""A table of results as a file: one row for each game and seat, as CSV or Parquet.

``won`` is 1, or the share where a victory is shared, or 0. Boards and sides count from 0, as in records.
"""

import contextlib
import csv
import os
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np

from sanssouci.dealer import write_seed
from sanssouci.kernel import (
    BOARD_FIELD,
    GARDENER_FIELD,
    NO_BOARD,
    PART_FIELDS,
    RESULT_FIELDS,
    WINNERS_FIELD,
    Chunk,
)
from sanssouci.locale import UserError
from sanssouci.notation import PARTIAL, real_path
from sanssouci.rules import PARTS

from .simulation import Simulation

BOARDS = ("board", "side", "reward_board", "reward_side")
COLUMNS: tuple[str, ...] = (
    "game",
    "seed",
    "seat",
    "player",
    "score",
    *PARTS,
    "gardeners",
    "won",
    *BOARDS,
)
KINDS = (".csv", ".parquet")
_TOGETHER = 200
"""Games written per batch."""


Columns: TypeAlias = dict[str, list[Any]]


class _Writer(Protocol):
    def write(self, columns: Columns) -> None: ...

    def end(self) -> None: ...


class ResultsFile:
    """Written to a temporary file that replaces the target when closed: the target is always complete.

    A link is followed, as for every other file that is written.
    """

    def __init__(self, path: Path, simulation: Simulation) -> None:
        self._path = real_path(path)
        self._beside = self._path.parent / f"{PARTIAL}{os.getpid()}{path.suffix}"
        self._players = simulation.players
        self._seed = write_seed(simulation.seed)
        self._waiting: list[Chunk] = []
        make = _ParquetWriter if path.suffix.lower() == ".parquet" else _CsvWriter
        self._writer: _Writer = make(self._beside)

    def add(self, chunk: Chunk) -> None:
        """Add the rows of some games; small chunks are collected first."""
        self._waiting.append(chunk)
        if sum(len(chunk.results) for chunk in self._waiting) >= _TOGETHER:
            self._write()

    def _write(self) -> None:
        if self._waiting:
            results = np.concatenate([chunk.results for chunk in self._waiting])
            self._write_rows(Chunk(self._waiting[0].first, results))
        self._waiting = []

    def _write_rows(self, chunk: Chunk) -> None:
        games, seats = len(chunk.results), len(self._players)
        rows = chunk.results[:, :seats].reshape(games * seats, RESULT_FIELDS)
        winners = rows[:, WINNERS_FIELD]
        self._writer.write(
            {
                "game": np.repeat(np.arange(chunk.first, chunk.first + games), seats).tolist(),
                "seed": [self._seed] * (games * seats),
                "seat": [*range(1, seats + 1)] * games,
                "player": [*self._players] * games,
                "score": rows[:, :PART_FIELDS].sum(1).tolist(),
                **{part: rows[:, field].tolist() for field, part in enumerate(PARTS)},
                "gardeners": rows[:, GARDENER_FIELD].tolist(),
                "won": np.where(winners > 0, 1 / np.maximum(winners, 1), 0.0).tolist(),
                **{
                    name: [None if board == NO_BOARD else board for board in rows[:, field].tolist()]
                    for field, name in enumerate(BOARDS, start=BOARD_FIELD)
                },
            }
        )

    def close(self) -> None:
        """Finish the file and move it to its place."""
        self._write()
        self._writer.end()
        self._beside.replace(self._path)

    def discard(self) -> None:
        """Delete the unfinished file."""
        with contextlib.suppress(OSError):
            self._writer.end()
            self._beside.unlink()


class _CsvWriter:
    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(COLUMNS)

    def write(self, columns: Columns) -> None:
        self._writer.writerows(zip(*columns.values(), strict=True))

    def end(self) -> None:
        self._file.close()


class _ParquetWriter:
    def __init__(self, path: Path) -> None:
        try:
            import pyarrow as arrow  # noqa: PLC0415 - an extra
            from pyarrow import parquet  # noqa: PLC0415
        except ImportError:
            raise UserError("cli.no_parquet") from None
        kinds = {"seed": arrow.string(), "player": arrow.string(), "won": arrow.float64()}
        self._arrow = arrow
        self._schema = arrow.schema([(name, kinds.get(name, arrow.int64())) for name in COLUMNS])
        self._writer = parquet.ParquetWriter(path, self._schema)

    def write(self, columns: Columns) -> None:
        self._writer.write_table(self._arrow.table(columns, schema=self._schema))

    def end(self) -> None:
        self._writer.close()
