"""States of the rules as states of this package, and back."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sanssouci import rules
from sanssouci.rules import COLUMNS, Garden, Score, Variant

from .bits import Squares, pack, unpack
from .display import Display, Pouch, pack_display, pack_pouch
from .garden import Points, Seat, pack_marks


def pack_state(state: rules.State) -> tuple[Seat, Display, Pouch]:
    """Seats, display and pouch of a state; each array of the seats has one axis."""
    seats = [_pack_seat(state, seat) for seat in range(state.variant.seats)]
    stacked = jax.tree.map(lambda *words: jnp.stack([jnp.asarray(word) for word in words]), *seats)
    return stacked, _on_device(pack_display(state.display)), _on_device(pack_pouch(state.pouch))


def _pack_seat(state: rules.State, seat: int) -> Seat:
    garden, points = state.gardens[seat], state.scores[seat].parts().values()
    return Seat(
        pack(garden.printed),
        pack(garden.built),
        pack(garden.connected),
        pack(garden.gardeners),
        pack(garden.nobles),
        pack(garden.boar),
        pack_marks(garden.marks),
        np.uint32(state.hands[seat]),
        np.uint32(state.piles[seat]),
        np.uint32(rules.set_of(state.missions[seat])),
        Points(*map(np.int32, points)),
    )


def _on_device(words: Any) -> Any:
    return jax.tree.map(jnp.asarray, words)


def unpack_state(variant: Variant, seats: Seat, display: Display, pouch: Pouch, turn: int) -> rules.State:
    """The state of the rules at the beginning of a turn; missions are in ascending order."""
    low, high = int(display.low), int(display.high)
    planes = (low, low >> 16, high, high >> 16)
    motifs = [sum((plane >> space & 1) << bit for bit, plane in enumerate(planes)) for space in rules.SPACES]
    places = range(variant.seats)
    words = jax.tree.map(lambda array: np.asarray(array).tolist(), seats)
    sets = [_sets(found) for found in (words.printed, words.built, words.gardeners, words.nobles, words.boar)]
    marks = [_unpack_marks(planes) for planes in zip(*(_sets(plane) for plane in words.marks), strict=True)]
    return rules.State(
        variant,
        tuple(Garden(*values) for values in zip(*sets, marks, strict=True)),
        tuple(Score(*(part[seat] for part in words.points)) for seat in places),
        tuple(words.hand),
        tuple(words.pile),
        tuple(rules.members(missions) for missions in words.missions),
        rules.lay_out(tuple(motifs)),
        tuple((int(pouch.first) >> 4 * motif & 15) if motif < 8 else int(pouch.last) for motif in COLUMNS),
        int(turn),
    )


def _sets(squares: Squares) -> list[int]:
    return [int(found) for found in unpack(squares)]


def _unpack_marks(planes: tuple[int, ...]) -> int:
    at = {
        square: sum((plane >> square & 1) << bit for bit, plane in enumerate(planes))
        for square in rules.REWARD_SQUARES
    }
    return rules.pack_marks({square: rules.Mark(mark) for square, mark in at.items()})
