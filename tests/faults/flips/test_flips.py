"""A few hundred flipped bits: nothing leaks, and a damaged row affects nothing else."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from .campaign import run
from .fixture import play
from .flip import columns
from .planting import driver_message_leaks, plant

FLIPS = 225
"""Five in every column."""


def test_no_flipped_bit_leaks(tmp_path: Path) -> None:
    """Five bits in every column of every table, and some anywhere in the file, reveal nothing.

    This takes about ten seconds, with about twenty requests for every flip.
    """
    report = run(tmp_path, range(FLIPS), thorough=False)
    assert report.faults == []
    assert report.flips == FLIPS and report.statuses[500] > 100 and report.checks > 5 and report.sockets > 20


def test_every_table_has_a_row(tmp_path: Path) -> None:
    """The played games leave no table of the database empty."""
    asyncio.run(play(tmp_path))
    path = tmp_path / "tables.db"
    with closing(sqlite3.connect(path)) as connection:
        for table in {table for table, _ in columns(path)}:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() > (0,), table


def test_leaked_driver_messages_are_found(tmp_path: Path) -> None:
    """A store that reveals the driver's messages is found; ``make faults`` plants more faults."""
    faults = plant(driver_message_leaks, tmp_path).faults
    assert "event.body" in faults[0] and "is hidden from this viewer" in faults[0]
