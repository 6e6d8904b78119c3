"""Output: results to standard output, everything else to standard error."""

import contextlib
import io
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


def print_notice(text: str) -> None:
    """Print a print_notice to standard error."""
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


class OutputFailed(Exception):
    """Standard output has failed. Not an ``OSError``, so that handlers for other files do not catch it."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error

    @property
    def unread(self) -> bool:
        """Whether the reader has closed the pipe, which is not an error."""
        return isinstance(self.error, BrokenPipeError)

    def translate(self, language: str) -> str:
        return UserError("cli.no_output", reason=os_error_reason(self.error)).translate(language)


class StandardOutput(io.TextIOWrapper):
    """A stream that raises ``OutputFailed`` instead of ``OSError``."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise OutputFailed(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise OutputFailed(error) from None


def watch_output() -> None:
    """Wrap ``sys.stdout``."""
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper) and not isinstance(stream, StandardOutput):
        sys.stdout = StandardOutput(
            stream.buffer,
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )


def give_up_output() -> None:
    """Redirect to the null device, so that flushing the buffer at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
