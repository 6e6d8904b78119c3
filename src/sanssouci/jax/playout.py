"""Whole games played at random, many at once, without staging.

A turn is chosen as the player ``random`` does, uniformly stage by stage: card, space, square, boar, noble or
none.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from sanssouci.rules import ROUNDS, Variant

from .bits import Squares, Word, below, nth, nth_square
from .deal import Boards, deal, draw, draw_one, random_words, tiles_in_pouch
from .display import Display, Pouch, motif_on, spaces_of
from .garden import (
    Seat,
    boar_goals,
    end_points,
    lay,
    laying_points,
    move_boar,
    move_noble,
    noble_stops,
    rank,
    tile_squares,
)

_WORDS_OF_A_TURN = 64
"""How far the counters of two turns are apart (see ``random_words``)."""


class RandomTurn(NamedTuple):
    """The choices of a turn; sets of one, except for ``space``."""

    card: Word
    space: Word
    square: Squares
    gardener: jax.Array
    boar: Squares
    """Where the boar goes; empty if it stays or leaves."""
    noble: Squares
    """Empty if no noble moves."""


class Table(NamedTuple):
    """A game between two turns."""

    seats: tuple[Seat, ...]
    display: Display
    pouch: Pouch


def play_at_random(
    variant: Variant, table: Table, place: int, turn: jax.Array, random: Iterator[Word]
) -> tuple[Table, RandomTurn]:
    """Play a random turn for the seat at ``place``; ``turn`` counts from 0."""
    before, display, pouch = table.seats[place], table.display, table.pouch
    card, _ = draw_one(before.hand, next(random))
    spaces = spaces_of(card, display)
    space = nth(spaces, below(next(random), jax.lax.population_count(spaces)))
    squares, gardener = tile_squares(motif_on(display, space), space, before.built)
    square = nth_square(squares, below(next(random), squares.size()))
    seat = lay(before, square, gardener)
    boar = Squares(jnp.zeros_like(card), jnp.zeros_like(card))
    if variant.rewards:
        points = seat.points.rewards + laying_points(before, square, gardener)
        seat = seat._replace(points=seat.points._replace(rewards=points))
    if variant.wild_boar:
        goals = boar_goals(seat.boar, square, seat.built)
        boar = nth_square(goals, below(next(random), goals.size()))
        seat = move_boar(seat, square, boar)
    stops = noble_stops(seat.connected, seat.gardeners, seat.nobles)
    noble = nth_square(stops, below(next(random), stops.size() + 1))
    seat = move_noble(seat, noble)
    left = tiles_in_pouch(variant, turn)
    seat, display, pouch = draw(seat, display, pouch, card, space, left, (next(random), next(random)))
    seats = (*table.seats[:place], seat, *table.seats[place + 1 :])
    return Table(seats, display, pouch), RandomTurn(card, space, square, gardener, boar, noble)


class RandomGames(NamedTuple):
    """The results of many games, and their turns if they were recorded."""

    points: jax.Array
    """``[games, seats]``, ``int32``"""
    ranks: jax.Array
    """``[games, seats]``, ``int32``: the highest wins, equal ones share the victory (R28)."""
    tables: Table | None
    """The tables before each turn: every array is ``[turns, games]``."""
    turns: RandomTurn | None
    """The turns: every array is ``[turns, games]``."""


@partial(jax.jit, static_argnums=(0, 3), static_argnames="record")
def play_games(
    variant: Variant, boards: Boards, key: tuple[Word, Word], games: int, *, record: bool = False
) -> RandomGames:
    """Deal games and play them to the end; everything follows from the ``key``."""
    if not isinstance(key, tuple):
        raise TypeError("the key of play_games is a pair of words: (jnp.uint32(1), jnp.uint32(2))")
    game = jnp.arange(games, dtype=jnp.uint32)

    def play_round(table: Table, number: jax.Array) -> tuple[Table, tuple[Table, RandomTurn] | None]:
        played = []
        for place in range(variant.seats):
            turn = number * variant.seats + place
            counter = jnp.uint32(_WORDS_OF_A_TURN) * (turn + 1).astype(jnp.uint32)
            after, choices = play_at_random(variant, table, place, turn, random_words(game, counter, key))
            played.append((table, choices))
            # XLA would fuse the turns of a round across seats: with four seats it compiled for minutes.
            table = jax.lax.optimization_barrier(after) if variant.seats > 2 else after
        return table, jax.tree.map(lambda *turns: jnp.stack(turns), *played) if record else None

    dealt = Table(*deal(variant, boards, random_words(game, jnp.uint32(0), key)))
    table, played = jax.lax.scan(play_round, dealt, jnp.arange(ROUNDS))
    if played is not None:  # [rounds, seats, games] to [turns, games]
        played = jax.tree.map(lambda array: array.reshape(-1, games), played)
    seats = [seat._replace(points=end_points(seat, variant.wild_boar)) for seat in table.seats]
    points = jnp.stack([seat.points.total() for seat in seats], -1)
    ranks = jnp.stack([rank(seat) for seat in seats], -1)
    return RandomGames(points, ranks, *(played or (None, None)))
