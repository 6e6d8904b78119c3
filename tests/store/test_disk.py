"""A disk that is full or cannot be written to: refused for now, nothing lost, and it goes on."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")
"""Mounts that nobody else sees, also for those who are not root."""


def can(*command: str) -> bool:
    """Whether this machine lets us."""
    return shutil.which(command[0]) is not None and _status(command) == 0


def _status(command: tuple[str, ...]) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


def watched(how: str, folder: Path, *through: str) -> Any:
    """What ``failing_disk.py`` saw."""
    command = [*through, sys.executable, "-m", "tests.store.failing_disk", how, str(folder)]
    done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(seen: dict[str, Any], sentence: str) -> None:
    """Nothing acknowledged is lost, nothing refused is there, and it works again by itself."""
    assert seen["before"] == ["written"] * 3 and seen["after"] == ["written"] * 3
    assert seen["while"] == ["Unavailable"] * 4
    assert sentence in seen["sentence"] and "try again" in seen["sentence"]
    assert seen["probe"] == [True, "Unavailable", True, True, "well", False]
    assert seen["read"] == 1 and seen["broken"] is None


needs_mounts = pytest.mark.skipif(
    not can(*OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/mnt"), reason="this machine lets us mount nothing"
)


@needs_mounts
def test_a_full_disk(tmp_path: Path) -> None:
    """A real disk of two megabytes: full, then with room again; a new file on it has its sentence."""
    seen = watched("full", tmp_path, *OWN_MOUNTS)
    check(seen, "disk is full")
    assert seen["open"].startswith("store.unusable: ")


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    """The same by the limit of the process, which every machine has."""
    check(watched("limited", tmp_path), "disk")


def test_a_disk_that_has_become_read_only(tmp_path: Path) -> None:
    """The files were open for writing, and no write gets through any more; until it does."""
    probe = tmp_path / "probe"
    probe.touch()
    if not (can("chattr", "+i", str(probe)) and can("chattr", "-i", str(probe))):
        pytest.skip("this disk or this user cannot make a file immutable")
    (tmp_path / "data").mkdir()
    check(watched("immutable", tmp_path / "data"), "is read-only")


@needs_mounts
def test_a_disk_that_was_read_only_from_the_start(tmp_path: Path) -> None:
    """Opening says so in a sentence, for a file that is there and for a new one."""
    seen = watched("read-only", tmp_path, *OWN_MOUNTS)
    assert all(told.startswith("store.unusable: ") and "is read-only" in told for told in seen.values())
