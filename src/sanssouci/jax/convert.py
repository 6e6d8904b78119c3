"""States of the rules as states of this package, and back."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sanssouci import rules
from sanssouci.rules import COLUMNS, Garden, Score, Variant

from .bits import pack, unpack
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


def unpack_states(
    variant: Variant, seats: Seat, display: Display, pouch: Pouch, turns: Sequence[int]
) -> list[rules.State]:
    """States of the rules, each at the beginning of a turn; missions are in ascending order.

    The arrays of the seats are ``[states, seats]``, those of display and pouch ``[states]``.
    """
    words = jax.tree.map(lambda array: np.asarray(array).tolist(), seats)
    sets = [seats.printed, seats.built, seats.gardeners, seats.nobles, seats.boar]
    printed, built, gardeners, nobles, boar, *marks = (
        unpack(found).tolist() for found in (*sets, *seats.marks)
    )
    displays, pouches = _unpack_display(display), _unpack_pouch(pouch)
    places = range(variant.seats)
    return [
        rules.State(
            variant,
            tuple(
                Garden(
                    printed[state][seat],
                    built[state][seat],
                    gardeners[state][seat],
                    nobles[state][seat],
                    boar[state][seat],
                    _unpack_marks(*(plane[state][seat] for plane in marks)),
                )
                for seat in places
            ),
            tuple(Score(*(part[state][seat] for part in words.points)) for seat in places),
            tuple(words.hand[state]),
            tuple(words.pile[state]),
            tuple(rules.members(missions) for missions in words.missions[state]),
            displays[state],
            tuple(pouches[state]),
            int(turn),
        )
        for state, turn in enumerate(turns)
    ]


def _unpack_display(display: Display) -> list[int]:
    low, high = (np.asarray(word).astype(np.int64) for word in display)
    planes = (low, low >> 16, high, high >> 16)
    found = np.zeros_like(low)
    for space in rules.SPACES:
        for bit, plane in enumerate(planes):
            found |= (plane >> space & 1) << 4 * space + bit
    return found.tolist()


def _unpack_pouch(pouch: Pouch) -> list[list[int]]:
    first, last = (np.asarray(word).astype(np.int64) for word in pouch)
    return np.stack([*(first >> 4 * motif & 15 for motif in COLUMNS[:-1]), last], -1).tolist()


@lru_cache(maxsize=256)
def _unpack_marks(*planes: int) -> int:
    at = {
        square: sum((plane >> square & 1) << bit for bit, plane in enumerate(planes))
        for square in rules.REWARD_SQUARES
    }
    return rules.pack_marks({square: rules.Mark(mark) for square, mark in at.items()})
