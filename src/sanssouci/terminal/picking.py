"""Lets a person pick the side of a garden or reward board."""

from rich.console import Group
from rich.text import Text

from sanssouci.locale import printable
from sanssouci.notation import write_marks, write_squares
from sanssouci.rules import Garden, Phase, SetupView

from .commands import Command, help_lines, read_command
from .console import PlayerConsole, QuitGame
from .drawing import garden_rows, heading, small_garden
from .plain_text import mission_text
from .rule_page import rule_lines


def pick_side(view: SetupView, name: str, console: PlayerConsole) -> int:
    _show_sides(view, name, console)
    while True:
        text = console.ask(console.words.translate("pick.ask", sides=len(view.sides())))
        if text in {str(side + 1) for side in view.sides()}:
            return int(text) - 1
        command = read_command(text, console.words)
        match command[0] if command else None:
            case Command.QUIT:
                raise QuitGame
            case Command.HELP:
                console.print_lines(help_lines(console))
            case Command.RULE:
                rule = 9 if view.phase is Phase.GARDEN_SIDES else 29
                console.print_lines(rule_lines(rule, console.words))
            case Command.HINT:
                console.print_message("pick.no_hint")
            case Command.LOOK:
                _show_sides(view, name, console)
            case _:
                console.print_message("pick.again", text=printable(text, 40), sides=len(view.sides()))


def _show_sides(view: SetupView, name: str, console: PlayerConsole) -> None:
    assert view.seat is not None
    console.print_message("pick.garden" if view.phase is Phase.GARDEN_SIDES else "pick.reward", name=name)
    for mission in (view.missions[view.seat] or ()) if view.missions else ():
        console.print_lines(mission_text(Garden.laid_out(0), mission, console.words))
    for side in view.sides():
        show_side(view, side, console)


def show_side(view: SetupView, side: int, console: PlayerConsole) -> None:
    """Show one side, as a drawing or as text."""
    assert view.seat is not None
    words = console.words
    if view.phase is Phase.GARDEN_SIDES:
        printed = view.gardens[view.seat].sides[side]
        shown = ", ".join(write_squares(printed))
        garden = Garden.laid_out(printed)
    else:
        marks = view.rewards[view.seat].sides[side]
        shown = ", ".join(f"{square} {mark}" for square, mark in write_marks(marks).items())
        picked = view.garden_sides[view.seat] or 0
        garden = Garden.laid_out(view.gardens[view.seat].sides[picked], marks)
    console.print_message("pick.side", side=side + 1, squares=shown)
    if console.compact:
        lines = [Text(line) for line in ("abcdefghi", *small_garden(garden)[1:])]
    else:
        lines = [*heading(words), *garden_rows(garden, words).values()]
    console.show(Group(*lines, Text("")))
