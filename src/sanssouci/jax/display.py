"""The display, the cards and the pouch, as words.

The motif on a space is a number of four bits (15: empty). Each of these bits is kept for all ten spaces
together::

    bits      0 ... 9                  16 ... 25
    low       bit 0 of each motif      bit 1 of each motif
    high      bit 2 of each motif      bit 3 of each motif

Sets of spaces and of cards have one bit each, as in the rules. A card that is played is a set of one.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from sanssouci.rules import (
    CARDS,
    COLUMNS,
    EMPTY,
    SPACES,
    Card,
    lay_out,
    row_of_space,
    set_of,
    takes,
)

from .bits import Word

ALL_SPACES = set_of(SPACES)
_PLANES = ALL_SPACES | ALL_SPACES << 16
_MOTIF_CARDS = set_of(COLUMNS)
_MOTIFS_OF_A_WORD = 8


class Display(NamedTuple):
    """The tiles on the ten spaces."""

    low: Word
    high: Word


class Pouch(NamedTuple):
    """How many tiles of each motif are left, four bits each: eight motifs in one word, then the last."""

    first: Word
    last: Word


def pack_display(display: int) -> Display:
    """A display of the rules."""
    motifs = [display >> 4 * space & 15 for space in SPACES]
    planes = [sum((motif >> plane & 1) << space for space, motif in enumerate(motifs)) for plane in range(4)]
    low, high = planes[0] | planes[1] << 16, planes[2] | planes[3] << 16
    return Display(np.uint32(low), np.uint32(high))


def motifs_on(display: Display) -> jax.Array:
    """``[..., 10]``, ``uint32``: the motif on each space."""
    spaces = jnp.arange(len(SPACES), dtype=jnp.uint32)
    return motif_on(Display(display.low[..., None], display.high[..., None]), spaces)


def motif_on(display: Display, space: Word) -> Word:
    """The motif on a space."""
    low, high = display.low >> space, display.high >> space
    return low & 1 | low >> 15 & 2 | high << 2 & 4 | high >> 13 & 8


def with_tile(display: Display, space: Word, motif: Word) -> Display:
    """The display with one space changed."""
    kept = ~(jnp.uint32(0x10001) << space)
    return Display(
        display.low & kept | (motif & 1 | (motif & 2) << 15) << space,
        display.high & kept | (motif >> 2 & 1 | (motif & 8) << 13) << space,
    )


def _spaces_of_card(card: Card) -> int:
    """The spaces of a card that looks for no motif (R15, R17)."""
    return 0 if card in COLUMNS else takes(card, lay_out((0,) * len(SPACES)))


def _cards_of_row(row: int) -> int:
    """The cards that take from the spaces of a row, whatever lies there."""
    spaces = set_of([space for space in SPACES if row_of_space(space) == row])
    return set_of([card for card in CARDS if _spaces_of_card(card) & spaces])


_ROWS = tuple(dict.fromkeys(map(row_of_space, SPACES)))
_CARDS_OF_ROW = tuple(
    (_cards_of_row(row), set_of([space for space in SPACES if row_of_space(space) == row])) for row in _ROWS
)
_CARDS_WITH_BIT = tuple(set_of([motif for motif in COLUMNS if motif >> plane & 1]) for plane in range(4))


def spaces_of(card: Word, display: Display) -> Word:
    """R15-R17: the spaces whose tile a card may take, on a full display; the card is a set of one."""
    fixed = jnp.zeros_like(card)
    for cards, spaces in _CARDS_OF_ROW:
        fixed |= jnp.where(card & cards != 0, jnp.uint32(spaces), jnp.uint32(0))
    ones = [jnp.where(card & cards != 0, jnp.uint32(ALL_SPACES), jnp.uint32(0)) for cards in _CARDS_WITH_BIT]
    other = (display.low ^ (ones[0] | ones[1] << 16)) | (display.high ^ (ones[2] | ones[3] << 16))
    shown = ~(other | other >> 16) & ALL_SPACES
    shown = jnp.where(shown == 0, jnp.uint32(ALL_SPACES), shown)
    return jnp.where(card & _MOTIF_CARDS != 0, shown, fixed)


def tiles_left(pouch: Pouch) -> jax.Array:
    """``[..., 9]``, ``uint32``: the tiles of each motif."""
    places = jnp.arange(_MOTIFS_OF_A_WORD, dtype=jnp.uint32)
    return jnp.concatenate([pouch.first[..., None] >> 4 * places & 15, pouch.last[..., None]], -1)


def pack_pouch(counts: tuple[int, ...]) -> Pouch:
    """A pouch of the rules."""
    first = sum(count << 4 * motif for motif, count in enumerate(counts[:_MOTIFS_OF_A_WORD]))
    return Pouch(np.uint32(first), np.uint32(counts[-1]))


def draw_tile(pouch: Pouch, place: Word, any_left: jax.Array) -> tuple[Word, Pouch]:
    """R22: the tile at a place of the pouch, sorted by motif, or ``EMPTY``; and the pouch without it."""
    motif, end = jnp.zeros_like(place), jnp.zeros_like(place)
    for smaller in range(_MOTIFS_OF_A_WORD):
        end += pouch.first >> 4 * smaller & 15
        motif += (place >= end).astype(jnp.uint32)
    one = jnp.uint32(1)
    last = motif == _MOTIFS_OF_A_WORD
    first = pouch.first - jnp.where(last, 0, one << 4 * jnp.where(last, 0, motif))
    drawn = Pouch(jnp.where(any_left, first, pouch.first), pouch.last - (any_left & last).astype(jnp.uint32))
    return jnp.where(any_left, motif, jnp.uint32(EMPTY)), drawn
