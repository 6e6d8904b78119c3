"""``sanssouci admin``: backup, export, import, pruning and vacuuming of a server's data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import UserError, os_error_reason, printable

from . import plurals
from .admin_check import check
from .admin_copy import copy
from .admin_prune import prune
from .data_file import data_address, locked_as_user_error, opened, readable, report_damaged
from .game_options import Force, Json
from .language import Lang, current_language, sentence, set_language
from .output import err, print_json, print_line, print_notice, progress_bar
from .records import Records, check_folder, open_folder
from .setting_options import Data

if TYPE_CHECKING:
    from sanssouci.notation import Record
    from sanssouci.store import Counts, GameExport, Reader

app = typer.Typer(help="Manage a server's data.", invoke_without_command=True)
app.command("check")(check)
app.command("copy")(copy)
app.command("prune")(prune)


@app.callback()
def _common(context: typer.Context) -> None:
    """Manage a server's data: back it up, check it, move games, delete old ones."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The backup file to write.", readable=False)],
    data: Data = None,
    force: Force = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Back up the data file, even while the server runs; the copy is checked.

    Of a PostgreSQL database, it writes an archive of pg_dump, which pg_restore reads.
    """
    from sanssouci.store import back_up

    set_language(lang)
    source = data_address(data)
    with locked_as_user_error(), err().status(sentence("admin.copying")):
        back_up(source, file, force)
    size = file.stat().st_size
    if json:
        print_json({"file": str(file), "bytes": size})
    else:
        print_line(sentence("admin.backed_up", path=printable(file), size=f"{size:,}"))


@app.command()
def export(
    file: Annotated[
        Path | None, typer.Argument(help="The file to write.", readable=False, show_default=False)
    ] = None,
    records: Records = None,
    data: Data = None,
    force: Force = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Export all guests and games to a file for another server, or the records of finished games.

    While a server runs, it exports the state at the start of the command.

    The file contains seeds and token hashes: protect it like the data file. A record contains the seed of its
    game, which is over, and no token hashes.

    Example: sanssouci admin export games.jsonl
    """
    from sanssouci.store import DamagedRow, reporting

    set_language(lang)
    if file is None and records is None:
        raise UserError("admin.nothing_to_export")
    document: dict[str, Any] = {}
    damaged: list[DamagedRow] = []
    with readable(data) as store, reporting(store, damaged.append):
        if records is not None:
            check_folder(records, force)
        if file is not None:
            tally = _export_file(store, file, force)
            document |= {"file": str(file), "guests": tally.guests, "games": tally.games}
        if records is not None:
            written, bad = _export_records(store, records, force)
            document |= {"folder": str(records), "records": written, "bad": bad}
    for row in damaged:
        report_damaged(row)
    _print_export(document, json)
    raise typer.Exit(1 if document.get("bad") or damaged else 0)


def _export_file(store: "Reader", file: Path, force: bool) -> "Counts":
    from sanssouci.store import export_games

    with progress_bar() as bar:
        task = bar.add_task(sentence("admin.exporting"), total=store.count_games())
        return export_games(store, file, force, lambda tally: bar.update(task, completed=tally.games))


def _export_records(store: "Reader", folder: Path, force: bool) -> tuple[int, int]:
    """How many records were written, and how many games were left out because they are damaged."""
    from sanssouci.server import record_of

    open_folder(folder, force)
    written = bad = 0
    with progress_bar() as bar:
        games = bar.track(store.all_games(), store.count_games(), description=sentence("admin.recording"))
        for game in games:
            try:
                record = record_of(store.checked_game_export(game))
            except UserError as user_error:
                print_notice(user_error.translate(current_language()))
                bad += 1
                continue
            if record is not None:
                _write_record(folder, game.id, record)
                written += 1
    return written, bad


def _write_record(folder: Path, game: str, record: "Record") -> None:
    from urllib.parse import quote

    from sanssouci.notation import write_atomic, write_record

    path = folder / f"table-{quote(game, safe='')}.json"
    try:
        write_atomic(path, write_record(record))
    except OSError as error:
        raise UserError("cli.unwritable", path=path, reason=os_error_reason(error)) from None


def _print_export(document: dict[str, Any], json: bool) -> None:
    if json:
        print_json(document)
        return
    if "file" in document:
        guests, games = plurals.guests(document["guests"]), plurals.games(document["games"])
        print_line(sentence("admin.exported", path=printable(document["file"]), guests=guests, games=games))
    if "folder" in document:
        records, bad = plurals.records(document["records"]), plurals.games(document["bad"])
        print_line(sentence("admin.recorded", path=printable(document["folder"]), records=records, bad=bad))


@app.command()
def vacuum(data: Data = None, json: Json = False, lang: Lang = "") -> None:
    """Give the space of deleted data back to the disk, even while the server runs."""
    set_language(lang)
    with opened(data) as store:
        before = store.size()
        with err().status(sentence("admin.vacuuming")):
            if not store.shrink():
                raise UserError("admin.old_file", path=store.path)
        after = store.size()
        path = store.address
    if json:
        print_json({"file": str(path), "bytes_before": before, "bytes_after": after})
    else:
        print_line(sentence("admin.vacuumed", path=printable(path), before=f"{before:,}", after=f"{after:,}"))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file written by export.", readable=False)],
    data: Data = None,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Import the games of an export, all or none; each is replayed and its deal verified first."""
    from sanssouci.server import check_export, check_guest_export
    from sanssouci.store import import_games

    set_language(lang)
    with opened(data, create=True) as store, progress_bar() as bar:
        task = bar.add_task(sentence("admin.importing"), total=None)

        def checked(export: "GameExport") -> None:
            check_export(export)
            bar.advance(task)

        tally = import_games(store, file, checked, check_guest_export)
    if json:
        print_json({"guests": tally.guests, "games": tally.games})
    else:
        counts = {"guests": plurals.guests(tally.guests), "games": plurals.games(tally.games)}
        print_line(sentence("admin.imported", **counts))
