"""Output: results to standard output, everything else to standard error."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sanssouci.locale import UserError, os_error_reason

from .language import sentence

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

STOPPED = 130
"""The exit status after Ctrl-C."""


@cache
def out() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


@cache
def err() -> "Console":
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_line(text: str) -> None:
    """Print one line to standard output, without markup."""
    out().print(text, markup=False, soft_wrap=True)


def remark(text: str) -> None:
    """Print a remark to standard error."""
    err().print(text, markup=False, soft_wrap=True)


def print_json(document: object) -> None:
    """Print one JSON document to standard output."""
    print(json.dumps(document, indent=2, ensure_ascii=False))


def progress_bar(speed: bool = False) -> "Progress":
    """A progress bar on standard error, if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *([TextColumn("{task.fields[speed]}")] if speed else []),
        TimeRemainingColumn(),
        console=err(),
        transient=True,
        disable=not err().is_terminal,
    )


@contextmanager
def results_kept_clean() -> Iterator[None]:
    """Redirects the output of players to standard error, because standard output is for results."""
    sys.stdout.flush()
    with contextlib.redirect_stdout(sys.stderr):
        yield


def show_speed(bar: "Progress", task: "TaskID", done: int) -> None:
    """Advance a bar; one with a speed also shows games per second."""
    speed = bar.tasks[0].speed
    bar.update(task, advance=done, speed=sentence("arena.speed", speed=f"{speed:,.0f}") if speed else "")


def check_target(path: Path, force: bool) -> None:
    """``UserError`` if a file cannot be written, as far as is known in advance."""
    from sanssouci.notation import real_path, try_folder

    _check_name(path, force)
    try:
        if path.is_file() or not path.exists():
            try_folder(real_path(path).parent)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _check_name(path: Path, force: bool) -> None:
    """The checks that need no writing."""
    try:
        if os.path.lexists(path) and not force:
            raise UserError("cli.file_exists", path=path)
        if path.is_dir():
            raise UserError("cli.unwritable", path=path, reason=UserError("file.folder"))
        if not path.parent.is_dir():
            raise UserError("cli.no_folder", path=path.parent)
    except UserError:
        raise
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def write_new_file(path: Path, data: bytes, force: bool) -> None:
    """Write a file atomically; follows links, and writes to devices directly."""
    from sanssouci.notation import real_path, write_atomic

    _check_name(path, force)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            write_atomic(real_path(path), data)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError | ValueError) -> UserError:
    return UserError("cli.unwritable", path=path, reason=os_error_reason(error))
