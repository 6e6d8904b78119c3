"""Planted faults that the flips must find."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from sanssouci.locale import UserError
from sanssouci.store import decoding, errors, reader, sqlite

from ..report import Progress, Row
from . import TEST
from .campaign import Report, run

GOAL = "all planted faults found"
FLIPS = 90
"""The flips for each planted fault: two in every column."""
Patch = pytest.MonkeyPatch


def driver_message_leaks(patch: Patch) -> None:
    """The message of the database driver is answered and logged."""

    def driver_message(failure: Exception) -> str:
        return str(failure.orig if isinstance(failure, DBAPIError) else failure)

    patch.setattr(sqlite, "decode_text", str)
    patch.setattr(reader, "code_of", driver_message)
    patch.setattr(
        errors, "database_error", lambda failure: UserError("os_error.database", code=driver_message(failure))
    )


def driver_errors_are_fatal(patch: Patch) -> None:
    """The driver's message is hidden, but one row that is not UTF-8 takes the server down."""
    patch.setattr(sqlite, "decode_text", str)


def unchecked_rows(patch: Patch) -> None:
    """Rows are not validated."""

    def decode_unchecked(kind: Callable[..., Any], values: Any) -> Any:
        return kind(*decoding._converted(kind, values))  # type: ignore[arg-type]

    patch.setattr(reader, "decode_row", decode_unchecked)
    patch.setattr(decoding, "decode_row", decode_unchecked)


def damaged_value_leaks(patch: Patch) -> None:
    """A damaged row is reported with its contents."""
    original = errors.DamagedRow.__init__
    found: list[Any] = []

    def decode(data: bytes) -> str | bytes:
        found.append(data)
        return data.decode("utf-8", "surrogateescape") if data.isascii() else data

    def init_with_value(self: errors.DamagedRow, table: str, column: str, *owner: str | None) -> None:
        value = next(value for value in reversed(found) if not value.isascii())
        original(self, table, column + value.decode("utf-8", "replace"), *owner)

    patch.setattr(sqlite, "decode_text", decode)
    patch.setattr(errors.DamagedRow, "__init__", init_with_value)


PLANTS = (driver_message_leaks, driver_errors_are_fatal, unchecked_rows, damaged_value_leaks)


def plant(fault: Callable[[Patch], None], folder: Path) -> Report:
    """The flips' report on a planted fault."""
    with Patch.context() as patch:
        fault(patch)
        return run(folder, range(FLIPS), thorough=True, most=1)


def plant_all(progress: Progress = lambda text: None) -> Row:
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
