"""Atomic file creation: a partial file that is renamed once it is complete and on the disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sanssouci.locale import UserError
from sanssouci.notation import PARTIAL, real_path

from .errors import file_errors
from .sqlite import sync_folder


@contextmanager
def atomic_file(path: Path, force: bool) -> Iterator[Path]:
    """The path to write to, readable by its owner only. ``UserError`` if the file exists or cannot be made.

    An error in the context removes the partial file and leaves an older file unchanged.
    """
    path = real_path(path)
    if os.path.lexists(path) and not force:
        raise UserError("store.exists", path=path)
    partial = path.parent / f"{PARTIAL}{os.getpid()}-{path.name}"
    with file_errors(path):
        os.close(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        try:
            yield partial
            with partial.open("r+b") as file:
                os.fsync(file.fileno())
            partial.replace(path)
            sync_folder(path.parent)
        finally:
            partial.unlink(missing_ok=True)
