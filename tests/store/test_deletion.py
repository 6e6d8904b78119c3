"""Deleted data is gone from the disk too, including the write-ahead log."""

import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sanssouci.store import Add, DropPlayed, ForgetGuest, GuestRow, PlayedRow, RenameGuest, Store, sqlite

from .builders import add_games, fill_store

MARK = "Sanspareil"
"""A guest name that occurs nowhere else."""


def on_disk(path: Path) -> bool:
    """Whether the bytes of the data file or its write-ahead log contain the mark."""
    files = [path, path.with_name(f"{path.name}-wal")]
    return any(MARK.encode() in file.read_bytes() for file in files if file.exists())


def add_played_games(store: Store, games: int = 30) -> None:
    """Add a guest named after the mark, with played games of different sizes."""
    store.write(Add(GuestRow("sophie", MARK, 1.0, 1.0))).result(60)
    for game in range(games):
        body = f'"{MARK} {"x" * (game % 7 * 900)}"'
        store.write(Add(PlayedRow("sophie", f"g{game}", float(game), body))).result(60)


def test_played_games_are_listed_newest_first(store: Store) -> None:
    """``played_by`` returns only the guest's games, newest first, up to a limit."""
    fill_store(store)
    add_played_games(store)
    assert [row.game for row in store.played_by("sophie", 3)] == ["g29", "g28", "g27"]
    assert len(store.played_by("sophie")) == 30 and len(store.played_by("wilhelmine")) == 1


def test_dropped_results_are_erased_from_the_disk(store: Store, path: Path) -> None:
    """Dropping a guest's results erases their bytes; the guest and the results of others stay."""
    fill_store(store)
    add_played_games(store)

    assert on_disk(path)
    store.write(RenameGuest("sophie", "Sophie"), DropPlayed("sophie")).result(60)
    assert not on_disk(path)
    assert store.played_by("sophie") == [] and len(store.played_by("wilhelmine")) == 1


def test_a_forgotten_guest_is_erased_from_the_disk(store: Store, path: Path) -> None:
    """The bytes of the guest's name and results are gone when the write is acknowledged."""
    add_played_games(store)
    store.write(ForgetGuest("sophie")).result(60)
    assert not on_disk(path) and store.guest("sophie") is None


def test_an_open_snapshot_delays_erasing_to_the_next_write(store: Store, path: Path) -> None:
    """While a snapshot is open the write-ahead log is kept; the next write after it empties the log."""
    add_played_games(store)
    with store.snapshot() as connection:
        connection.exec_driver_sql("SELECT * FROM played").all()
        store.write(ForgetGuest("sophie")).result(60)
        assert on_disk(path)
    add_games(store, "next")
    assert not on_disk(path)


def test_a_log_that_cannot_be_emptied_is_retried(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If emptying the log fails after the commit, the write still succeeds and the next write retries."""
    add_played_games(store)
    attempts: list[int] = []

    def failing(cursor: Any) -> bool:
        attempts.append(1)
        if len(attempts) == 1:
            raise sqlite3.OperationalError("disk I/O error")
        return sqlite.empty_log(cursor)

    monkeypatch.setattr(store._database, "empty_log", failing)
    with caplog.at_level(logging.WARNING):
        store.write(ForgetGuest("sophie")).result(60)
    assert store.guest("sophie") is None and not store.failing
    assert caplog.messages == ["store_log_not_emptied"]
    for game in ("next", "after that"):
        add_games(store, game)
    assert len(attempts) == 2
