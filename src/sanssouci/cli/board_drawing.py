"""Draws a set of boards for a terminal, with both sides of a board next to each other."""

from collections.abc import Callable

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from sanssouci.editions import SIDES, BoardSet
from sanssouci.notation import LETTERS, write_marks, write_square
from sanssouci.rules import COLUMNS, REWARD_AREA, ROW_1, ROWS, Marks, Square, Squares, square_at

from .language import sentence


def board_drawing(boards: BoardSet) -> RenderableType:
    drawings: list[RenderableType] = [Text(f"{boards.name}\nsha256 {boards.sha256}")]
    for number, garden in enumerate(boards.gardens, start=1):
        drawings.append(_board("boards.garden", number, [_grid(_printed(side)) for side in garden.sides]))
    for number, reward in enumerate(boards.rewards, start=1):
        drawings.append(_board("boards.reward", number, [_grid(_marked(side)) for side in reward.sides]))
    return Group(*drawings)


def _board(key: str, number: int, sides: list[Text]) -> Columns:
    titles = [sentence(key, number=number, side=sentence(f"boards.{side}")) for side in SIDES]
    panels = [
        Panel(side, title=Text(title), expand=False) for title, side in zip(titles, sides, strict=False)
    ]
    return Columns(panels)


def _printed(printed: Squares) -> Callable[[Square], str]:
    return lambda square: " # " if (printed | ROW_1) >> square & 1 else " . "


def _marked(marks: Marks) -> Callable[[Square], str]:
    texts = write_marks(marks)
    return lambda square: texts.get(write_square(square), " ." if REWARD_AREA >> square & 1 else "").ljust(3)


def _grid(sign: Callable[[Square], str]) -> Text:
    lines = ["    " + "".join(f" {letter} " for letter in LETTERS)]
    lines += [f" {row}  " + "".join(sign(square_at(column, row)) for column in COLUMNS) for row in ROWS]
    return Text("\n".join(lines))
