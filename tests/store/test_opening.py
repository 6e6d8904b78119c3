"""Opening: one process at a time, only this program's data, and recovery after a crash."""

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from sanssouci.locale import LANGUAGES, UserError
from sanssouci.store import Conflict, Locked, Store, Unavailable, check_chain, lock, sqlite
from sanssouci.store.lock import DataLock
from sanssouci.store.migration import newest_version

from .builders import a_game, add_games, an_event

SCRIPT = """
import sys
from pathlib import Path
from sanssouci.store import Store, lock
from tests.store.builders import add_games, an_event
if len(sys.argv) == 2:
    lock._blocks_sqlite = lambda path: True
store = Store.open(Path(sys.argv[1]))
add_games(store, "g", events=5)
if len(sys.argv) > 2:
    store.publish(sys.argv[2])
print("ready", flush=True)
sys.stdin.read()
error = store.write(an_event(5, command_id="late")).exception(60)
again = store.write(an_event(6)).exception(60)
print(error.key, store.alive, again.key)
"""
ROOT = Path(__file__).parent.parent.parent


@contextmanager
def another_process(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A process that has the store open, with five events, until the block ends."""
    command = [sys.executable, "-c", SCRIPT, *map(str, arguments)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def test_a_second_process_gets_the_server_address(path: Path) -> None:
    """Opening a file that another process has open is refused, with the address of its server."""
    with another_process(path, "http://127.0.0.1:4000/"), pytest.raises(Locked) as caught:
        Store.open(path)
    assert caught.value.url == "http://127.0.0.1:4000/" and "in use" in str(caught.value)


def test_a_killed_process_leaves_no_lock(path: Path) -> None:
    """After kill -9 the file opens with every acknowledged event, and the old address is forgotten."""
    with another_process(path, "http://127.0.0.1:4000/") as process:
        process.kill()
        process.wait()
        assert path.with_name("games.db.server").exists() and path.with_name("games.db-wal").exists()
        with Store.open(path) as store:
            assert check_chain(store.events("g"), last=4) is None
            with pytest.raises(Locked) as caught:
                Store.open(path)
    assert caught.value.url is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the lock file is locked")
def test_a_removed_lock_file_changes_nothing(path: Path) -> None:
    """A second process is refused even if somebody has removed the lock file, as is one with another name."""
    other = path.with_name("other") / "games.db"
    other.parent.mkdir()
    with another_process(path, "http://x/"):
        path.with_name("games.db.lock").unlink()
        with pytest.raises(Locked) as caught:
            Store.open(path)
        assert caught.value.url == "http://x/" and path.with_name("games.db.server").exists()
        other.hardlink_to(path)
        for name in (path, other):
            assert opening_error(name) == "store.hard_link"
        with pytest.raises(Locked):  # as for a file that is mounted in two places
            DataLock(other)
        other.unlink()
    with Store.open(path) as store:
        assert check_chain(store.events("g"), last=4) is None


def test_a_lock_of_the_file_that_would_block_sqlite_is_not_used(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where both kinds of locks are the same, as on macOS, the file opens without the additional lock."""
    monkeypatch.setattr(lock, "_blocks_sqlite", lambda path: True)
    with Store.open(path) as store:
        add_games(store, "g", events=1)
        path.with_name("games.db.lock").unlink()
        Store.open(path).close()


def test_the_last_writer_wins_where_locks_fail(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without locks, only the latest writer is acknowledged; the other one stops, and the data stay sound."""
    monkeypatch.setattr(lock, "_blocks_sqlite", lambda path: True)
    with another_process(path) as process:
        path.with_name("games.db.lock").unlink()
        with Store.open(path) as store:
            store.write(an_event(5)).result(60)
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
            assert process.stdout.read() == "store.taken_over False store.taken_over\n"
            store.write(an_event(6)).result(60)
            assert check_chain(store.events("g"), last=6) is None


@pytest.mark.parametrize("removed", [False, True])
def test_nothing_is_acknowledged_after_the_file_was_replaced(
    store: Store, path: Path, tmp_path: Path, removed: bool
) -> None:
    """What is written to a file without a name would be lost."""
    add_games(store, "g", events=1)
    if removed:
        path.unlink()
    else:
        shutil.copy(path, tmp_path / "copy.db")
        (tmp_path / "copy.db").replace(path)
    error = store.write(an_event(1)).exception(60)
    assert isinstance(error, Unavailable) and error.key == "store.taken_over" and not store.alive
    with pytest.raises(Unavailable):
        store.events("g")


def test_a_refused_write_does_not_give_the_file_away(path: Path) -> None:
    """Whether the first write of a process, which claims the file, succeeds or not."""
    with Store.open(path) as store:
        add_games(store, "g", events=1)
    with Store.open(path) as store:
        assert isinstance(store.write(an_event(7)).exception(60), Conflict)
        store.write(an_event(1)).result(60)
        assert isinstance(store.write(an_event(1)).exception(60), Conflict)
        store.probe().result(60)
        assert store.alive


def test_closing_releases_the_lock(store: Store, path: Path) -> None:
    """A file that is open in this process cannot be opened again, even by a symlink, until it is closed."""
    store.publish("http://x/")
    link = path.with_name("link.db")
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(Locked) as caught:
            Store.open(name)
        assert caught.value.url == "http://x/"
    store.close()
    assert not path.with_name("games.db.server").exists()
    Store.open(link).close()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"url": 5}', "{}", "\xff"])
def test_an_invalid_address_file_is_ignored(store: Store, path: Path, content: str) -> None:
    """With an invalid address file, opening a locked file still reports that it is in use, without a URL."""
    path.with_name("games.db.server").write_text(content, encoding="latin-1")
    with pytest.raises(Locked) as caught:
        Store.open(path)
    assert caught.value.url is None


def opening_error(path: Path, create: bool = True) -> str:
    """The key of the error with which opening fails; the file is unchanged."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(UserError) as caught:
        Store.open(path, create)
    assert all(caught.value.translate(language) for language in LANGUAGES)
    assert (path.read_bytes() if path.is_file() else None) == before
    return caught.value.key


def test_an_interrupted_transaction_is_rolled_back(path: Path, tmp_path: Path) -> None:
    """A file with the rollback journal of an unfinished change opens without that change."""
    with Store.open(path) as store:
        add_games(store, "g", events=5)
    cut = tmp_path / "cut"
    cut.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA cache_size=1")
        connection.execute("BEGIN")
        connection.execute("UPDATE event SET body = hex(zeroblob(9999))")
        for file in (path, path.with_name(f"{path.name}-journal")):
            shutil.copy(file, cut)
    assert (cut / path.name).read_bytes() != path.read_bytes(), "the copy contains half of the change"
    with Store.open(cut / path.name) as store:
        assert check_chain(store.events("g"), last=4) is None


def test_a_file_that_is_not_a_database_is_refused(path: Path) -> None:
    """Text, a folder, a path below a file and a missing file are refused, each with its error."""
    path.write_text("Dear diary, " * 1000)
    assert opening_error(path) == "store.not_a_database"
    assert opening_error(path.parent) == "store.unusable"
    assert opening_error(path / "below") == "store.unusable"
    assert opening_error(path.with_name("absent.db"), create=False) == "store.missing"
    assert not path.with_name("absent.db").exists()


def test_the_database_of_another_program_is_refused(path: Path) -> None:
    """A database with a foreign application id, or with tables and no id, is refused."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
    assert opening_error(path) == "store.foreign"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id=77")
    assert opening_error(path) == "store.foreign"


def test_data_of_a_newer_version_are_refused(path: Path) -> None:
    """A file with an unknown version is refused and not changed."""
    with Store.open(path) as store:
        add_games(store, "g", events=2)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert opening_error(path) == "store.newer"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (newest_version(),))
    with Store.open(path) as store:
        assert len(store.events("g")) == 2


def test_a_file_that_cannot_be_written_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite opens a read-only file without an error; the store refuses it, except for reading."""
    with Store.open(path) as store:
        add_games(store, "g", events=2)
    connect = sqlite._connect
    monkeypatch.setattr(sqlite, "_connect", lambda path, mode, pragmas=(): connect(path, "ro", pragmas))
    with pytest.raises(UserError) as caught:
        Store.open(path)
    assert caught.value.key == "store.unusable"
    assert str(path) in str(caught.value) and "is read-only" in str(caught.value)
    with Store.open(path, create=False, for_writing=False) as store:
        assert len(store.events("g")) == 2
    monkeypatch.undo()
    with Store.open(path) as store:  # it was unlocked
        assert store.probe().exception() is None


def test_a_file_that_was_read_only_can_be_written_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite gives FILE-shm the mode of the data file when it creates it, and cannot use it later.

    Only root can. So the mode is compared, as it is when SQLite opens the file.
    """
    with Store.open(path) as store:
        add_games(store, "g")
    shared = path.with_name(f"{path.name}-shm")
    shared.touch(0o400)  # what a start on a read-only file leaves behind
    connect, modes = sqlite._connect, []

    def connect_noting_mode(*arguments: Any) -> Any:
        modes.append(stat.S_IMODE(shared.stat().st_mode) if shared.exists() else None)
        return connect(*arguments)

    monkeypatch.setattr(sqlite, "_connect", connect_noting_mode)
    with Store.open(path):
        assert modes[0] == 0o600


def test_only_the_owner_can_read_the_data(path: Path) -> None:
    """The data file, its log and its companion files have mode 600, because they contain secrets."""
    with Store.open(path / ".." / "new" / "games.db") as store:
        store.publish("http://x/")
        add_games(store, "g")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in store.path.parent.iterdir()}
    names = {"games.db", "games.db-wal", "games.db-shm", "games.db.lock", "games.db.server"}
    assert modes == dict.fromkeys(names, 0o600)


@pytest.mark.parametrize("name", ["a b%20#?&.db", "größe.db", "-x.db", "100%.db"])
def test_file_names_with_special_characters(tmp_path: Path, name: str) -> None:
    """File names with characters that are special in URLs work."""
    with Store.open(tmp_path / name) as store:
        add_games(store, "g", events=1)
    assert (tmp_path / name).stat().st_size > 0
    with Store.open(tmp_path / name, create=False) as store:
        assert len(store.events("g")) == 1 and store.game("g") == a_game("g", seq=0)


def test_the_published_file_names_the_process(store: Store, path: Path) -> None:
    """The address file contains the URL, the process id, and the identity of the data file."""
    store.publish("http://127.0.0.1:1/")
    published = json.loads(path.with_name("games.db.server").read_text(encoding="ascii"))
    file = [path.stat().st_dev, path.stat().st_ino]
    assert published == {"url": "http://127.0.0.1:1/", "pid": os.getpid(), "file": file}
