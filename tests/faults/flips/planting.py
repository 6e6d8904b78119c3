"""Faults that the flips must find: the store or the server as they were, or could have been."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from sanssouci.locale import UserError
from sanssouci.store import decoding, errors, reader, sqlite

from ..fault import Progress
from ..table import Row
from . import TEST
from .campaign import Report, run

GOAL = "all planted faults found"
ENOUGH = 90
"""Flips among which each planted fault is found: two in every column."""
Patch = pytest.MonkeyPatch


def told_by_driver(patch: Patch) -> None:
    """The text of the database driver is the reason that is answered and logged."""

    def said(failure: Exception) -> str:
        return str(failure.orig if isinstance(failure, DBAPIError) else failure)

    patch.setattr(sqlite, "decode_text", str)
    patch.setattr(reader, "code_of", said)
    patch.setattr(
        errors, "database_error", lambda failure: UserError("os_error.database", code=said(failure))
    )


def silent_driver(patch: Patch) -> None:
    """The driver's text is not told, but one row that is not UTF-8 takes the server down."""
    patch.setattr(sqlite, "decode_text", str)


def unchecked_rows(patch: Patch) -> None:
    """Rows are taken as the database has them."""

    def taken(kind: Callable[..., Any], values: Any) -> Any:
        return kind(*decoding._converted(kind, values))  # type: ignore[arg-type]

    patch.setattr(reader, "decode_row", taken)
    patch.setattr(decoding, "decode_row", taken)


def quoted_value(patch: Patch) -> None:
    """Report a damaged row with its contents."""
    usual = errors.DamagedRow.__init__
    found: list[Any] = []

    def decode(data: bytes) -> str | bytes:
        found.append(data)
        return data.decode("utf-8", "surrogateescape") if data.isascii() else data

    def quoting(self: errors.DamagedRow, table: str, column: str, *owner: str | None) -> None:
        value = next(value for value in reversed(found) if not value.isascii())
        usual(self, table, column + value.decode("utf-8", "replace"), *owner)

    patch.setattr(sqlite, "decode_text", decode)
    patch.setattr(errors.DamagedRow, "__init__", quoting)


PLANTS = (told_by_driver, silent_driver, unchecked_rows, quoted_value)


def plant(fault: Callable[[Patch], None], folder: Path) -> Report:
    """What the flips find of a fault."""
    with Patch.context() as patch:
        fault(patch)
        return run(folder, range(ENOUGH), thorough=True, most=1)


def plant_all(progress: Progress = lambda text: None) -> Row:
    """The row of the table."""
    missed: list[str] = []
    for number, fault in enumerate(PLANTS, 1):
        with TemporaryDirectory() as folder:
            if not plant(fault, Path(folder)).faults:
                missed.append(fault.__name__)
        progress(f"{number} of {len(PLANTS)} planted faults, {len(missed)} not found")
    measured = f"{len(PLANTS) - len(missed)} of {len(PLANTS)} found"
    if missed:
        measured += f"; not {', '.join(missed)}"
    return Row(f"{TEST}, planted", len(PLANTS), measured, GOAL, not missed)
