"""Opening: one process at a time, data of this program only, and nothing of a dead process in the way."""

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

import pytest

from sanssouci.locale import LANGUAGES, UserError
from sanssouci.store import Locked, Store, check_chain

from .builders import a_game, begin

OTHER = """
import sys
from pathlib import Path
from sanssouci.store import Store
from tests.store.builders import an_event, begin
store = Store.open(Path(sys.argv[1]))
begin(store, "g", events=5)
if len(sys.argv) > 2:
    store.publish(sys.argv[2])
print("ready", flush=True)
sys.stdin.read()
"""
ROOT = Path(__file__).parent.parent.parent


@contextmanager
def another_process(*words: object) -> Iterator[subprocess.Popen[str]]:
    """A process that has the store open, with five events, until it is killed."""
    command = [sys.executable, "-c", OTHER, *map(str, words)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def test_a_second_process_learns_where_the_first_is(path: Path) -> None:
    """A file that is open elsewhere is refused, with the address of its server."""
    with another_process(path, "http://127.0.0.1:4000/"), pytest.raises(Locked) as caught:
        Store.open(path)
    assert caught.value.url == "http://127.0.0.1:4000/" and "in use" in str(caught.value)


def test_a_process_that_was_killed_is_not_in_the_way(path: Path) -> None:
    """After kill -9 the file opens at once, with all that was acknowledged; the old address is forgotten."""
    with another_process(path, "http://127.0.0.1:4000/") as process:
        process.kill()
        process.wait()
        assert path.with_name("games.db.server").exists() and path.with_name("games.db-wal").exists()
        with Store.open(path) as store:
            assert check_chain(store.events("g"), last=4) is None
            with pytest.raises(Locked) as caught:
                Store.open(path)
    assert caught.value.url is None


def test_the_lock_is_given_back(store: Store, path: Path) -> None:
    """Within one process too: refused while it is open, and under every name; free when it is closed."""
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


@pytest.mark.parametrize("told", ["", "{", "[]", '{"url": 5}', "{}", "\xff"])
def test_an_address_that_is_none_is_not_believed(store: Store, path: Path, told: str) -> None:
    """Whatever stands in the file of the address, the answer is that the data are in use."""
    path.with_name("games.db.server").write_text(told, encoding="latin-1")
    with pytest.raises(Locked) as caught:
        Store.open(path)
    assert caught.value.url is None


def refusal(path: Path, create: bool = True) -> str:
    """The sentence that opening ends with; the file is as it was, and not locked."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(UserError) as caught:
        Store.open(path, create)
    assert all(caught.value.translate(language) for language in LANGUAGES)
    assert (path.read_bytes() if path.is_file() else None) == before
    return caught.value.key


def test_a_change_that_was_cut_off_is_undone(path: Path, tmp_path: Path) -> None:
    """A backup is not in WAL; if the power goes while it becomes so, it opens all the same, as it was."""
    with Store.open(path) as store:
        begin(store, "g", events=5)
    cut = tmp_path / "cut"
    cut.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA cache_size=1")
        connection.execute("BEGIN")
        connection.execute("UPDATE event SET body = hex(zeroblob(9999))")
        for file in (path, path.with_name(f"{path.name}-journal")):
            shutil.copy(file, cut)
    assert (cut / path.name).read_bytes() != path.read_bytes(), "half of a change is there"
    with Store.open(cut / path.name) as store:
        assert check_chain(store.events("g"), last=4) is None


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    """Text, a folder, a place where nothing can be: each has its sentence."""
    path.write_text("Dear diary, " * 1000)
    assert refusal(path) == "store.not_a_database"
    assert refusal(path.parent) == "store.unusable"
    assert refusal(path / "below") == "store.unusable"
    assert refusal(path.with_name("absent.db"), create=False) == "store.missing"
    assert not path.with_name("absent.db").exists()


def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    """With its mark, or without one but with tables."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
    assert refusal(path) == "store.foreign"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id=77")
    assert refusal(path) == "store.foreign"


def test_data_of_a_newer_version_are_left_alone(path: Path) -> None:
    """A version that this program does not know is refused, and nothing is changed."""
    with Store.open(path) as store:
        begin(store, "g", events=2)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert refusal(path) == "store.newer"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0004'")
    with Store.open(path) as store:
        assert len(store.events("g")) == 2


def test_only_the_owner_can_read_the_data(path: Path) -> None:
    """Seeds are in the file, in its log, and an address may be in what is beside it."""
    with Store.open(path / ".." / "new" / "games.db") as store:
        store.publish("http://x/")
        begin(store, "g")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in store.path.parent.iterdir()}
    names = {"games.db", "games.db-wal", "games.db-shm", "games.db.lock", "games.db.server"}
    assert modes == dict.fromkeys(names, 0o600)


@pytest.mark.parametrize("name", ["a b%20#?&.db", "größe.db", "-x.db", "100%.db"])
def test_any_name_will_do(tmp_path: Path, name: str) -> None:
    """Signs that mean something in an address are signs here."""
    with Store.open(tmp_path / name) as store:
        begin(store, "g", events=1)
    assert (tmp_path / name).stat().st_size > 0
    with Store.open(tmp_path / name, create=False) as store:
        assert len(store.events("g")) == 1 and store.game("g") == a_game("g", seq=0)


def test_the_published_file_names_the_process(store: Store, path: Path) -> None:
    """For people who look for it."""
    store.publish("http://127.0.0.1:1/")
    told = json.loads(path.with_name("games.db.server").read_text(encoding="ascii"))
    assert told == {"url": "http://127.0.0.1:1/", "pid": os.getpid()}
