"""``sanssouci boards``: lists, draws, checks and creates sets of boards."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import printable

from .balance import balance
from .game_options import Force, Json, named_boards
from .language import Lang, current_language, sentence, set_language
from .output import out, print_json, print_line, print_notice, write_new_file

if TYPE_CHECKING:
    from sanssouci.editions import BoardSet

app = typer.Typer(help="Show sets of boards, and check your own file.", invoke_without_command=True)


app.command("balance")(balance)


@app.callback()
def _common(context: typer.Context) -> None:
    """Show sets of boards, and check your own file."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list")
def list_sets(json: Json = False, lang: Lang = "") -> None:
    """List the built-in sets."""
    from sanssouci.editions import SHIPPED, shipped_boards

    set_language(lang)
    sets = [shipped_boards(name) for name in SHIPPED]
    if json:
        print_json([{"name": boards.name, "sha256": boards.sha256} for boards in sets])
        return
    for boards in sets:
        print_line(f"{boards.name:<10} sha256 {boards.sha256}")
    print_notice(sentence("boards.own_design"))


@app.command()
def show(
    boards: Annotated[
        str, typer.Argument(help="The name of a set, or a file.", metavar="NAME|FILE")
    ] = "parterre",
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Draw the gardens and reward boards of a set."""
    from .board_drawing import board_drawing

    set_language(lang)
    board_set = named_boards(boards)
    if json:
        print_json(_document(board_set))
        return
    out().print(board_drawing(board_set))
    print_notice(sentence("boards.own_design"))


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="Your boards file (TOML).", readable=False)],
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Check a boards file; each error names its field."""
    from sanssouci.editions import BoardsError, boar_can_start, read_boards

    set_language(lang)
    try:
        board_set = read_boards(file)
    except BoardsError as error:
        print_notice(
            sentence("cli.in_file", path=printable(file), sentence=error.translate(current_language()))
        )
        raise typer.Exit(1) from None
    if json:
        print_json(_document(board_set))
        return
    print_line(sentence("boards.complete", path=printable(file), name=board_set.name))
    print_line(f"sha256 {board_set.sha256}")
    if not boar_can_start(board_set):
        print_line(sentence("boards.boar_note"))


@app.command()
def new(
    file: Annotated[Path, typer.Argument(help="The file to write.", readable=False)],
    boards: Annotated[
        str, typer.Option("--from", help="The set to start from.", metavar="NAME|FILE")
    ] = "parterre",
    force: Force = False,
    lang: Lang = "",
) -> None:
    """Create a template for entering the boards of your own copy."""
    from dataclasses import replace

    from sanssouci.editions import write_boards

    set_language(lang)
    board_set = replace(named_boards(boards), name=_name_of(file))
    write_new_file(file, (_EXPLAINED + write_boards(board_set)).encode("utf-8"), force)
    print_line(sentence("boards.written", path=printable(file)))


def _name_of(file: Path) -> str:
    name = file.stem[:60].strip()
    return name if name and name.isprintable() else "my box"


_EXPLAINED = """\
# Boards for Sanssouci. Squares are written column and row: a1 is top left, i6 bottom right.
# A garden lists its six printed squares of the rows 2-6 (row 1 is always printed); leave out "back" if
# there is only one side. A reward board lists its twelve marked squares: +1 +2 +3 g3 -2 -3.

"""


def _document(board_set: "BoardSet") -> dict[str, Any]:
    return {"name": board_set.name, "sha256": board_set.sha256, **board_set.layouts()}
