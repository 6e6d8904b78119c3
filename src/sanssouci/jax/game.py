"""The staged game: ``init``, ``step`` and ``observe``, in the manner of Pgx.

Actions, stages, masks and observations are those of ``sanssouci.env.spec``.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import jax
import jax.numpy as jnp

from sanssouci import rules
from sanssouci.env import spec
from sanssouci.env.spec import Stage
from sanssouci.rules import CARDS, ROUNDS, SPACES, SQUARES, Variant

from .bits import NO_SQUARES, Squares, Word, square_bit, where
from .convert import pack_state, unpack_states
from .deal import Boards, deal, draw, tiles_in_pouch
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
from .observation import flags, observe, square_flags

if TYPE_CHECKING:
    from sanssouci.editions import BoardSet

T = TypeVar("T")

WORDS_OF_A_DEAL = 64
"""Random words for one deal: more than four seats with reward boards use."""


@partial(jax.tree_util.register_dataclass)
@dataclass(frozen=True)
class State:
    """A game at some stage of a turn, or many games with one more axis in front."""

    current_player: jax.Array
    """``int32``: the seat to move."""
    legal_action_mask: jax.Array
    """``[194]``, ``bool``; all true once the game has ended, when every action does nothing."""
    rewards: jax.Array
    """``[seats]``, ``float32``: what the last step brought to each seat."""
    terminated: jax.Array
    """``bool``: the last turn has been played, or an illegal action."""
    truncated: jax.Array
    """``bool``, always false: every game has its 18 rounds."""
    turn: jax.Array
    """``int32``: how many turns have been played."""
    stage: jax.Array
    """``int32``: a ``Stage``."""
    seats: Seat
    """Each array has a last axis of seats, in turn order."""
    display: Display
    pouch: Pouch
    card: Word
    """The card chosen in this turn, as a set; from the stage ``SPACE`` on."""
    space: Word
    """The space chosen; from the stage ``SQUARE`` on."""
    square: Squares
    """The square chosen; from the stage ``BOAR`` or ``NOBLE`` on."""
    boar: Squares
    """Where the boar goes; empty if it stays or leaves."""


class Sanssouci:
    """The game in JAX: pure functions of one game, for ``jax.jit``, ``jax.vmap`` and ``jax.lax.scan``."""

    def __init__(
        self, variant: Variant | None = None, boards: "BoardSet | None" = None, reward: str = "win"
    ) -> None:
        """``boards`` are those of the variant's edition if not given; ``reward`` is one of ``spec.REWARDS``.

        ``Refused`` if the variant cannot be played, ``BoardsError`` if the boards do not fit it.
        """
        if reward not in spec.REWARDS:
            raise ValueError(f"reward is one of {', '.join(spec.REWARDS)}, not {reward!r}")
        chosen = Variant() if variant is None else variant
        if not isinstance(chosen, Variant):
            raise TypeError(f"variant is a sanssouci.rules.Variant, not {variant!r}")
        if isinstance(boards, str):
            raise TypeError(f"boards is a set of boards: sanssouci.editions.find_boards({boards!r})")
        if boards is None:
            boards = _edition_boards(chosen)
        self.variant = replace(chosen, deck=boards.deck)
        self.boards = Boards.of(self.variant, boards)
        self.reward = reward

    @property
    def num_players(self) -> int:
        """The number of seats."""
        return self.variant.seats

    @property
    def num_actions(self) -> int:
        """The number of stage actions."""
        return spec.ACTIONS

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        return (spec.observation_size(self.variant.seats),)

    def init(self, key: jax.Array) -> State:
        """A new game, dealt at random; every seat picks the sides of its boards at random."""
        words = jax.random.bits(key, (WORDS_OF_A_DEAL,), jnp.uint32)
        dealt, display, pouch = deal(self.variant, self.boards, iter(words))
        return self.opening(_stack(dealt), display, pouch)

    def opening(self, seats: Seat, display: Display, pouch: Pouch, turn: int = 0) -> State:
        """A state at the beginning of a turn."""
        player = jnp.int32(turn % self.variant.seats)
        over = jnp.bool_(turn >= self.variant.turns)
        none = Squares(jnp.uint32(0), jnp.uint32(0))
        words = _LegalWords(at(seats, player).hand, jnp.uint32(0), none, none, none)
        return State(
            current_player=player,
            legal_action_mask=words.mask() | over,
            rewards=jnp.zeros(self.variant.seats, jnp.float32),
            terminated=over,
            truncated=jnp.bool_(False),
            turn=jnp.int32(turn),
            stage=jnp.int32(Stage.CARD),
            seats=seats,
            display=display,
            pouch=pouch,
            card=jnp.uint32(0),
            space=jnp.uint32(0),
            square=none,
            boar=none,
        )

    def from_rules(self, state: rules.State) -> State:
        """A position of the rules, at the beginning of a turn."""
        return self.opening(*pack_state(state), state.turn)

    def to_rules(self, state: State) -> rules.State:
        """One game, not a batch, as a state of the rules; choices of an unfinished turn are left out."""
        one = jax.tree.map(lambda array: array[None], state)
        return unpack_states(self.variant, one.seats, one.display, one.pouch, [int(state.turn)])[0]

    def step(self, state: State, action: jax.Array, key: jax.Array) -> State:
        """The state after a stage action; ``key`` decides the draws at the end of a turn.

        An illegal action ends the game: the seat to move gets -1, the others 0. Once the game has ended,
        nothing changes any more. ``TypeError`` if the action is no integer.
        """
        action = jnp.asarray(action)
        if not jnp.issubdtype(action.dtype, jnp.integer):
            raise TypeError(f"an action is an integer, not {action.dtype}")
        action = action.astype(jnp.int32)
        inside = (action >= 0) & (action < spec.ACTIONS)
        legal = inside & state.legal_action_mask[action]
        stepped = self._stepped(state, action, key)
        loss = jnp.where(jnp.arange(self.variant.seats) == state.current_player, spec.ILLEGAL_REWARD, 0.0)
        kept = replace(
            state,
            legal_action_mask=jnp.ones_like(state.legal_action_mask),
            rewards=jnp.where(state.terminated, jnp.zeros_like(loss), loss),
            terminated=jnp.ones_like(state.terminated),
        )
        return _where(legal & ~state.terminated, stepped, kept)

    def observe(self, state: State, player: jax.Array | None = None) -> jax.Array:
        """``[observation_shape]``, ``uint8``: what a seat may know, by default the seat to move."""
        seat = state.current_player if player is None else jnp.asarray(player, jnp.int32)
        return observe(self.variant, state, seat)

    def _stepped(self, state: State, action: jax.Array, key: jax.Array) -> State:
        """The state after a legal action."""
        variant, stage = self.variant, state.stage
        seat = at(state.seats, state.current_player)
        card, space, square, boar, noble = _choices(state, action)
        squares, gardener = tile_squares(motif_on(state.display, space), space, seat.built)
        laid = lay(seat, square, gardener)
        stops = noble_stops(laid.connected, laid.gardeners, laid.nobles)
        disturbed, goals = jnp.bool_(False), NO_SQUARES
        if variant.wild_boar:
            disturbed = (seat.boar & square).any()
            goals = boar_goals(seat.boar, square, laid.built)

        done = stage == Stage.NOBLE
        if variant.rewards:
            points = laid.points.rewards + laying_points(seat, square, gardener)
            laid = laid._replace(points=laid.points._replace(rewards=points))
        if variant.wild_boar:
            laid = move_boar(laid, square, boar)
        laid = move_noble(laid, noble)
        random = jax.random.bits(key, (2,), jnp.uint32)
        left = tiles_in_pouch(variant, state.turn)
        laid, display, pouch = draw(
            laid, state.display, state.pouch, card, space, left, (random[0], random[1])
        )
        turn = state.turn + done
        over = turn >= ROUNDS * variant.seats
        seats = _with_seat(state.seats, state.current_player, _where(done, laid, seat))
        seats = seats._replace(points=_where(over, end_points(seats, variant.wild_boar), seats.points))
        player = jnp.where(done, (state.current_player + 1) % variant.seats, state.current_player)

        after_square = jnp.where(disturbed, Stage.BOAR, Stage.NOBLE)
        following = (Stage.SPACE, Stage.SQUARE, after_square, Stage.NOBLE, Stage.CARD)
        next_stage = _select(stage, following).astype(jnp.int32)
        words = _LegalWords(
            jnp.where(next_stage == Stage.CARD, at(seats, player).hand, 0),
            jnp.where(next_stage == Stage.SPACE, spaces_of(card, state.display), 0),
            where(next_stage == Stage.SQUARE, squares, NO_SQUARES),
            where(next_stage == Stage.BOAR, _or_else(goals), NO_SQUARES),
            where(next_stage == Stage.NOBLE, _or_none(stops), NO_SQUARES),
        )
        # The mask reads these words 194 times: without the barrier, XLA may compute the step as often.
        words = jax.lax.optimization_barrier(words)
        return State(
            current_player=player,
            legal_action_mask=words.mask() | over,
            rewards=self._rewards(state.seats, seats, over),
            terminated=over,
            truncated=state.truncated,
            turn=turn,
            stage=next_stage,
            seats=seats,
            display=_where(done, display, state.display),
            pouch=_where(done, pouch, state.pouch),
            card=jnp.where(done, 0, card),
            space=jnp.where(done, 0, space),
            square=where(done, NO_SQUARES, square),
            boar=where(done, NO_SQUARES, boar),
        )

    def _rewards(self, before: Seat, after: Seat, over: jax.Array) -> jax.Array:
        totals = after.points.total()
        if self.reward == "score":
            return (totals - before.points.total()).astype(jnp.float32)
        if self.reward == "margin":
            others = [_best_other(totals, seat) for seat in range(self.variant.seats)]
            return jnp.where(over, totals - jnp.stack(others, -1), 0).astype(jnp.float32)
        ranks = rank(after)
        won = (ranks == ranks.max(-1)).astype(jnp.float32)
        seats, winners = self.variant.seats, won.sum(-1)
        # Integers are divided once, so that a victory that all share is rewarded with 0 exactly.
        return jnp.where(over, (seats * won - winners) / (winners * (seats - 1)), 0)


_LEAVES_BIT = 1 << 31
"""In the lower word of a set of squares: the last action of the stages ``BOAR`` and ``NOBLE``."""


@partial(jax.tree_util.register_dataclass)
@dataclass(frozen=True)
class _LegalWords:
    """The legal actions as sets; those of all stages but one are empty."""

    cards: Word
    spaces: Word
    squares: Squares
    boar: Squares
    noble: Squares

    def mask(self) -> jax.Array:
        """``[194]``, ``bool``"""
        return jnp.concatenate(
            [
                flags(self.cards, len(CARDS)),
                flags(self.spaces, len(SPACES)),
                square_flags(self.squares),
                square_flags(self.boar),
                flags(self.boar.bottom >> 31, 1),
                square_flags(self.noble),
                flags(self.noble.bottom >> 31, 1),
            ],
            -1,
        ).astype(jnp.bool_)


def _or_else(goals: Squares) -> Squares:
    """The boar's goals; it leaves if it has none (R36)."""
    return where(goals.any(), goals, Squares(goals.top, goals.bottom | jnp.uint32(_LEAVES_BIT)))


