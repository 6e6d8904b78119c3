"""Files of records: a folder to write games to, and reading a played game from a record or a save."""

import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import UserError, os_error_reason

if TYPE_CHECKING:
    from sanssouci.notation import Record

Records = Annotated[
    Path | None,
    typer.Option("--records", help="A new folder for one record per game.", metavar="DIR", readable=False),
]
_RECORD_NAME = re.compile(
    r"(game-[0-9]{6,}|deal-[0-9]{6,}-[A-Z]{2,4}|table-[0-9A-Za-z_.~%-]+)\.json"
    r"|deal-[0-9]{6,}-[A-Z]{2,4}-seat-[1-4]\.jsonl"
)


def check_folder(folder: Path, force: bool, keep: bool = False) -> None:
    """``UserError`` unless records may go there; an existing folder must hold records only.

    Such a folder is used with ``force``, or where the records in it are kept because a run goes on.
    """
    from sanssouci.notation import try_folder

    try:
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise UserError("cli.folder_is_file", path=folder)
        if not force and not keep:
            raise UserError("cli.folder_exists", path=folder)
        for path in sorted(folder.iterdir()):
            if not _is_ours(path):
                raise UserError("cli.folder_not_ours", path=folder, name=path.name)
        try_folder(folder)
    except FileNotFoundError:
        return  # it will be made
    except UserError:
        raise
    except (OSError, ValueError) as error:
        raise UserError("cli.unwritable", path=folder, reason=os_error_reason(error)) from None


def open_folder(folder: Path, force: bool, keep: bool = False) -> None:
    """Create the folder; records in it are deleted unless they are kept."""
    check_folder(folder, force, keep)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in [] if keep else [*folder.iterdir()]:
            path.unlink()
    except (OSError, ValueError) as error:
        raise UserError("cli.unwritable", path=folder, reason=os_error_reason(error)) from None


def _is_ours(path: Path) -> bool:
    from sanssouci.notation import PARTIAL

    named = _RECORD_NAME.fullmatch(path.name) or path.name.startswith(PARTIAL)
    return bool(named) and path.is_file()


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
