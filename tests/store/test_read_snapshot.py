"""A moment of a data file: read beside who writes to it, whole, and without being in the way."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sanssouci.locale import UserError
from sanssouci.store import Locked, Store, export_games, open_snapshot

from .builders import an_event, begin


def test_a_moment_does_not_change_while_others_write(store: Store, path: Path) -> None:
    """It has what was there when it was opened, and nothing since; the writer does not wait for it."""
    begin(store, "g", events=3)
    with open_snapshot(path) as moment:
        assert moment is not None
        store.write(an_event(3)).result(60)
        begin(store, "h", events=1)
        assert [game.id for game in moment.all_games()] == ["g"] and moment.count_games() == 1
        assert [event.seq for event in moment.events("g")] == [0, 1, 2]
        assert [event.seq for event in store.events("g")] == [0, 1, 2, 3]
    with open_snapshot(path) as later:
        assert later is not None and [game.id for game in later.all_games()] == ["g", "h"]


def test_an_export_of_a_moment_holds_what_was_there(store: Store, path: Path, tmp_path: Path) -> None:
    """The same text as before the writes that came meanwhile."""
    begin(store, "g", events=3)
    export_games(store, tmp_path / "before.jsonl")
    with open_snapshot(path) as moment:
        assert moment is not None
        begin(store, "h", events=1)
        assert export_games(moment, tmp_path / "moment.jsonl").games == 1
        with pytest.raises(UserError, match="itself"):
            export_games(moment, path, force=True)
    assert (tmp_path / "moment.jsonl").read_bytes() == (tmp_path / "before.jsonl").read_bytes()


def test_a_moment_leaves_the_lock_alone(store: Store, path: Path) -> None:
    """Who has the file keeps it, with the address that was told."""
    store.publish("http://x/")
    with open_snapshot(path), pytest.raises(Locked) as caught:
        Store.open(path)
    assert caught.value.url == "http://x/" and path.with_name("games.db.server").exists()


def test_tables_of_another_version_have_no_moment(path: Path, tmp_path: Path) -> None:
    """Nothing is read from tables that this program does not know; a file that is none has its sentence."""
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with open_snapshot(path) as moment:
        assert moment is None
    with pytest.raises(UserError, match=r"none\.db"), open_snapshot(tmp_path / "none.db"):
        pass
    assert not (tmp_path / "none.db").exists()
