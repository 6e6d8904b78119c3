"""A file that grows beside its place and takes it when it is whole and on the disk."""

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
    """Where to write it; only its owner can read it. ``UserError`` if one is there, or it cannot be made.

    Whatever ends the writing early leaves nothing, and an older file as it was.
    """
    path = real_path(path)
    if os.path.lexists(path) and not force:
        raise UserError("store.exists", path=path)
    beside = path.parent / f"{PARTIAL}{os.getpid()}-{path.name}"
    with file_errors(path):
        os.close(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        try:
            yield beside
            with beside.open("r+b") as file:
                os.fsync(file.fileno())
            beside.replace(path)
            sync_folder(path.parent)
        finally:
            beside.unlink(missing_ok=True)