def _or_none(stops: Squares) -> Squares:
    """The stops, or no noble (R20)."""
    return Squares(stops.top, stops.bottom | jnp.uint32(_LEAVES_BIT))


def _choices(state: State, action: jax.Array) -> tuple[Word, Word, Squares, Squares, Squares]:
    """Card, space, square, boar and noble of the turn so far, with the one that the action chooses."""
    stage = state.stage
    first = _select(stage, spec.FIRST_ACTION).astype(jnp.int32)
    place = (action - first).astype(jnp.uint32)
    row = place // 9
    on_square = where(place < len(SQUARES), square_bit(place - 9 * row, row), NO_SQUARES)
    return (
        jnp.where(stage == Stage.CARD, jnp.uint32(1) << (place & 31), state.card),
        jnp.where(stage == Stage.SPACE, place, state.space),
        where(stage == Stage.SQUARE, on_square, state.square),
        where(stage == Stage.BOAR, on_square, state.boar),
        where(stage == Stage.NOBLE, on_square, NO_SQUARES),
    )


def at(tree: T, seat: jax.Array) -> T:
    """One seat of arrays whose last axis is the seats."""
    return jax.tree.map(lambda array: _select(seat, [array[..., i] for i in range(array.shape[-1])]), tree)


def _with_seat(seats: Seat, seat: jax.Array, value: Seat) -> Seat:
    def replaced(array: jax.Array, new: jax.Array) -> jax.Array:
        return jnp.where(jnp.arange(array.shape[-1]) == seat[..., None], new[..., None], array)

    return jax.tree.map(replaced, seats, value)


def _select(index: jax.Array, values: list[jax.Array] | tuple[object, ...]) -> jax.Array:
    """The value at an index: a chain of selections is fused where a lookup would not be."""
    chosen = jnp.asarray(values[0])
    for place, value in enumerate(values[1:], 1):
        chosen = jnp.where(index == place, value, chosen)
    return chosen


def _where(condition: jax.Array, chosen: T, other: T) -> T:
    return jax.tree.map(lambda a, b: jnp.where(condition, a, b), chosen, other)


def _stack(seats: tuple[Seat, ...]) -> Seat:
    return jax.tree.map(lambda *arrays: jnp.stack(arrays, -1), *seats)


def _best_other(totals: jax.Array, seat: int) -> jax.Array:
    return jnp.delete(totals, seat, axis=-1, assume_unique_indices=True).max(-1)


def _edition_boards(variant: Variant) -> "BoardSet":
    from sanssouci.editions import load_edition  # noqa: PLC0415 - a game on given boards does not need it

    return load_edition(variant.edition).boards
