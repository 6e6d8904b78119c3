"""Backups: a consistent copy of the data in one file, also while a server is running."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from sanssouci.locale import UserError
from sanssouci.store import Locked, Store, back_up, check_chain, sqlite

from .builders import add_games, all_rows, an_event, fill_store, query
from .test_opening import another_process


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """The path of the backup."""
    folder = tmp_path / "backups"
    folder.mkdir()
    return folder / "copy.db"


def test_a_backup_contains_every_row(store: Store, path: Path, target: Path) -> None:
    """A backup is one private file with every row, and a store can open it and write to it."""
    fill_store(store)
    back_up(path, target)
    assert list(target.parent.iterdir()) == [target] and target.stat().st_mode & 0o777 == 0o600
    assert all_rows(target) == all_rows(path)
    with Store.open(target) as copy:
        copy.write(an_event(3)).result()
        assert check_chain(copy.events("g"), last=3) is None


def test_a_backup_during_writes_is_consistent(store: Store, path: Path, target: Path) -> None:
    """A backup made during writes has an unbroken chain and every write acknowledged before it."""
    add_games(store, "g")
    stop, written = Event(), [0]

    def play() -> None:
        while not stop.is_set():
            store.write(an_event(written[0])).result(60)
            written[0] += 1

    player = Thread(target=play)
    player.start()
    try:
        for number in range(20):
            copy, before = target.with_name(f"{number}.db"), written[0]
            back_up(path, copy)
            with Store.open(copy) as backup:
                events = backup.events("g")
            assert check_chain(events) is None and len(events) >= before
    finally:
        stop.set()
        player.join()
    assert written[0] > 20 and check_chain(store.events("g"), last=written[0] - 1) is None


def test_a_backup_contains_the_write_ahead_log(path: Path, target: Path) -> None:
    """Writes that are only in the write-ahead log are backed up, also after their process was killed."""
    with another_process(path) as process:
        back_up(path, target)
        process.kill()
        process.wait()
        back_up(path, target.with_name("second.db"))
    for copy in (target, target.with_name("second.db")):
        assert query(copy, "SELECT count(*) FROM event") == [(5,)]


def backup_error(source: Path, target: Path, force: bool = False) -> str:
    """The key of the error with which a backup fails; it leaves the target's folder unchanged."""
    before = {file: file.read_bytes() for file in target.parent.iterdir()}
    with pytest.raises(UserError) as caught:
        back_up(source, target, force)
    assert {file: file.read_bytes() for file in target.parent.iterdir()} == before
    return caught.value.key


def test_a_backup_replaces_a_file_only_with_force(store: Store, path: Path, target: Path) -> None:
    """An existing file is kept; with ``force`` it is replaced, and its old write-ahead log is removed."""
    add_games(store, "g", events=2)
    target.write_text("precious")
    assert backup_error(path, target) == "store.exists"
    log = target.with_name("copy.db-wal")
    log.write_text("log of the old file")
    back_up(path, target, force=True)
    assert list(target.parent.iterdir()) == [target]
    assert query(target, "SELECT count(*) FROM event") == [(2,)]


def test_a_backup_never_replaces_data_in_use(store: Store, path: Path, tmp_path: Path) -> None:
    """Neither the source's own files nor a file opened by another store are replaced, even with ``force``."""
    add_games(store, "g", events=2)
    for ending in ("", "-wal", "-shm", ".lock", ".server"):
        with pytest.raises(UserError) as caught:
            back_up(path, path.with_name(path.name + ending), force=True)
        assert caught.value.key == "store.same_file"
    with Store.open(tmp_path / "other.db") as other:
        add_games(other, "h", events=1)
        with pytest.raises(Locked):
            back_up(path, other.path, force=True)
        assert len(other.events("h")) == 1


def test_a_failed_backup_leaves_no_file(store: Store, path: Path, target: Path) -> None:
    """A missing source, a source that is not a database and a missing target folder are user errors."""
    text = path.with_name("text.txt")
    text.write_text("no database " * 1000)
    assert backup_error(path.with_name("absent.db"), target) == "store.missing"
    assert backup_error(text, target) == "store.no_copy"
    with pytest.raises(UserError) as caught:
        back_up(path, target.parent / "nowhere" / "copy.db")
    assert caught.value.key == "store.unusable"


def test_a_damaged_file_is_not_backed_up(path: Path, target: Path) -> None:
    """A source with orphaned rows or a corrupt page is refused."""
    with Store.open(path) as store:
        add_games(store, "g", events=30)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM game")
    assert backup_error(path, target) == "store.damaged"
    with path.open("r+b") as file:
        for page in index_pages(path):
            file.seek((page - 1) * 4096 + 8)
            file.write(b"\xff" * 64)
    assert backup_error(path, target) in ("store.damaged", "store.no_copy")


def index_pages(path: Path) -> Iterator[int]:
    """The root pages of the event table's indexes."""
    for (page,) in query(
        path, "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'event' AND type = 'index'"
    ):
        yield page


def test_integrity_check_passes_on_an_intact_file(store: Store, path: Path) -> None:
    """The integrity check finds nothing in an intact file."""
    fill_store(store)
    assert sqlite.integrity_error(path) is None


def test_integrity_check_finds_any_corrupt_page(path: Path) -> None:
    """The integrity check finds damage in every page, also where SQLite cannot read the file at all."""
    with Store.open(path) as store:
        fill_store(store)
    intact = path.read_bytes()
    for page in range(4096, len(intact), 4096):
        path.write_bytes(intact[:page] + b"\xff" * 64 + intact[page + 64 :])
        assert sqlite.integrity_error(path) is not None
