"""Refusals as sentences: the rule's number, then why, in the reader's language."""

from collections.abc import Callable

from sanssouci.locale import translate
from sanssouci.rules import CARDS, COLUMNS, SQUARES, Refusal

from .cards import write_card
from .squares import write_column, write_square

_WRITERS: dict[str, tuple[range, Callable[[int], str]]] = {
    "card": (CARDS, write_card),
    "square": (SQUARES, write_square),
    "own": (SQUARES, write_square),
    "column": (COLUMNS, write_column),
    "motif": (COLUMNS, write_column),
}
_COUNTED_FROM_1 = ("seat", "side")


def write_refusal(refusal: Refusal, language: str = "en") -> str:
    """Why something is not allowed: ``R20: a noble may cross a gardener ...``."""
    args = {name: _written(name, value) for name, value in refusal.args}
    return f"{refusal.rule}: {translate(f'refusal.{refusal.code.text}', language, **args)}"


def _written(name: str, value: int) -> str:
    """An argument as people write it; a number that names nothing stays a number."""
    known, write = _WRITERS.get(name, (range(0), str))
    if value in known:
        return write(value)
    return str(value + 1 if name in _COUNTED_FROM_1 else value)
