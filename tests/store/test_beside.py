"""Writing beside a server: short transactions, pauses, and shrinking the file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sanssouci.locale import UserError
from sanssouci.store import (
    Change,
    Conflict,
    DeleteGame,
    Locked,
    Store,
    check_chain,
    export_games,
    import_games,
    sqlite,
)
from sanssouci.store import store as store_module

from .builders import accept_game, add_games, an_event, empty_data_file, query


@pytest.fixture
def beside(store: Store, path: Path) -> Iterator[Store]:
    """A second writer of the file that ``store`` has open."""
    found = Store.open_beside(path)
    assert found is not None
    with found:
        yield found


def test_both_can_write(store: Store, beside: Store) -> None:
    """Neither loses the file to the other, and each sees what the other has written."""
    add_games(store, "a", events=2)
    add_games(beside, "b", events=2)
    store.write(an_event(2, "b")).result(60)
    beside.write(an_event(2, "a")).result(60)
    for game in "ab":
        assert check_chain(store.events(game)) is None and len(store.events(game)) == 3
    assert isinstance(store.write(an_event(2, "a")).exception(60), Conflict)
    assert store.alive and beside.alive


def test_a_file_that_no_server_uses_is_not_opened_beside(path: Path) -> None:
    """Nor one whose lock file was removed, unless a server says that it uses this name of the file."""
    assert Store.open_beside(path) is None
    with Store.open(path) as store:
        path.with_name("games.db.lock").unlink()
        assert Store.open_beside(path) is None
        with pytest.raises(Locked):
            Store.open(path)
        store.publish("http://localhost:8017")
        beside = Store.open_beside(path)
        assert beside is not None
        with beside:
            add_games(beside, "a", events=2)
        assert len(store.events("a")) == 2
    assert Store.open_beside(path) is None


def test_a_file_that_a_server_uses_under_another_name_is_not_opened_beside(path: Path) -> None:
    """Each name has its own write-ahead log; what another server has left behind at this name is no proof."""
    other = path.with_name("other.db")
    with Store.open(other) as stale:
        stale.publish("http://localhost:8017")
        left_behind = path.with_name("other.db.server").read_bytes()
    with Store.open(path) as store:
        store.publish("http://localhost:8018")
        path.rename(other)
        path.with_name("other.db.server").write_bytes(left_behind)
        assert Store.open_beside(other) is None
        other.rename(path)
        assert Store.open_beside(path) is not None


def test_a_server_of_another_version_is_left_alone(store: Store, path: Path) -> None:
    """Statements of this version may not fit its tables."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0004'")
    assert Store.open_beside(path) is None


def test_steps_are_short_and_leave_room(store: Store, beside: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each write is a transaction of its own if it takes long, and the other writer gets the lock between."""
    add_games(store, *map(str, range(5)), events=2)
    monkeypatch.setattr(store_module, "_STEP", 0.0)
    seen: list[int] = []

    def pause(_: float) -> None:
        store.write(an_event(2, "4", command_id=f"in between {len(seen)}")).exception(60)
        seen.append(store.count_games())

    monkeypatch.setattr(store_module, "sleep", pause)
    beside.write_steps([DeleteGame(game)] for game in "0123")
    assert seen == [4, 3, 2, 1, 1] and len(store.events("4")) == 3


def test_what_a_step_reads_cannot_change_before_its_commit(store: Store, beside: Store) -> None:
    """A game that goes on after it was listed is not deleted."""
    add_games(store, "a", "b", events=1)
    listed = {game: len(beside.events(game)) for game in "ab"}
    store.write(an_event(1, "b")).result(60)

    def writes() -> Iterator[list[Change]]:
        for game, events in listed.items():
            if len(beside.events(game)) == events:
                yield [DeleteGame(game)]

    beside.write_steps(writes())
    assert [game.id for game in store.all_games()] == ["b"]


def test_an_import_beside_a_server_takes_all_or_nothing(
    store: Store, beside: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is checked before anything is written, and a failure later removes what was written."""
    file = tmp_path / "games.jsonl"
    with Store.open(tmp_path / "other.db") as other:
        add_games(other, "a", "b", "c", events=3)
        export_games(other, file)
    monkeypatch.setattr(store_module, "_STEP", 0.0)

    def take_a_name(_: float) -> None:
        if store.count_games() == 2:
            add_games(store, "c")

    with monkeypatch.context() as patch:
        patch.setattr(store_module, "sleep", take_a_name)
        with pytest.raises(UserError) as caught:
            import_games(beside, file, accept_game)
    assert caught.value.key == "store.game_exists" and [game.id for game in store.all_games()] == ["c"]
    store.delete(["c"])
    assert import_games(beside, file, accept_game).games == 3
    assert all(check_chain(store.events(game), last=2) is None for game in "abc")


def test_a_file_shrinks_beside_a_server(store: Store, beside: Store, path: Path) -> None:
    """Free pages are given back, and everything else stays."""
    add_games(store, *(f"g{number}" for number in range(60)), events=20)
    store.delete([f"g{number}" for number in range(59)])
    store.write(an_event(20, "g59")).result(60)
    pages = query(path, "PRAGMA page_count")[0][0]
    assert beside.shrink()
    assert query(path, "PRAGMA freelist_count") == [(0,)]
    assert query(path, "PRAGMA page_count")[0][0] < pages / 2
    assert check_chain(store.events("g59"), last=20) is None and sqlite.integrity_error(path) is None


def test_a_file_of_an_older_version_is_rebuilt_once(path: Path) -> None:
    """Not beside a server, because that takes as long as writing the whole file."""
    path.write_bytes(empty_data_file())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA auto_vacuum=NONE")
        connection.execute("VACUUM")
    with Store.open(path) as store:
        add_games(store, "g", events=3)
        assert not sqlite.can_shrink(path)
        beside = Store.open_beside(path)
        assert beside is not None and not beside.shrink()
        beside.close()
        assert store.shrink() and sqlite.can_shrink(path)
        assert check_chain(store.events("g"), last=2) is None
