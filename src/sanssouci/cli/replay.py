"""``sanssouci replay``: steps through a record, forwards and backwards."""

from pathlib import Path
from typing import Annotated

import typer

from sanssouci.locale import UserError

from .language import Lang, set_language
from .output import out
from .records import read_played


def replay(
    file: Annotated[Path, typer.Argument(help="A game record.", readable=False)],
    turn: Annotated[int, typer.Option(help="Start after this turn; 0 is before the first.")] = 0,
    seat: Annotated[
        int,
        typer.Option(
            help="Show only what this seat could see, counted from 1.",
            show_default="the seat that has just moved",
        ),
    ] = 0,
    auto: Annotated[
        float, typer.Option(min=0, max=60, help="Play automatically, with this many seconds between turns.")
    ] = 0.0,
    plain: Annotated[bool, typer.Option("--plain", help="Plain sentences instead of drawings.")] = False,
    lang: Lang = "",
) -> None:
    """Step through a game record: keys n and p, space and backspace, or the arrows; q quits.

    Example: sanssouci replay game.json --turn 12 --seat 1
    """
    from sanssouci.editions import Words
    from sanssouci.notation import RecordError
    from sanssouci.terminal import PlayerConsole, Replayer

    language = set_language(lang)
    try:
        record = read_played(file)
        replayer = Replayer(record, seat - 1 if seat else None)
    except RecordError as error:
        raise UserError("cli.in_file", path=file, sentence=error) from None
    if turn not in range(len(record.turns) + 1):
        raise UserError("replay.bad_turn", turns=len(record.turns))
    if seat and seat not in range(1, len(record.seats) + 1):
        raise UserError("replay.bad_seat", seats=len(record.seats))
    console = PlayerConsole(out(), Words(language, record.deal.variant.edition), plain)
    replayer.run(console, turn, auto)
