"""Squares and columns as text: ``c2``, ``c``."""

from sanssouci.rules import SQUARES, Column, Square, Squares, column_of, members, row_of, set_of

from .error import NotationError

LETTERS = "abcdefghi"
_COLUMN_OF = {letter: column for column, letter in enumerate(LETTERS)}


def write_column(column: Column) -> str:
    """The letter of a column."""
    return LETTERS[column]


def parse_column(text: str) -> Column:
    """The column of a letter."""
    if text not in _COLUMN_OF:
        raise NotationError("notation.column", text=text)
    return _COLUMN_OF[text]


_NAMES = tuple(f"{LETTERS[column_of(square)]}{row_of(square)}" for square in SQUARES)
_SQUARE_OF = {name: square for square, name in enumerate(_NAMES)}


def write_square(square: Square) -> str:
    """A square as column letter and row digit."""
    return _NAMES[square]


def parse_square(text: str) -> Square:
    """The square that a text names."""
    if text not in _SQUARE_OF:
        raise NotationError("notation.square", text=text)
    return _SQUARE_OF[text]


def write_squares(squares: Squares) -> list[str]:
    """A set of squares, in ascending order."""
    return [_NAMES[square] for square in members(squares)]


def parse_squares(texts: list[str]) -> Squares:
    """A set of squares, none named twice."""
    squares = [parse_square(text) for text in texts]
    for place, square in enumerate(squares):
        if square in squares[:place]:
            raise NotationError("notation.square_twice", text=texts[place])
    return set_of(squares)
