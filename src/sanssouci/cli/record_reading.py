"""Reads a played game from a file: a record, or the save of a finished game."""

from pathlib import Path
from typing import TYPE_CHECKING

from sanssouci.locale import UserError

if TYPE_CHECKING:
    from sanssouci.notation import Record


def read_played(file: Path) -> "Record":
    """The record, or ``RecordError``; its turns are not replayed yet."""
    from sanssouci.notation import RecordError, read_record
    from sanssouci.terminal import read_game

    try:
        return read_record(file)
    except RecordError as error:
        if error.key != "record.unknown_format":
            raise
        try:
            session = read_game(file)
        except UserError:
            raise error from None
    if not session.over:
        raise UserError("save.not_over", path=file)
    return session.record()
