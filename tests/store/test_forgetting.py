"""Forgetting: what is deleted is gone from the disk too, from the file and from SQLite's log beside it."""

import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sanssouci.store import (
    AddGuest,
    AddPlayed,
    DropPlayed,
    ForgetGuest,
    GuestRow,
    PlayedRow,
    RenameGuest,
    Store,
    sqlite,
)

from .builders import begin, furnish

MARK = "Sanspareil"
"""A word that is nowhere else."""


def on_disk(path: Path) -> bool:
    """Whether the mark is still to be found by whoever looks through the bytes."""
    files = [path, path.with_name(f"{path.name}-wal")]
    return any(MARK.encode() in file.read_bytes() for file in files if file.exists())


def play(store: Store, games: int = 30) -> None:
    """A guest of that name has played some games, long rows and short ones."""
    store.write(AddGuest(GuestRow("sophie", MARK, 1.0, 1.0))).result(60)
    for game in range(games):
        body = f'"{MARK} {"x" * (game % 7 * 900)}"'
        store.write(AddPlayed(PlayedRow("sophie", f"g{game}", float(game), body))).result(60)


def test_the_last_game_comes_first(store: Store) -> None:
    """As many as are asked for, and only one's own."""
    furnish(store)
    play(store)
    assert [row.game for row in store.played_by("sophie", 3)] == ["g29", "g28", "g27"]
    assert len(store.played_by("sophie")) == 30 and len(store.played_by("wilhelmine")) == 1


def test_what_came_of_games_is_gone_from_the_disk(store: Store, path: Path) -> None:
    """The guest stays, the rows of others too, and no byte of the dropped ones."""
    furnish(store)
    play(store)

    assert on_disk(path)
    store.write(RenameGuest("sophie", "Sophie"), DropPlayed("sophie")).result(60)
    assert not on_disk(path)
    assert store.played_by("sophie") == [] and len(store.played_by("wilhelmine")) == 1


def test_a_forgotten_guest_is_gone_from_the_disk(store: Store, path: Path) -> None:
    """With the name and all that was played, at once."""
    play(store)
    store.write(ForgetGuest("sophie")).result(60)
    assert not on_disk(path) and store.guest("sophie") is None


def test_whoever_still_reads_delays_it_to_the_next_write(store: Store, path: Path) -> None:
    """An export that is being made sees its moment to the end; nobody waits for it."""
    play(store)
    with store.snapshot() as connection:
        connection.exec_driver_sql("SELECT * FROM played").all()
        store.write(ForgetGuest("sophie")).result(60)
        assert on_disk(path)
    begin(store, "next")
    assert not on_disk(path)


def test_a_log_that_cannot_be_emptied_undoes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The disk fails right after the commit: what was forgotten is forgotten, and it is tried again."""
    play(store)
    tries: list[int] = []

    def failing(cursor: Any) -> bool:
        tries.append(1)
        if len(tries) == 1:
            raise sqlite3.OperationalError("disk I/O error")
        return sqlite.empty_log(cursor)

    monkeypatch.setattr(store._writer, "_empty_log", failing)
    with caplog.at_level(logging.WARNING):
        store.write(ForgetGuest("sophie")).result(60)
    assert store.guest("sophie") is None and not store.failing and "cannot be emptied" in caplog.text
    for game in ("next", "after that"):
        begin(store, game)
    assert len(tries) == 2
