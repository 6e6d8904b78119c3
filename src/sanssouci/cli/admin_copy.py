"""``sanssouci admin copy``: moves a host from a data file to a database, or back."""

from contextlib import ExitStack
from typing import Annotated

import typer

from sanssouci.locale import printable

from . import plurals
from .data_file import data_address, locked_as_user_error, report_damaged, source_of
from .game_options import Json
from .language import Lang, sentence, set_language
from .output import print_json, print_line, progress_bar

From = Annotated[
    str,
    typer.Argument(help="The file, or the URL of the database.", metavar="FROM", show_default=False),
]
To = Annotated[
    str, typer.Argument(help="An empty database, or a new file.", metavar="TO", show_default=False)
]


def copy(source: From, target: To, json: Json = False, lang: Lang = "") -> None:
    """Copy all guests and games to an empty database or a new file, and compare each game with its copy.

    Stop the servers first: what they store while the command runs is not copied.

    Example: sanssouci admin copy tables.db postgresql+psycopg://sanssouci@db.example.org/sanssouci
    """
    from sanssouci.store import DamagedRow, Store, copy_games, reporting

    set_language(lang)
    damaged: list[DamagedRow] = []
    with ExitStack() as stack, progress_bar() as bar:
        with locked_as_user_error():
            reader = source_of(data_address(source), stack)
            copied = Store.open(data_address(target))
        stack.enter_context(reporting(reader, damaged.append))
        task = bar.add_task(sentence("admin.copying_games"), total=2 * reader.count_games())
        try:
            counts = copy_games(reader, copied, lambda done: bar.update(task, completed=done))
        except BaseException:
            copied.discard()
            raise
        copied.close()
    for row in damaged:
        report_damaged(row)
    if json:
        print_json({"guests": counts.guests, "games": counts.games})
    else:
        said = {"guests": plurals.guests(counts.guests), "games": plurals.games(counts.games)}
        print_line(sentence("admin.copied", path=printable(copied.address), **said))
    raise typer.Exit(1 if damaged else 0)
