"""Random words, dealing a game, and the draws after a turn."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from sanssouci.rules import (
    BOAR_START,
    COLUMNS,
    DISPLAYED,
    EMPTY,
    HAND,
    SPACES,
    Garden,
    Refused,
    Variant,
    variant_refusal,
)

from .bits import Squares, Word, below, nth, pack
from .display import Display, Pouch, draw_tile, pack_display, pack_pouch, with_tile
from .garden import Marks, Points, Seat, pack_marks

if TYPE_CHECKING:  # reading boards files needs packages that playing does not
    from sanssouci.editions import BoardSet

T = TypeVar("T")
_EMPTY_DISPLAY = sum(EMPTY << 4 * space for space in SPACES)


def random_words(game: Word, counter: Word, key: tuple[Word, Word]) -> Iterator[Word]:
    """Any number of random words, a function of the arguments: the hash pcg4d of Jarzynski and Olano (2020).

    ``counter`` is a multiple of 64, which leaves room for 256 words.
    """
    for block in range(64):
        x, y, z, w = (v * np.uint32(1664525) + np.uint32(1013904223) for v in (game, counter + block, *key))
        for last in (False, True):
            x += y * w
            y += z * x
            z += x * y
            w += y * z
            if not last:
                x, y, z, w = (v ^ v >> 16 for v in (x, y, z, w))
        yield from (x, y, z, w)


class Boards(NamedTuple):
    """A set of boards as constants: gardens ``[G, 2]`` and reward boards ``[R, 2]``, by board and side."""

    printed: Squares
    connected: Squares
    garden_sides: jax.Array
    """``[G]``: how many sides each board has."""
    marks: Marks
    reward_sides: jax.Array

    @classmethod
    def of(cls, variant: Variant, boards: "BoardSet") -> "Boards":
        """``Refused`` if the variant cannot be played."""
        refusal = variant_refusal(variant)
        if refusal is not None:
            raise Refused(refusal)
        covered = (
            boards.rewards[0].sides[0] if variant.rewards else 0
        )  # every reward board hides the same squares
        gardens = [[Garden.laid_out(side, covered) for side in _two(board.sides)] for board in boards.gardens]
        rewards = boards.rewards if variant.rewards else ()
        marks = [[pack_marks(side) for side in _two(board.sides)] for board in rewards]
        return cls(
            _stacked([[pack(garden.printed) for garden in sides] for sides in gardens]),
            _stacked([[pack(garden.connected) for garden in sides] for sides in gardens]),
            jnp.array([len(board.sides) for board in boards.gardens], jnp.uint32),
            _stacked(marks or [[pack_marks(0)] * 2]),
            jnp.array([len(board.sides) for board in rewards] or [1], jnp.uint32),
        )


def _two(sides: tuple[int, ...]) -> tuple[int, int]:
    return sides[0], sides[-1]


def _stacked(rows: list[list[T]]) -> T:
    """Trees of words, row by row, as one tree of arrays."""
    return jax.tree.map(lambda *words: jnp.array(words, jnp.uint32).reshape(len(rows), -1), *chain(*rows))


def deal(variant: Variant, boards: Boards, random: Iterator[Word]) -> tuple[tuple[Seat, ...], Display, Pouch]:
    """A game before its first turn (R9-R13, R29); every seat picks its sides at random."""
    gardens = _deal_boards(variant.seats, boards.garden_sides, random)
    rewards = _deal_boards(variant.seats, boards.reward_sides, random) if variant.rewards else ()
    first = next(random)
    zero = jnp.zeros_like(first)
    none, deck = Squares(zero, zero), jnp.full_like(first, variant.deck)
    boar = jax.tree.map(lambda word: zero + word, pack(variant.wild_boar << BOAR_START))
    columns, seats = zero + np.uint32((1 << len(COLUMNS)) - 1), []
    for seat in range(variant.seats):
        printed = jax.tree.map(lambda table, at=gardens[seat]: table[at], boards.printed)
        connected = jax.tree.map(lambda table, at=gardens[seat]: table[at], boards.connected)
        marks = Marks(none, none, none)
        if variant.rewards:
            marks = jax.tree.map(lambda table, at=rewards[seat]: table[at], boards.marks)
        missions, columns = _draw_some(columns, 2, random)
        hand, pile = _draw_some(deck, HAND, random)
        points = Points(*(zero.astype(jnp.int32) for _ in Points._fields))
        seats.append(Seat(printed, printed, connected, none, none, boar, marks, hand, pile, missions, points))
    pouch = jax.tree.map(lambda word: zero + word, pack_pouch((variant.tiles_per_motif,) * len(COLUMNS)))
    display = jax.tree.map(lambda word: zero + word, pack_display(_EMPTY_DISPLAY))
    for space in range(DISPLAYED):
        left = zero + (variant.tiles_per_motif * len(COLUMNS) - space)
        tile, pouch = draw_tile(pouch, below(next(random), left), left > 0)
        display = with_tile(display, zero + space, tile)
    return tuple(seats), display, pouch


def _deal_boards(seats: int, sides: jax.Array, random: Iterator[Word]) -> list[tuple[Word, Word]]:
    """R9, R29: for each seat a board that no other has, and a side of it."""
    dealt, left = [], jnp.uint32((1 << len(sides)) - 1)
    for _ in range(seats):
        one, left = draw_one(left, next(random))
        board = nth(one, jnp.zeros_like(one))
        dealt.append((board, below(next(random), sides[board])))
    return dealt


def _draw_some(pile: Word, count: int, random: Iterator[Word]) -> tuple[Word, Word]:
    """Random members of a set, and the rest."""
    left = pile
    for _ in range(count):
        _, left = draw_one(left, next(random))
    return pile ^ left, left


def draw_one(pile: Word, random: Word) -> tuple[Word, Word]:
    """A random member of a set, as a set, and the rest; nothing from an empty set."""
    bit = jnp.uint32(1) << nth(pile, below(random, jax.lax.population_count(pile)))
    bit &= pile
    return bit, pile ^ bit


def tiles_in_pouch(variant: Variant, turn: jax.Array) -> Word:
    """How many tiles the pouch holds when a turn, counted from 0, is refilled; 0 in the last turn (R22)."""
    return (variant.tiles_per_motif * len(COLUMNS) - DISPLAYED - turn).astype(jnp.uint32)


def draw(
    seat: Seat, display: Display, pouch: Pouch, card: Word, space: Word, left: Word, random: tuple[Word, Word]
) -> tuple[Seat, Display, Pouch]:
    """R22, R23: refill the emptied space from ``left`` tiles, put the card away and draw another."""
    tile, pouch = draw_tile(pouch, below(random[0], left), left > 0)
    drawn, pile = draw_one(seat.pile, random[1])
    seat = seat._replace(hand=seat.hand ^ card | drawn, pile=pile)
    return seat, with_tile(display, space, tile), pouch
