"""Moving nobles, and where tiles and pieces may go in one garden: pure functions of integers.

They are written in the part of Python that Numba compiles, so that the game has one set of rules at
every speed. ``built`` is every square with a print, a structure or a gardener on it. ``nobles`` holds
the squares the nobles stand on, at most one in a column; a column without one has its noble on the
terrace. ``boar`` is the boar's square as a set of one, empty if there is no boar.
"""

from .squares import ALL, COLUMN, CROSS, NOT_A, NOT_I, Column, Motif, Row, Square, Squares


def neighbours(squares: Squares) -> Squares:
    """The squares that touch one of these along an edge."""
    up_and_down = (squares << 9) & ALL | squares >> 9
    return up_and_down | (squares & NOT_I) << 1 | (squares & NOT_A) >> 1


def stroll(start: Squares, ground: Squares) -> Squares:
    """Every square that can be walked to from ``start`` without leaving ``ground``."""
    reached = start & ground
    while True:
        further = (reached | neighbours(reached)) & ground
        if further == reached:
            return reached
        reached = further


def own_square(motif: Motif, space: int) -> Square:
    """R18: the square in the column of the motif and the row of the space."""
    return 9 * (1 + space // 2) + motif


def gardener_squares(square: Square, built: Squares) -> Squares:
    """R19: where a gardener may go whose own square is built."""
    free = ALL & ~built
    cross = free & CROSS[square]
    return cross if cross != 0 else free


def tile_squares(square: Square, built: Squares) -> Squares:
    """R18, R19: its own square if that is free, else the gardener's squares."""
    taken = -(built >> square & 1)  # all ones or 0: compiled, a branch would often be mispredicted
    return gardener_squares(square, built) & taken | 1 << square & ~built


def passed(nobles: Squares) -> Squares:
    """The squares where nobles stand and all above them: no noble ends a move there again."""
    nobles |= nobles >> 9
    nobles |= nobles >> 18
    return nobles | nobles >> 36


def joined(connected: Squares, square: Square, built: Squares) -> Squares:
    """What is connected to row 1 once a tile lies on a square; ``built`` holds it already.

    Where the tile touches nothing that was connected before, nothing new is reached. The first two steps are
    taken unconditionally: compiled, that is faster than a mispredicted branch.
    """
    reached = 1 << square & neighbours(connected)
    connected |= reached
    reached = neighbours(reached) & built & ~connected
    connected |= reached
    reached = neighbours(reached) & built & ~connected
    while reached != 0:
        connected |= reached
        reached = neighbours(reached) & built & ~connected
    return connected


def noble_stops(connected: Squares, gardeners: Squares, nobles: Squares) -> Squares:
    """R20: the squares where a noble may end its move, each the stop of its own column's noble.

    Every noble is on the terrace or stands in the part of the garden that is ``connected`` to row 1, so
    one walk from row 1 serves all nine.
    """
    return connected & ~gardeners & ~passed(nobles)


def noble_row(nobles: Squares, column: Column) -> Row:
    """The row in which the noble of a column stands; 0 is the terrace."""
    row = 0
    for step in range(6):
        if nobles >> (9 * step + column) & 1:
            row = step + 1
    return row


def moved(nobles: Squares, stop: Square) -> Squares:
    """The nobles after the one of the stop's column has walked to it."""
    return nobles & ~COLUMN[stop % 9] | 1 << stop


def boar_squares(boar: Squares, built: Squares) -> Squares:
    """R35: the free squares beside the boar once its own square has been built."""
    return neighbours(boar) & ~built & ALL
