"""Gardens, boards and scores as drawings for a terminal; all of them read without colour too."""

from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sanssouci.editions import SIDES, BoardSet, load_edition
from sanssouci.notation import LETTERS, write_marks, write_square, write_turn
from sanssouci.rules import (
    COLUMNS,
    PARTS,
    REWARD_AREA,
    ROW_1,
    ROWS,
    Garden,
    Marks,
    Result,
    Square,
    Squares,
    State,
    Turn,
    column_of,
    square_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEGEND = (
    "C structure   c printed   % gardener   (C) a noble stands there   & boar\n"
    ". free   +1 g3 -2 reward marks   dim: not connected to the palace"
)


def board_drawing(boards: BoardSet) -> RenderableType:
    """All gardens and reward boards of a set."""
    drawings: list[RenderableType] = [Text(f"{boards.name}\nsha256 {boards.sha256}")]
    for kind, sides in (
        ("garden", [board.sides for board in boards.gardens]),
        ("rewards", [board.sides for board in boards.rewards]),
    ):
        for number, board in enumerate(sides, start=1):
            panels = [
                Panel(_side(kind, side), title=f"{kind} {number} {name}", expand=False)
                for name, side in zip(SIDES, board, strict=False)
            ]
            drawings.append(Columns(panels))
    return Group(*drawings)


def _side(kind: str, side: Squares | Marks) -> Text:
    return _grid(_printed_text(side) if kind == "garden" else _marks_text(side))


def _printed_text(printed: Squares) -> "Callable[[Square], Text]":
    def text(square: Square) -> Text:
        return Text(" # " if (printed | ROW_1) >> square & 1 else " . ")

    return text


def _marks_text(marks: Marks) -> "Callable[[Square], Text]":
    texts = write_marks(marks)

    def text(square: Square) -> Text:
        covered = REWARD_AREA >> square & 1
        return Text(texts.get(write_square(square), " . " if covered else "   ").ljust(3))

    return text


def _grid(text: "Callable[[Square], Text]", row_style: "Callable[[int], str] | None" = None) -> Text:
    drawing = Text("    " + "".join(f" {letter} " for letter in LETTERS))
    for row in ROWS:
        drawing.append("\n")
        drawing.append(f" {row} ", row_style(row) if row_style else "bold")
        drawing.append(" ")
        for column in COLUMNS:
            drawing.append_text(text(square_at(column, row)))
    return drawing


def gardens_drawing(state: State, labels: "Sequence[str]", edition: str) -> RenderableType:
    """Every seat's garden."""
    panels = [
        Panel(_garden(garden, edition), title=label, expand=False)
        for garden, label in zip(state.gardens, labels, strict=True)
    ]
    return Group(Columns(panels), Text(LEGEND, style="dim"))


def _garden(garden: Garden, edition: str) -> Text:
    rows = load_edition(edition).rows
    marks = write_marks(garden.marks) if garden.marks else {}
    connected = garden.connected

    def text(square: Square) -> Text:
        here = 1 << square
        if not garden.built & here:
            mark = marks.get(write_square(square), " . ").ljust(3)
            return Text(" & " if garden.boar & here else mark, style="dim")
        letter = LETTERS[column_of(square)]
        shown = "%" if garden.gardeners & here else letter if garden.printed & here else letter.upper()
        noble = garden.nobles & here
        return Text(f"({shown})" if noble else f" {shown} ", style="" if connected & here else "dim")

    return _grid(text, lambda row: f"black on {rows[row - 1].colour}")


def turn_line(turn: Turn, state: State, labels: "Sequence[str]") -> Text:
    """One turn in one line: round, who, the turn, and the score after it."""
    seat = (state.turn - 1) % state.variant.seats
    number = 1 + (state.turn - 1) // state.variant.seats
    return Text(
        f"round {number:2}  {labels[seat]:<12} {write_turn(turn):<18} {state.scores[seat].total:3} points"
    )


def score_table(state: State, labels: "Sequence[str]") -> Table:
    """The points of every seat by part, and who won (R28); a column for each seat."""
    result = Result.of(state)
    table = Table(title="The end", title_justify="left")
    table.add_column("")
    for label in labels:
        table.add_column(label, justify="right")
    for part in PARTS:
        table.add_row(part, *(str(getattr(score, part)) for score in result.scores))
    table.add_section()
    table.add_row("total", *(str(score.total) for score in result.scores), style="bold")
    table.add_row("gardeners", *map(str, result.gardeners))
    won = "wins" if len(result.winners) == 1 else "shares the victory"
    table.add_row("", *(won if seat in result.winners else "" for seat in range(len(labels))), style="bold")
    return table
