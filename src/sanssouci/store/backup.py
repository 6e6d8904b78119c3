"""Backups of a data file or database, even while a server is writing to it."""

import sqlite3
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import URL

from sanssouci.locale import UserError
from sanssouci.notation import real_path

from . import sqlite
from .atomic_file import atomic_file
from .database import Address, postgres
from .errors import database_error, file_errors
from .lock import DataLock, InodeLock, check_apart, is_data_file, lock_file


def back_up(source: Address, target: Path, force: bool = False) -> None:
    """Copy a snapshot of a data file, and check the copy; of a database, write an archive for ``pg_restore``.

    ``UserError`` if there is no data file, if the target exists and ``force`` is false, or if copying fails;
    ``Locked`` if the target is a data file that a server has opened.
    """
    if isinstance(source, URL):
        with atomic_file(target, force) as partial:
            postgres().dump(source, partial)
        return
    source, target = real_path(source), real_path(target)
    with file_errors(source):
        if not is_data_file(source):
            raise UserError("store.missing", path=source)
    check_apart(source, target)
    with file_errors(target), ExitStack() as stack:
        used = lock_file(target).exists()  # or somebody has removed the lock file
        stack.callback((DataLock(target) if used else InodeLock(target)).release)
        partial = stack.enter_context(atomic_file(target, force))
        _copy(source, partial)
        for ending in ("-wal", "-shm"):  # of the old target: SQLite would apply them to the copy
            target.with_name(target.name + ending).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    try:
        sqlite.copy(source, target)
        wrong = sqlite.integrity_error(target)
    except sqlite3.Error as error:
        raise UserError("store.no_copy", path=source, reason=database_error(error)) from None
    if wrong is not None:
        raise UserError("store.damaged", path=source, reason=wrong)
