"""A few hundred flipped bits: nothing leaks, and one damaged row is no more than that."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from .campaign import run
from .flip import columns
from .planting import plant, told_by_driver
from .scene import play

FLIPS = 225
"""Five in every column; each tenth of them is followed by a check of the data file."""


def test_no_flipped_bit_leaks(tmp_path: Path) -> None:
    """Five bits in every column of every table, and some anywhere in the file.

    It takes some ten seconds: every flip is followed by some twenty requests.
    """
    report = run(tmp_path, range(FLIPS), thorough=False)
    assert report.faults == []
    assert report.flips == FLIPS and report.statuses[500] > 100 and report.checks > 5 and report.heard > 20


def test_every_table_has_a_row(tmp_path: Path) -> None:
    """What is played for the flips leaves no table of the database empty."""
    asyncio.run(play(tmp_path))
    path = tmp_path / "tables.db"
    with closing(sqlite3.connect(path)) as connection:
        for table in {table for table, _ in columns(path)}:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() > (0,), table


def test_what_the_driver_says_is_found(tmp_path: Path) -> None:
    """A store that tells the driver's words, as it once did; ``make faults`` plants more."""
    faults = plant(told_by_driver, tmp_path).faults
    assert "event.body" in faults[0] and "is hidden from this viewer" in faults[0]
