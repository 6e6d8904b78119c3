"""A disk that is full or read-only: writes are refused, nothing is lost, and the store recovers by itself."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")
"""Runs a command with private mounts, without root rights."""


def succeeds(*command: str) -> bool:
    """Whether the command succeeds on this machine."""
    return shutil.which(command[0]) is not None and _status(command) == 0


def _status(command: tuple[str, ...]) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


def observe(how: str, folder: Path, *prefix: str) -> Any:
    """The observations of ``failing_disk.py``."""
    command = [*prefix, sys.executable, "-m", "tests.store.failing_disk", how, str(folder)]
    done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_recovery(observed: dict[str, Any], sentence: str) -> None:
    """No acknowledged write is lost, no refused write is stored, and the store recovers by itself."""
    assert observed["before"] == ["written"] * 3 and observed["after"] == ["written"] * 3
    assert observed["while"] == ["Unavailable"] * 4
    assert sentence in observed["sentence"] and "try again" in observed["sentence"]
    assert observed["probe"] == [True, "Unavailable", True, True, "ok", False]
    assert observed["read"] == 1 and observed["broken"] is None


needs_mounts = pytest.mark.skipif(
    not succeeds(*OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/mnt"),
    reason="this machine does not allow mounts",
)


@needs_mounts
def test_a_full_disk(tmp_path: Path) -> None:
    """A store on a full disk of two megabytes recovers when space is freed; a new file there is refused."""
    observed = observe("full", tmp_path, *OWN_MOUNTS)
    check_recovery(observed, "disk is full")
    assert observed["open"].startswith("store.unusable: ")


def test_file_size_limit(tmp_path: Path) -> None:
    """A store that reaches the file size limit of its process recovers when the limit is lifted."""
    check_recovery(observe("limited", tmp_path), "disk")


def test_disk_becomes_read_only(tmp_path: Path) -> None:
    """A store whose open files become immutable recovers when they are writable again."""
    probe = tmp_path / "probe"
    probe.touch()
    if not (succeeds("chattr", "+i", str(probe)) and succeeds("chattr", "-i", str(probe))):
        pytest.skip("this disk or this user cannot make a file immutable")
    (tmp_path / "data").mkdir()
    check_recovery(observe("immutable", tmp_path / "data"), "is read-only")


@needs_mounts
def test_opening_on_a_read_only_disk(tmp_path: Path) -> None:
    """Opening an existing or a new file on a read-only disk is refused with a clear error."""
    observed = observe("read-only", tmp_path, *OWN_MOUNTS)
    assert all(text.startswith("store.unusable: ") and "is read-only" in text for text in observed.values())
