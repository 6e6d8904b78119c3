"""A person picks the side of a garden or of a reward board."""

from rich.console import Group
from rich.text import Text

from sanssouci.locale import printable
from sanssouci.notation import write_marks, write_squares
from sanssouci.rules import Garden, Phase, SetupView

from .commands import Command, help_lines, read_command
from .desk import Desk, Leave
from .drawing import garden_rows, heading, small_garden
from .rule_page import rule_lines
from .teller import told_mission


def pick_side(view: SetupView, name: str, desk: Desk) -> int:
    """Show the sides and ask for one."""
    _show_sides(view, name, desk)
    while True:
        text = desk.ask(desk.words.translate("pick.ask", sides=len(view.sides())))
        if text in {str(side + 1) for side in view.sides()}:
            return int(text) - 1
        command = read_command(text, desk.words)
        match command[0] if command else None:
            case Command.QUIT:
                raise Leave
            case Command.HELP:
                desk.tell(help_lines(desk))
            case Command.RULE:
                rule = 9 if view.phase is Phase.GARDEN_SIDES else 29
                desk.tell(rule_lines(rule, desk.words))
            case Command.HINT:
                desk.say("pick.no_hint")
            case Command.LOOK:
                _show_sides(view, name, desk)
            case _:
                desk.say("pick.again", text=printable(text, 40), sides=len(view.sides()))


def _show_sides(view: SetupView, name: str, desk: Desk) -> None:
    assert view.seat is not None
    desk.say("pick.garden" if view.phase is Phase.GARDEN_SIDES else "pick.reward", name=name)
    for mission in (view.missions[view.seat] or ()) if view.missions else ():
        desk.tell(told_mission(Garden.laid_out(0), mission, desk.words))
    for side in view.sides():
        show_side(view, side, desk)


def show_side(view: SetupView, side: int, desk: Desk) -> None:
    """One side, drawn on the garden or told."""
    assert view.seat is not None
    words = desk.words
    if view.phase is Phase.GARDEN_SIDES:
        printed = view.gardens[view.seat].sides[side]
        told = ", ".join(write_squares(printed))
        garden = Garden.laid_out(printed)
    else:
        marks = view.rewards[view.seat].sides[side]
        told = ", ".join(f"{square} {mark}" for square, mark in write_marks(marks).items())
        picked = view.garden_sides[view.seat] or 0
        garden = Garden.laid_out(view.gardens[view.seat].sides[picked], marks)
    desk.say("pick.side", side=side + 1, squares=told)
    if desk.compact:
        lines = [Text(line) for line in ("abcdefghi", *small_garden(garden)[1:])]
    else:
        lines = [*heading(words), *garden_rows(garden, words).values()]
    desk.show(Group(*lines, Text("")))
