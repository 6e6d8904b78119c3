"""A garden as lines of text: rows by number, colour and pattern; it reads without colour too.

::

          a     b     c          [C] structure   [c] printed   [%] gardener
    1     [a]   [b]N  [c]        :C: not connected to the palace
    2 ..   .    [B]   [%]        N a noble stands there   & the boar
    3 //   .    +2    :C:        <C> laid in this turn    . free   +2 a reward mark
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.text import Text

from sanssouci.editions import Words
from sanssouci.notation import LETTERS, write_mark
from sanssouci.rules import (
    COLUMNS,
    ROW_1,
    ROWS,
    Garden,
    Mark,
    Row,
    Square,
    column_of,
    mark_at,
    set_of,
    square_at,
    stroll,
)

PATTERNS: dict[Row, str] = {1: "  ", 2: "..", 3: "//", 4: "--", 5: "||", 6: "xx"}
_SMALL_MARKS = ".123g-="
"""One character each for no mark, +1, +2, +3, g3, -2, -3."""
CELL = 6
MARGIN = 5


@dataclass(frozen=True)
class Highlights:
    """The squares to highlight: choices with their points, and what is new."""

    targets: Mapping[Square, str] = field(default_factory=dict)
    laid: Square | None = None


NO_HIGHLIGHTS = Highlights()


def row_label(row: Row, words: Words) -> Text:
    """A row's number, colour and pattern; appended text keeps its own style."""
    return Text().append(f"{row} {PATTERNS[row]}", style=_row_style(words.edition.rows[row - 1].colour))


def row_pattern(row: Row, words: Words) -> Text:
    """A row's colour and pattern, for its right end."""
    return Text(PATTERNS[row], style=_row_style(words.edition.rows[row - 1].colour))


def _row_style(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    ink = "black" if 299 * red + 587 * green + 114 * blue > 128_000 else "bright_white"
    return f"{ink} on {colour}"


def heading(words: Words) -> list[Text]:
    """The letters and short names of the columns."""
    letters = "".join(letter.center(CELL) for letter in LETTERS)
    names = "".join(words.short_motif(column).center(CELL) for column in COLUMNS)
    return [Text(" " * MARGIN + letters, style="bold"), Text(" " * MARGIN + names)]


def terrace(garden: Garden) -> Text:
    """Row 0: the nobles that have not left the terrace."""
    cells = "".join(("N" if row == 0 else "").center(CELL) for row in garden.noble_rows)
    return Text("0    " + cells)


def garden_rows(garden: Garden, words: Words, highlights: Highlights = NO_HIGHLIGHTS) -> dict[Row, Text]:
    """The six rows, one line each."""
    connected = garden.connected
    lines = {}
    for row in ROWS:
        line = row_label(row, words)
        line.append(" ")
        for column in COLUMNS:
            square = square_at(column, row)
            line.append_text(_cell(garden, square, bool(connected >> square & 1), highlights))
        lines[row] = line
    return lines


def _cell(garden: Garden, square: Square, connected: bool, highlights: Highlights) -> Text:
    target = highlights.targets.get(square)
    if not garden.built >> square & 1:
        if target is not None:
            return _padded(f" ?{target or ' .'}", "bold")
        return _padded(f" {_free_sign(garden, square)}", "dim")
    brackets = "[]" if connected else "::"
    if square == highlights.laid:
        brackets = "<>"
    noble = "N" if garden.nobles >> square & 1 else ""
    text = f" {brackets[0]}{_built_sign(garden, square)}{brackets[1]}{noble or (target or '')}"
    bold = target is not None or square == highlights.laid
    return _padded(text, "bold" if bold else "" if connected else "dim")


def _padded(text: str, style: str) -> Text:
    return Text(text.ljust(CELL)[:CELL], style=style)


def _free_sign(garden: Garden, square: Square) -> str:
    mark = mark_at(garden.marks, square)
    boar = "&" if garden.boar >> square & 1 else ""
    return f"{boar}{write_mark(Mark(mark))}" if mark else boar or " ."


def _built_sign(garden: Garden, square: Square) -> str:
    if garden.gardeners >> square & 1:
        return "%"
    letter = LETTERS[column_of(square)]
    return letter if garden.printed >> square & 1 else letter.upper()


def garden_drawing(garden: Garden, words: Words, highlights: Highlights = NO_HIGHLIGHTS) -> Text:
    """A whole garden with its column headings."""
    lines = [*heading(words), terrace(garden), *garden_rows(garden, words, highlights).values()]
    return Text("\n").join(lines)


def small_garden(garden: Garden, highlights: Highlights = NO_HIGHLIGHTS) -> list[str]:
    """A garden with one character per square, the terrace first."""
    connected = garden.connected
    lines = ["".join("N" if row == 0 else " " for row in garden.noble_rows)]
    for row in ROWS:
        squares = [square_at(column, row) for column in COLUMNS]
        lines.append("".join(_small_sign(garden, square, connected, highlights) for square in squares))
    return lines


def _small_sign(garden: Garden, square: Square, connected: int, highlights: Highlights) -> str:
    here = 1 << square
    if not garden.built & here:
        boar = "&" if garden.boar & here else ""
        return "?" if square in highlights.targets else boar or _SMALL_MARKS[mark_at(garden.marks, square)]
    if garden.nobles & here:
        return "N"
    if square in highlights.targets:
        return "+"
    if garden.gardeners & here:
        return "%"
    return "#" if connected & here else ":"


def sketch(drawing: str, words: Words) -> Text:
    """An example of the rules, drawn like a garden from the characters in its file."""
    signs = "".join(drawing.split())
    marks = {"1": "+1", "2": "+2", "3": "+3", "g": "g3", "-": "-2", "=": "-3"}
    texts = {
        ".": "  .",
        "#": " [{}]",
        "%": " [%]",
        "N": " [{}]N",
        "T": " [{}]",
        "&": " &",
        "*": " (*)",
        "S": " ({})",
    }
    built = set_of(square for square, sign in enumerate(signs) if sign in "#%NTS")
    connected = stroll(ROW_1, built)
    lines = [*heading(words), _sketched_terrace(signs)]
    for row in ROWS:
        line = row_label(row, words)
        line.append(" ")
        for column in COLUMNS:
            square = square_at(column, row)
            sign = signs[square]
            text = f"  {marks[sign]}" if sign in marks else texts[sign].format(LETTERS[column])
            if sign in "#%" and not connected >> square & 1:
                text = text.replace("[", ":").replace("]", ":")
            line.append(text.ljust(CELL))
        lines.append(line)
    return Text("\n").join(lines)


def _sketched_terrace(signs: str) -> Text:
    cells = "".join(("N" if sign == "T" else "").center(CELL) for sign in signs[:9])
    return Text("0    " + cells.rstrip())
