"""A person picks the side of a garden or of a reward board."""

from rich.console import Group
from rich.text import Text

from sanssouci.notation import write_marks, write_squares
from sanssouci.rules import Garden, Phase, SetupView

from .desk import Desk, Leave
from .drawing import garden_rows, heading
from .teller import told_mission
from .words import Words


def pick_side(view: SetupView, name: str, desk: Desk) -> int:
    """Show the sides and ask for one."""
    assert view.seat is not None
    garden_phase = view.phase is Phase.GARDEN_SIDES
    desk.say("pick.garden" if garden_phase else "pick.reward", name=name)
    empty = Garden.laid_out(0)
    for mission in (view.missions[view.seat] or ()) if view.missions else ():
        desk.tell(told_mission(empty, mission, desk.words))
    for side in view.sides():
        show_side(view, side, desk)
    return _ask_side(view, desk)


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
    desk.show(Group(side_drawing(garden, words), Text("")))


def side_drawing(garden: Garden, words: Words) -> Text:
    """A garden without nobles and terrace."""
    return Text("\n").join([*heading(words), *garden_rows(garden, words).values()])


def _ask_side(view: SetupView, desk: Desk) -> int:
    while True:
        text = desk.ask(desk.words.say("pick.ask", sides=len(view.sides())))
        if text.lower() in ("quit", "q", "exit", *desk.words.say("command.quit").split()):
            raise Leave
        if text in {str(side + 1) for side in view.sides()}:
            return int(text) - 1
        desk.say("pick.again", text=text[:40], sides=len(view.sides()))
