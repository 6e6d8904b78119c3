"""Users' files: read with a size limit and translatable errors, written atomically."""

import contextlib
import os
import stat
from pathlib import Path

from sanssouci.locale import UserError, os_error_reason

_STANDARD_INPUT = "/dev/stdin"


def read_file(path: Path, limit: int) -> bytes:
    """The bytes of a file of at most ``limit`` bytes, or ``UserError``."""
    try:
        if _would_wait(path):
            raise UserError("file.not_a_file")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except UserError:
        raise
    except FileNotFoundError:
        raise UserError("file.missing") from None
    except IsADirectoryError:
        raise UserError("file.folder") from None
    except (OSError, ValueError) as error:
        raise UserError("file.unreadable", reason=os_error_reason(error)) from None
    if len(data) > limit:
        raise UserError("file.too_large", limit=limit)
    return data


def _would_wait(path: Path) -> bool:
    """Whether opening it could block for ever: a pipe or a socket without a writer."""
    mode = path.stat().st_mode
    return str(path) != _STANDARD_INPUT and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


PARTIAL = ".sanssouci-"
"""The prefix of temporary files."""


def real_path(path: Path) -> Path:
    """The path with links resolved; ``open`` reports a loop of links.

    ``Path.resolve`` treats loops differently in every version of Python.
    """
    return Path(os.path.realpath(path))


def try_folder(folder: Path) -> None:
    """``OSError`` if no file can be created in a folder; the only reliable test is to create one."""
    beside = folder / f"{PARTIAL}{os.getpid()}"
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT, 0o600))
    beside.unlink()


def write_atomic(path: Path, data: bytes, private: bool = False) -> None:
    """Write a file atomically: at every moment it is the old one or the new one. ``OSError`` on failure.

    A private file can be read by its owner only.
    """
    beside = path.parent / f"{PARTIAL}{os.getpid()}"
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:  # also Ctrl-C leaves nothing behind
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
