"""A power cut under the store: what is acknowledged is kept, and the harness would see it if it were not."""

import sys
from pathlib import Path

import pytest

from . import journal, shim
from .journal import Mark, Name, Step, Sync, Write
from .power_loss import Unseen, check_seen, choose_places, cut, record, rows
from .table import Row
from .workload import Plant

pytestmark = pytest.mark.skipif(shim.missing() is not None, reason=f"not run: {shim.missing()}")


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    """What the store does to its folder while games are played."""
    return record(seed=1)


def test_nothing_acknowledged_is_lost(steps: list[Step]) -> None:
    """After forty cuts the store opens, holds all that it had acknowledged, nothing else, and goes on."""
    report = cut(steps, choose_places(steps, 40, seed=2), seed=2)
    assert (report.lost, report.corrupt) == ([], []) and report.ok
    assert report.images > report.different > 100 and report.acknowledged > 200, "there was something to lose"


def test_the_first_moments(steps: list[Step]) -> None:
    """Wherever the making of a data file is cut off, it can be opened and used."""
    begun = next(at for at, step in enumerate(steps) if isinstance(step, Mark))
    places = [at for at in range(begun) if isinstance(steps[at], Name | Sync)]
    report = cut(steps, places, seed=3)
    assert (report.lost, report.corrupt) == ([], [])
    assert report.cuts > 15 and report.acknowledged == 0


def test_what_is_cut_is_worth_cutting(steps: list[Step]) -> None:
    """The log is begun anew again and again, and pages reach the data file, before and after a restart."""
    logs = {step.file for step in steps if isinstance(step, Name) and step.name.endswith("-wal")}
    writes = [step for step in steps if isinstance(step, Write)]
    assert sum(write.file not in logs for write in writes) > 200, "checkpoints"
    assert sum(write.file in logs and write.offset == 0 for write in writes) > 15, "new beginnings"
    assert sum(isinstance(step, Sync) for step in steps) > 100


@pytest.mark.parametrize("plant", [Plant.NO_SYNC, Plant.TOO_EARLY])
def test_a_careless_store_is_caught(plant: Plant) -> None:
    """Without syncs, or with an acknowledgement before the commit, the same cuts lose events."""
    steps = record(seed=1, plant=plant, lives=1)
    report = cut(steps, choose_places(steps, 8, seed=2), seed=2)
    assert len(report.lost) > 8
    assert bool(report.corrupt) == (plant is Plant.NO_SYNC), "files out of step, but not by a word too early"
    assert not report.ok


OPEN = "import mmap, os; file = os.open(path, os.O_CREAT | os.O_RDWR); os.write(file, b'seen')"
UNSEEN = {
    "mapped memory": f"{OPEN}; mmap.mmap(file, 4)[0] = 7",
    "a copied descriptor": f"{OPEN}; os.write(os.dup(file), b'not')",
    "nothing": "pass",
}


@pytest.mark.parametrize("way", UNSEEN)
def test_a_write_that_was_not_seen_is_noticed(way: str, tmp_path: Path) -> None:
    """Where the recorder does not see everything, nothing is concluded."""
    data = tmp_path / "data"
    data.mkdir()
    program = f"path = {str(data / 'file')!r}; {UNSEEN[way]}"
    shim.record(shim.build(tmp_path), data, tmp_path / "journal", [sys.executable, "-c", program])
    with pytest.raises(Unseen):
        check_seen(journal.read(tmp_path / "journal"), data)


EVERYTHING = """
import os
os.chdir(folder)
with open("a", "wb") as file:
    file.write(b"one two")
with open("a", "ab") as file:
    file.write(b" three")
with open("a", "r+b") as file:
    file.seek(4)
    os.writev(file.fileno(), [b"T", b"WO"])
    os.pwrite(file.fileno(), b"O", 0)
    file.truncate(9)
os.replace("a", "b")
here = os.open(".", os.O_RDONLY)
os.close(os.open("c", os.O_CREAT | os.O_WRONLY, dir_fd=here))
os.unlink("c", dir_fd=here)
open("d", "wb").write(b"long")
open("d", "wb").write(b"new")
"""


def test_every_way_to_write_is_followed(tmp_path: Path) -> None:
    """Appending, emptying, renaming, relative paths: the journal leads to the folder as it is."""
    data = tmp_path / "data"
    data.mkdir()
    program = f"folder = {str(data)!r}\n{EVERYTHING}"
    command = [sys.executable, "-W", "ignore", "-c", program]
    shim.record(shim.build(tmp_path), data, tmp_path / "journal", command)
    assert {path.name: path.read_bytes() for path in data.iterdir()} == {"b": b"One TWO t", "d": b"new"}
    check_seen(journal.read(tmp_path / "journal"), data)


def test_a_program_that_fails_is_not_judged(tmp_path: Path) -> None:
    """What went wrong under the recorder is said."""
    with pytest.raises(RuntimeError, match="ended with 3"):
        shim.record(shim.build(tmp_path), tmp_path, tmp_path / "journal", [sys.executable, "-c", "exit(3)"])


def test_a_machine_without_a_compiler_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row of the table is there, and is not green."""
    monkeypatch.setattr(shim, "missing", lambda: "there is no C compiler here")
    (row,) = rows(cuts=1000, seed=1)
    assert row.ok is None and row.measured == "there is no C compiler here"


def test_a_row_says_when_it_was_not_run() -> None:
    """A test that a machine cannot run is neither good nor bad, and the reason is given."""
    row = Row.not_run("power loss", "nothing lost", "there is no C compiler here")
    assert str(row) == "| power loss | – | not run: there is no C compiler here | nothing lost |"
    assert row.ok is None
