"""A turn as one integer, and back.

::

    bits   0-4    5-8     9-14     15        16-21                          22-27
           card   space   square   gardener  boar: 0 none, 1 leaves,        noble: 0 none,
                                             2 + the square it goes to      1 + the square it ends on
"""

from sanssouci.rules import LEAVES, Turn

from .compiler import compiled

NO_BOAR = 0
BOAR_LEAVES = 1
BOAR_GOES = 2
NO_NOBLE = 0
NOBLE_GOES = 1


@compiled
def coded(card: int, space: int, square: int, gardener: int, boar: int, noble: int) -> int:
    """The code of a turn from its fields; boar and noble are coded as drawn above."""
    return card | space << 5 | square << 9 | gardener << 15 | boar << 16 | noble << 22


def encode(turn: Turn) -> int:
    """The code of a turn."""
    boar = NO_BOAR
    if turn.boar is not None:
        boar = BOAR_LEAVES if turn.boar == LEAVES else BOAR_GOES + turn.boar
    noble = NO_NOBLE if turn.noble is None else NOBLE_GOES + turn.noble
    return coded(turn.card, turn.space, turn.square, int(turn.gardener), boar, noble)


def decode(code: int) -> Turn:
    """The turn of a code."""
    code = int(code)
    boar, noble = code >> 16 & 63, code >> 22 & 63
    return Turn(
        code & 31,
        code >> 5 & 15,
        code >> 9 & 63,
        bool(code >> 15 & 1),
        {NO_BOAR: None, BOAR_LEAVES: LEAVES}.get(boar, boar - BOAR_GOES),
        None if noble == NO_NOBLE else noble - NOBLE_GOES,
    )
