"""A power cut under the store: acknowledged data survives, and planted faults are found."""

import sys
from pathlib import Path

import pytest

from . import journal, shim
from .journal import Mark, Name, Step, Sync, Write
from .power_loss import IncompleteJournal, check_complete, choose_places, cut, record, rows
from .report import Row
from .workload import Plant

pytestmark = pytest.mark.skipif(shim.missing() is not None, reason=f"not run: {shim.missing()}")


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    """The file operations of the store while games are played."""
    return record(seed=1)


def test_nothing_acknowledged_is_lost(steps: list[Step]) -> None:
    """After each of forty cuts, the store opens, holds exactly the acknowledged events, and continues."""
    report = cut(steps, choose_places(steps, 40, seed=2), seed=2)
    assert (report.lost, report.corrupt) == ([], []) and report.ok
    assert report.images > report.different > 100 and report.acknowledged > 200, (
        "the workload is large enough"
    )


def test_a_cut_while_creating_the_data_file(steps: list[Step]) -> None:
    """A data file whose creation was interrupted can be opened and used."""
    first_mark = next(at for at, step in enumerate(steps) if isinstance(step, Mark))
    places = [at for at in range(first_mark) if isinstance(steps[at], Name | Sync)]
    report = cut(steps, places, seed=3)
    assert (report.lost, report.corrupt) == ([], [])
    assert report.cuts > 15 and report.acknowledged == 0


def test_the_workload_covers_checkpoints_and_wal_restarts(steps: list[Step]) -> None:
    """The workload includes checkpoints, restarts of the WAL file, and syncs."""
    logs = {step.file for step in steps if isinstance(step, Name) and step.name.endswith("-wal")}
    writes = [step for step in steps if isinstance(step, Write)]
    assert sum(write.file not in logs for write in writes) > 200, "checkpoints"
    assert sum(write.file in logs and write.offset == 0 for write in writes) > 15, "WAL restarts"
    assert sum(isinstance(step, Sync) for step in steps) > 100


@pytest.mark.parametrize("plant", [Plant.NO_SYNC, Plant.TOO_EARLY])
def test_a_store_without_durability_is_found(plant: Plant) -> None:
    """Without syncs, or with an acknowledgement before the commit, cuts lose events."""
    steps = record(seed=1, plant=plant, starts=1)
    report = cut(steps, choose_places(steps, 8, seed=2), seed=2)
    assert len(report.lost) > 8
    assert bool(report.corrupt) == (plant is Plant.NO_SYNC), "only missing syncs corrupt files"
    assert not report.ok


OPEN = "import mmap, os; file = os.open(path, os.O_CREAT | os.O_RDWR); os.write(file, b'seen')"
UNTRACKED = {
    "mapped memory": f"{OPEN}; mmap.mmap(file, 4)[0] = 7",
    "a copied descriptor": f"{OPEN}; os.write(os.dup(file), b'not')",
    "nothing": "pass",
}


@pytest.mark.parametrize("way", UNTRACKED)
def test_an_incomplete_journal_is_rejected(way: str, tmp_path: Path) -> None:
    """Writes that the recorder cannot see raise ``IncompleteJournal``."""
    data = tmp_path / "data"
    data.mkdir()
    program = f"path = {str(data / 'file')!r}; {UNTRACKED[way]}"
    shim.record(shim.build(tmp_path), data, tmp_path / "journal", [sys.executable, "-c", program])
    with pytest.raises(IncompleteJournal):
        check_complete(journal.read(tmp_path / "journal"), data)


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


def test_the_recorder_tracks_every_kind_of_write(tmp_path: Path) -> None:
    """The journal of appends, truncations, renames and relative paths reproduces the folder."""
    data = tmp_path / "data"
    data.mkdir()
    program = f"folder = {str(data)!r}\n{EVERYTHING}"
    command = [sys.executable, "-W", "ignore", "-c", program]
    shim.record(shim.build(tmp_path), data, tmp_path / "journal", command)
    assert {path.name: path.read_bytes() for path in data.iterdir()} == {"b": b"One TWO t", "d": b"new"}
    check_complete(journal.read(tmp_path / "journal"), data)


def test_a_failing_program_raises_an_error(tmp_path: Path) -> None:
    """A non-zero exit status of the recorded program raises an error."""
    with pytest.raises(RuntimeError, match="exited with 3"):
        shim.record(shim.build(tmp_path), tmp_path, tmp_path / "journal", [sys.executable, "-c", "exit(3)"])


def test_a_missing_compiler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a C compiler, the row says that the test was not run."""
    monkeypatch.setattr(shim, "missing", lambda: "there is no C compiler here")
    (row,) = rows(cuts=1000, seed=1)
    assert row.ok is None and row.measured == "there is no C compiler here"


def test_a_row_that_was_not_run() -> None:
    """A test that cannot run is neither passed nor failed, and its row gives the reason."""
    row = Row.not_run("power loss", "nothing lost", "there is no C compiler here")
    assert str(row) == "| power loss | – | not run: there is no C compiler here | nothing lost |"
    assert row.ok is None
