"""A copy of the data file, also of one that a server is writing to."""

import sqlite3
from contextlib import ExitStack
from pathlib import Path

from sanssouci.locale import UserError
from sanssouci.notation import real_path

from . import sqlite
from .atomic_file import atomic_file
from .errors import database_error, file_errors
from .lock import DataLock, check_apart, lock_file
from .store import is_data_file


def back_up(source: Path, target: Path, force: bool = False) -> None:
    """Copy one moment of a data file, and see that the copy is sound.

    ``UserError`` if there is no data file, if there is a file in the copy's place that may not be replaced,
    or if the copy has failed; ``Locked`` if a server works with the file in its place.
    """
    source, target = real_path(source), real_path(target)
    with file_errors(source):
        if not is_data_file(source):
            raise UserError("store.missing", path=source)
    check_apart(source, target)
    with file_errors(target), ExitStack() as stack:
        if lock_file(target).exists():
            stack.callback(DataLock(target).release)
        beside = stack.enter_context(atomic_file(target, force))
        _copy(source, beside)
        for ending in ("-wal", "-shm"):  # of the file that was there: they would be taken for the copy's own
            target.with_name(target.name + ending).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    try:
        sqlite.copy(source, target)
        wrong = sqlite.damage(target)
    except sqlite3.Error as error:
        raise UserError("store.no_copy", path=source, reason=database_error(error)) from None
    if wrong is not None:
        raise UserError("store.damaged", path=source, reason=wrong)
