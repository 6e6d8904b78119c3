"""Where things are written: results to standard output, everything else to standard error."""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sanssouci.locale import Complaint

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


@cache
def out() -> "Console":
    """Standard output."""
    from rich.console import Console

    return Console(highlight=False)


@cache
def err() -> "Console":
    """Standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_line(text: str) -> None:
    """One line on standard output, as it is."""
    out().print(text, markup=False, soft_wrap=True)


def remark(text: str) -> None:
    """A remark for the person at the terminal; not part of the result."""
    err().print(text, markup=False, soft_wrap=True)


def print_json(document: object) -> None:
    """One document on standard output."""
    print(json.dumps(document, indent=2, ensure_ascii=False))


def progress_bar() -> "Progress":
    """A progress bar on standard error; nothing is shown where that is not a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err(),
        transient=True,
        disable=not err().is_terminal,
    )


def refuse_existing(path: Path, force: bool) -> None:
    """A file that exists is only replaced if asked."""
    if path.exists() and not force:
        raise Complaint("cli.file_exists", path=path)


def write_new_file(path: Path, data: bytes, force: bool) -> None:
    """Write a whole file or nothing."""
    refuse_existing(path, force)
    beside = path.with_name(f".{path.name}.partial")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        raise Complaint("cli.unwritable", path=path, reason=error.strerror) from None
    finally:
        beside.unlink(missing_ok=True)
