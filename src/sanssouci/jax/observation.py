"""Observations: the fields of ``sanssouci.env.spec`` from a state."""

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from sanssouci.env import spec
from sanssouci.env.spec import Stage
from sanssouci.rules import CARDS, COLUMNS, ROUNDS, SPACES, SQUARES, Variant

from .bits import Squares, Word
from .display import motifs_on, tiles_left
from .garden import GARDENER_POINTS, STRUCTURE_POINTS, Seat

if TYPE_CHECKING:
    from .game import State

_ROW_SHIFTS = np.array([10 * (square // 9 % 3) + square % 9 for square in SQUARES], np.uint32)
_HALF = len(SQUARES) // 2


def square_flags(squares: Squares) -> jax.Array:
    """``[..., 54]``, ``uint32``: 1 for each square of a set."""
    words = [half[..., None] for half in squares]
    halves = (word >> _ROW_SHIFTS[:_HALF] & 1 for word in words)
    return jnp.concatenate(list(halves), -1)


def flags(word: Word, count: int) -> jax.Array:
    """``[..., count]``, ``uint32``: 1 for each member of a set."""
    return word[..., None] >> jnp.arange(count, dtype=jnp.uint32) & 1


def observe(variant: Variant, state: "State", observer: jax.Array) -> jax.Array:
    """What a seat may know of a state, as one vector."""
    count = variant.seats
    order = (observer + jnp.arange(count)) % count
    seats: Seat = jax.tree.map(lambda array: array[order], state.seats)  # the observer first
    over = state.turn >= variant.turns
    own = jnp.arange(count) == 0
    deciding = (observer == state.current_player) & ~over
    parts = {
        "gardens": _gardens(seats),
        "display": motifs_on(state.display)[:, None] == jnp.arange(len(COLUMNS)),
        "pouch": tiles_left(state.pouch),
        "hand": flags(seats.hand[0], len(CARDS)),
        "unplayed": flags(seats.hand | seats.pile, len(CARDS)),
        "missions": flags(jnp.where(own | over, seats.missions, 0), len(COLUMNS)),
        "points": seats.points.total(),
        "round": jnp.minimum(1 + state.turn // count, ROUNDS),
        "seat": jnp.arange(count) == observer,
        "to_move": (order == state.current_player) & ~over,
        "expansions": jnp.array([variant.rewards, variant.wild_boar]),
        "stage": (jnp.arange(len(Stage)) == state.stage) & deciding,
        "chosen": _chosen(state) * deciding,
    }
    layout = spec.fields(count)
    return jnp.concatenate([parts[field.name].astype(jnp.uint8).reshape(field.size) for field in layout])


def _gardens(seats: Seat) -> jax.Array:
    """``[seats, 8, 54]``: the planes of ``spec.GARDEN_PLANES``."""
    mark = sum((square_flags(plane) << bit for bit, plane in enumerate(seats.marks)), jnp.uint32(0))
    structure, gardener = (np.array(points) for points in (STRUCTURE_POINTS, GARDENER_POINTS))
    planes = {
        "structures": square_flags(seats.built & ~seats.gardeners),
        "gardeners": square_flags(seats.gardeners),
        "connected": square_flags(seats.connected),
        "nobles": square_flags(seats.nobles),
        "boar": square_flags(seats.boar),
        "structure_reward": jnp.asarray(structure.clip(0))[mark],
        "gardener_reward": jnp.asarray(gardener.clip(0))[mark],
        "penalty": jnp.asarray((-structure).clip(0))[mark],
    }
    return jnp.stack([planes[name].astype(jnp.uint8) for name in spec.GARDEN_PLANES], -2)


def _chosen(state: "State") -> jax.Array:
    """``[139]``: the actions of this turn so far."""
    stage = state.stage
    seat_boar = jax.tree.map(lambda array: array[state.current_player], state.seats.boar)
    moved = (stage == Stage.NOBLE) & (seat_boar & state.square).any()
    return jnp.concatenate(
        [
            flags(state.card, len(CARDS)),
            (jnp.arange(len(SPACES)) == state.space) & (stage >= Stage.SQUARE),
            square_flags(state.square),
            square_flags(state.boar),
            (moved & ~state.boar.any())[None],
        ]
    ).astype(jnp.uint8)
