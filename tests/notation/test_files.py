"""Files: bounded reading and atomic writing."""

import os
from pathlib import Path

import pytest

from sanssouci.locale import UserError
from sanssouci.notation import read_file, write_atomic


def test_files_are_replaced_atomically(tmp_path: Path) -> None:
    """Writing replaces the file and leaves nothing else; private files are for the owner only."""
    path = tmp_path / "file"
    write_atomic(path, b"old")
    write_atomic(path, b"new", private=True)
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("moment", ["open", "fsync"])
def test_ctrl_c_at_any_moment_leaves_nothing_behind(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C during a write keeps the old file and leaves no temporary one."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    original = getattr(os, moment)

    def interrupted(*arguments: object) -> None:
        original(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, moment, interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_reading_is_bounded(tmp_path: Path) -> None:
    """A file that is too large, a folder and a pipe without a writer give one sentence each."""
    (tmp_path / "file").write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    assert read_file(tmp_path / "file", 5) == b"12345"
    for name, limit, message in (
        ("file", 4, "too large"),
        (".", 9, "folder"),
        ("pipe", 9, "not a readable file"),
        ("no", 9, "no such"),
    ):
        with pytest.raises(UserError, match=message):
            read_file(tmp_path / name, limit)
