"""The editions: boards, colour pairs, names and colours, which the rulebooks show only in pictures.

The boards that come with the project are its own design: the printed rules do not give the layouts.
"""

from .boards import SIDES, BoardSet
from .boards_file import (
    SHIPPED,
    BoardsError,
    boar_can_start,
    check_boards,
    check_document,
    find_boards,
    parse_boards,
    read_boards,
    shipped_boards,
    write_boards,
)
from .edition import Edition, load_edition
from .words import Words

__all__ = [
    "SHIPPED",
    "SIDES",
    "BoardSet",
    "BoardsError",
    "Edition",
    "Words",
    "boar_can_start",
    "check_boards",
    "check_document",
    "find_boards",
    "load_edition",
    "parse_boards",
    "read_boards",
    "shipped_boards",
    "write_boards",
]
