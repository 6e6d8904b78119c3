"""One seat: its garden, cards and points, and the parts of a turn.

Every function is made of operations on whole words, element by element, without branches and lookups: one
game and a million games are the same code, and XLA fuses a turn into few kernels.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from sanssouci import rules
from sanssouci.rules.rewards import reward_points
from sanssouci.rules.scoring import boar_points, column_points, row_points

from .bits import (
    ALL,
    NO_SQUARES,
    Squares,
    Word,
    column_through,
    columns_of,
    cross_of,
    pack,
    row_through,
    rows_above,
    spread,
    square_bit,
    where,
)

_MOST_TILES = rules.ROUNDS + rules.PRINTED_SQUARES
"""Rows 2-6 of a garden never hold more: the bound of every walk through them."""
_MARK_PLANES = 3
STRUCTURE_POINTS, GARDENER_POINTS = (
    tuple(reward_points(rules.pack_marks({rules.REWARD_SQUARES[0]: mark}), rules.REWARD_SQUARES[0], gardener)
          for mark in rules.Mark)
    for gardener in (False, True)
)  # fmt: skip
_DISTURBED, _LEAVES = boar_points(True, False), boar_points(True, True)
_ROW_POINTS = tuple((pack(rules.ROW[row]), row_points(rules.ROW[row])) for row in rules.ROWS)
_COLUMN_POINTS = tuple((pack(squares), column_points(squares)) for squares in rules.COLUMN)


class Points(NamedTuple):
    """The points of a seat by their parts, ``int32``, in the order of ``rules.Score``."""

    nobles: jax.Array
    rewards: jax.Array
    boar: jax.Array
    rows: jax.Array
    columns: jax.Array
    missions: jax.Array

    def total(self) -> jax.Array:
        """All points together."""
        return sum(self[1:], self[0])


class Marks(NamedTuple):
    """A reward board: the three bits of the mark on each square."""

    bit_0: Squares
    bit_1: Squares
    bit_2: Squares


class Seat(NamedTuple):
    """Everything that belongs to one seat, or with one more axis to every seat."""

    printed: Squares
    built: Squares
    connected: Squares
    """The built squares that can be walked to from row 1; follows from ``built``."""
    gardeners: Squares
    nobles: Squares
    boar: Squares
    marks: Marks
    hand: Word
    pile: Word
    missions: Word
    """A set of two columns."""
    points: Points


def pack_marks(marks: int) -> Marks:
    """A reward board of the rules."""
    at = {square: rules.mark_at(marks, square) for square in rules.REWARD_SQUARES}
    planes = (
        rules.set_of([square for square, mark in at.items() if mark >> plane & 1])
        for plane in range(_MARK_PLANES)
    )
    return Marks(*map(pack, planes))


def tile_square(motif: Word, space: Word) -> tuple[Word, Word]:
    """R18: column and row, counted from 0, of the square where the tile of a space belongs."""
    return motif, (space >> 1) + 1


def tile_squares(motif: Word, space: Word, built: Squares) -> tuple[Squares, jax.Array]:
    """R18, R19: where the tile of a space may go, and whether it becomes a gardener."""
    column, row = tile_square(motif, space)
    own = square_bit(column, row)
    free = ~built & ALL
    cross = cross_of(column, row) & free
    gardener = (own & built).any()
    return where(gardener, where(cross.any(), cross, free), own), gardener


def joined(connected: Squares, square: Squares, built: Squares) -> Squares:
    """The squares connected to row 1 once a tile lies on ``square``; ``built`` holds it already."""
    reached = square & spread(connected)
    ground = built & ~connected  # it holds ``square`` and every square that the tile can join
    for _ in range(_MOST_TILES - 1):
        reached = spread(reached) & ground
    return connected | reached


def lay(seat: Seat, square: Squares, gardener: jax.Array) -> Seat:
    """The seat once a tile lies on a square (R18, R19)."""
    built = seat.built | square
    return seat._replace(
        built=built,
        connected=joined(seat.connected, square, built),
        gardeners=seat.gardeners | where(gardener, square, NO_SQUARES),
    )


def boar_goals(boar: Squares, square: Squares, built: Squares) -> Squares:
    """R35: where the boar may go once a tile lies on ``square``; empty if it is not there or must leave."""
    return spread(boar & square) & ~(built | square) & ALL


def noble_stops(connected: Squares, gardeners: Squares, nobles: Squares) -> Squares:
    """R20: the squares where a noble may end its move."""
    return connected & ~gardeners & ~rows_above(nobles)


def laying_points(seat: Seat, square: Squares, gardener: jax.Array) -> jax.Array:
    """R30-R32: what a tile laid on a square brings, with a loss cut at the score before the turn."""
    mark = sum(
        ((plane & square).any().astype(jnp.int32) << bit for bit, plane in enumerate(seat.marks)),
        jnp.int32(0),
    )
    points = jnp.zeros_like(mark)
    for value, (structure, as_gardener) in enumerate(zip(STRUCTURE_POINTS, GARDENER_POINTS, strict=True)):
        points = jnp.where(mark == value, jnp.where(gardener, as_gardener, structure), points)
    return jnp.maximum(points, -seat.points.total())


def move_boar(seat: Seat, square: Squares, goal: Squares) -> Seat:
    """R35, R36: once a tile lies on ``square``, the boar goes to ``goal``; it leaves if that is empty."""
    disturbed = (seat.boar & square).any()
    points = jnp.where(disturbed, jnp.where(goal.any(), _DISTURBED, _LEAVES), 0)
    return seat._replace(
        boar=where(disturbed, goal, seat.boar),
        points=seat.points._replace(boar=seat.points.boar + points),
    )


def move_noble(seat: Seat, stop: Squares) -> Seat:
    """R20, R21: a noble ends its move on ``stop``; nobody moves if that is empty."""
    points = seat.points._replace(nobles=seat.points.nobles + row_through(stop).astype(jnp.int32))
    return seat._replace(nobles=seat.nobles & ~column_through(stop) | stop, points=points)


def end_points(seat: Seat, boar: bool) -> Points:
    """R25-R27, then R37: the points with those of the end."""
    rows = columns = missions = jnp.zeros_like(seat.points.nobles)
    for squares, points in _ROW_POINTS:
        rows += jnp.where((squares & ~seat.built).any(), 0, points)
    for squares, points in _COLUMN_POINTS:
        columns += jnp.where((squares & ~seat.built).any(), 0, points)
    on_mission = seat.nobles & columns_of(seat.missions)
    for row in rules.ROWS:
        missions += row * (on_mission & pack(rules.ROW[row])).size().astype(jnp.int32)
    scored = seat.points._replace(rows=rows, columns=columns, missions=missions)
    if not boar:
        return scored
    free = ~seat.built & ALL
    area = seat.boar & free
    for _ in range(_MOST_FREE - 1):
        area = spread(area) & free
    lost = jnp.minimum(area.size().astype(jnp.int32), scored.total())
    return scored._replace(boar=scored.boar - lost)


_MOST_FREE = len(rules.SQUARES) - len(rules.COLUMNS) - rules.ROUNDS
"""Free squares of a garden at the end, if a reward board hides all printed ones."""


def rank(seat: Seat) -> jax.Array:
    """R28: a number that orders seats by points, then by gardeners."""
    return seat.points.total() << 6 | seat.gardeners.size().astype(jnp.int32)
