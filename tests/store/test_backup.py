"""Backup: one moment of the data, also beside a running server, in one sound file or none."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from sanssouci.locale import UserError
from sanssouci.store import Locked, Store, back_up, check_chain, sqlite

from .builders import an_event, begin, everything, furnish, look
from .test_opening import another_process


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Where the copy goes."""
    folder = tmp_path / "kept"
    folder.mkdir()
    return folder / "copy.db"


def test_a_copy_has_everything(store: Store, path: Path, target: Path) -> None:
    """Every row; in one file that only its owner can read; and the program works with it."""
    furnish(store)
    back_up(path, target)
    assert list(target.parent.iterdir()) == [target] and target.stat().st_mode & 0o777 == 0o600
    assert everything(target) == everything(path)
    with Store.open(target) as copy:
        copy.write(an_event(3)).result()
        assert check_chain(copy.events("g"), last=3) is None


def test_a_copy_while_others_write_is_of_one_moment(store: Store, path: Path, target: Path) -> None:
    """Twenty copies under a stream of writes: each chain unbroken, none older than what was acknowledged."""
    begin(store, "g")
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
            with Store.open(copy) as kept:
                events = kept.events("g")
            assert check_chain(events) is None and len(events) >= before
    finally:
        stop.set()
        player.join()
    assert written[0] > 20 and check_chain(store.events("g"), last=written[0] - 1) is None


def test_a_copy_beside_another_process_and_after_its_death(path: Path, target: Path) -> None:
    """What was acknowledged is in it, though it is in the log only; also when nobody has tidied that up."""
    with another_process(path) as process:
        back_up(path, target)
        process.kill()
        process.wait()
        back_up(path, target.with_name("second.db"))
    for copy in (target, target.with_name("second.db")):
        assert look(copy, "SELECT count(*) FROM event") == [(5,)]


def user_error(source: Path, target: Path, force: bool = False) -> str:
    """The key of what is wrong; nothing but what was there before is in the target's folder."""
    before = {file: file.read_bytes() for file in target.parent.iterdir()}
    with pytest.raises(UserError) as caught:
        back_up(source, target, force)
    assert {file: file.read_bytes() for file in target.parent.iterdir()} == before
    return caught.value.key


def test_nothing_is_replaced_unless_it_is_wanted(store: Store, path: Path, target: Path) -> None:
    """A file in the place stays; with force it is replaced whole, with the logs that belonged to it."""
    begin(store, "g", events=2)
    target.write_text("precious")
    assert user_error(path, target) == "store.exists"
    log = target.with_name("copy.db-wal")
    log.write_text("of the old one")
    back_up(path, target, force=True)
    assert list(target.parent.iterdir()) == [target]
    assert look(target, "SELECT count(*) FROM event") == [(2,)]


def test_data_in_use_are_not_replaced(store: Store, path: Path, tmp_path: Path) -> None:
    """Neither the file itself nor another that a server works with, whatever is forced."""
    begin(store, "g", events=2)
    for ending in ("", "-wal", "-shm", ".lock", ".server"):
        with pytest.raises(UserError) as caught:
            back_up(path, path.with_name(path.name + ending), force=True)
        assert caught.value.key == "store.same_file"
    with Store.open(tmp_path / "other.db") as other:
        begin(other, "h", events=1)
        with pytest.raises(Locked):
            back_up(path, other.path, force=True)
        assert len(other.events("h")) == 1


def test_what_cannot_be_copied_leaves_nothing(store: Store, path: Path, target: Path) -> None:
    """No source, a source that is no database, no folder to write to."""
    text = path.with_name("text.txt")
    text.write_text("no database " * 1000)
    assert user_error(path.with_name("absent.db"), target) == "store.missing"
    assert user_error(text, target) == "store.no_copy"
    with pytest.raises(UserError) as caught:
        back_up(path, target.parent / "nowhere" / "copy.db")
    assert caught.value.key == "store.unusable"


def test_damage_is_found_and_not_handed_on(path: Path, target: Path) -> None:
    """A page that is spoilt, a row that belongs to nothing: the copy is looked through before it is one."""
    with Store.open(path) as store:
        begin(store, "g", events=30)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM game")
    assert user_error(path, target) == "store.damaged"
    with path.open("r+b") as file:
        for page in broken_pages(path):
            file.seek((page - 1) * 4096 + 8)
            file.write(b"\xff" * 64)
    assert user_error(path, target) in ("store.damaged", "store.no_copy")


def broken_pages(path: Path) -> Iterator[int]:
    """Where the index of commands begins."""
    for (page,) in look(
        path, "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'event' AND type = 'index'"
    ):
        yield page


def test_a_sound_file_has_no_damage(store: Store, path: Path) -> None:
    """The check that finds damage is silent where there is none."""
    furnish(store)
    assert sqlite.integrity_error(path) is None


def test_whatever_page_is_spoilt_is_found(path: Path) -> None:
    """Also where the file is so far gone that it cannot be looked through."""
    with Store.open(path) as store:
        furnish(store)
    sound = path.read_bytes()
    for page in range(4096, len(sound), 4096):
        path.write_bytes(sound[:page] + b"\xff" * 64 + sound[page + 64 :])
        assert sqlite.integrity_error(path) is not None
