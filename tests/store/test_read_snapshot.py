"""Read snapshots: a consistent view of a data file while another process writes to it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sanssouci.locale import UserError
from sanssouci.store import Locked, Store, export_games, open_snapshot

from ..helpers import user_error
from .builders import add_games, an_event


def test_a_snapshot_does_not_change_during_writes(store: Store, path: Path) -> None:
    """A snapshot shows only what existed when it was opened, and writers do not wait for it."""
    add_games(store, "g", events=3)
    with open_snapshot(path) as snapshot:
        assert snapshot is not None
        store.write(an_event(3)).result(60)
        add_games(store, "h", events=1)
        assert [game.id for game in snapshot.all_games()] == ["g"] and snapshot.count_games() == 1
        assert [event.seq for event in snapshot.events("g")] == [0, 1, 2]
        assert [event.seq for event in store.events("g")] == [0, 1, 2, 3]
    with open_snapshot(path) as later:
        assert later is not None and [game.id for game in later.all_games()] == ["g", "h"]


def test_an_export_of_a_snapshot(store: Store, path: Path, tmp_path: Path) -> None:
    """An export of a snapshot omits later writes, and cannot replace the data file."""
    add_games(store, "g", events=3)
    export_games(store, tmp_path / "before.jsonl")
    with open_snapshot(path) as snapshot:
        assert snapshot is not None
        add_games(store, "h", events=1)
        assert export_games(snapshot, tmp_path / "snapshot.jsonl").games == 1
        with user_error("store.same_file"):
            export_games(snapshot, path, force=True)
    assert (tmp_path / "snapshot.jsonl").read_bytes() == (tmp_path / "before.jsonl").read_bytes()


def test_a_snapshot_leaves_the_lock_alone(store: Store, path: Path) -> None:
    """The store keeps its lock and its published address while a snapshot is open."""
    store.publish("http://x/")
    with open_snapshot(path), pytest.raises(Locked) as caught:
        Store.open(path)
    assert caught.value.url == "http://x/" and path.with_name("games.db.server").exists()


def test_a_snapshot_of_another_version_is_none(path: Path, tmp_path: Path) -> None:
    """There is no snapshot of an unknown version, and a missing file is a user error."""
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with open_snapshot(path) as snapshot:
        assert snapshot is None
    with pytest.raises(UserError, match=r"none\.db"), open_snapshot(tmp_path / "none.db"):
        pass
    assert not (tmp_path / "none.db").exists()
