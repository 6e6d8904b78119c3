"""Reward boards as text: ``{"e3": "+1", "d4": "g3", ...}``."""

from collections.abc import Mapping
from functools import lru_cache

from sanssouci.rules import REWARD_SQUARES, Mark, Marks, marked_squares, pack_marks

from .error import NotationError
from .squares import parse_square, write_square

_TEXTS = {
    Mark.PLUS_1: "+1",
    Mark.PLUS_2: "+2",
    Mark.PLUS_3: "+3",
    Mark.GARDENER_3: "g3",
    Mark.MINUS_2: "-2",
    Mark.MINUS_3: "-3",
}
_MARK_OF = {text: mark for mark, text in _TEXTS.items()}


def write_mark(mark: Mark) -> str:
    """One mark."""
    return _TEXTS[mark]


def parse_mark(text: str) -> Mark:
    """The mark that a text names."""
    if text not in _MARK_OF:
        raise NotationError("notation.mark", text=text)
    return _MARK_OF[text]


def write_marks(marks: Marks) -> dict[str, str]:
    """The marked squares of a board side, in ascending order."""
    return dict(_written(marks))


@lru_cache(maxsize=1024)
def _written(marks: Marks) -> tuple[tuple[str, str], ...]:
    """The marks of a garden stay the same for a whole game, and are written with every view of it."""
    return tuple((write_square(square), write_mark(mark)) for square, mark in marked_squares(marks).items())


def parse_marks(texts: Mapping[str, str]) -> Marks:
    """A board side from its marked squares; how many there are is not asked here."""
    marked = {}
    for name, text in texts.items():
        square = parse_square(name)
        if square not in REWARD_SQUARES:
            raise NotationError("notation.not_under_reward_board", text=name)
        marked[square] = parse_mark(text)
    return pack_marks(marked)
