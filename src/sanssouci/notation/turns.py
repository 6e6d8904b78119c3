"""Turns as text: ``36@2-g3/g3``, ``e@4-e4~d4``, ``*@1-b2g/b1``.

``card@space-square``, then ``g`` for a gardener, ``~square`` where the boar went or ``~x`` if it left, and
``/square`` where a noble ended.
"""

import re
from functools import lru_cache

from sanssouci.rules import LEAVES, Turn

from .cards import parse_card, write_card
from .error import NotationError
from .squares import parse_square, write_square

_TURN = re.compile(
    r"(?P<card>[a-i]|[2-5][3-6]|\*)@(?P<space>[0-9])-(?P<square>[a-i][2-6])(?P<gardener>g?)"
    r"(~(?P<boar>[a-i][2-6]|x))?(/(?P<noble>[a-i][1-6]))?"
)


def write_turn(turn: Turn) -> str:
    """A turn as the record writes it."""
    text = f"{write_card(turn.card)}@{turn.space}-{write_square(turn.square)}"
    if turn.gardener:
        text += "g"
    if turn.boar is not None:
        text += "~x" if turn.boar == LEAVES else f"~{write_square(turn.boar)}"
    if turn.noble is not None:
        text += f"/{write_square(turn.noble)}"
    return text


@lru_cache(maxsize=1 << 12)  # the same turn is parsed when it is played and when it is announced
def parse_turn(text: str) -> Turn:
    """The turn that a text names; whether it is legal is not asked here."""
    found = _TURN.fullmatch(text)
    if found is None:
        raise NotationError("notation.turn")
    boar, noble = found["boar"], found["noble"]
    return Turn(
        parse_card(found["card"]),
        int(found["space"]),
        parse_square(found["square"]),
        bool(found["gardener"]),
        LEAVES if boar == "x" else parse_square(boar) if boar else None,
        parse_square(noble) if noble else None,
    )
