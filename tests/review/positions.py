"""Positions to evaluate: from good, mixed and random play, in every variant."""

from collections.abc import Iterator
from functools import cache

from sanssouci.dealer import BulkGame, prepare
from sanssouci.editions import load_edition
from sanssouci.kernel import STEWARD, best_turn
from sanssouci.players import RandomPlayer
from sanssouci.review import Hint, hint
from sanssouci.rules import Deal, State, Turn

from ..helpers import VARIANTS, odd_deal, stream

POSITIONS = 500
SEED = bytes(31) + b"\x07"
ROLLOUTS = 100
"""Few, because statements must be true of any turn."""
_RANDOM_EVERY = (0, 0, 4, 1)
"""The interval of random turns in a game; 0 is never, 1 always."""


def a_game(number: int) -> list[State]:
    """Every state of a game except the final one."""
    variant, random_every = VARIANTS[number % len(VARIANTS)], _RANDOM_EVERY[number % len(_RANDOM_EVERY)]
    chance = BulkGame(bytes(32), number)
    boards = load_edition(variant.edition).boards
    deal: Deal
    if number % 5 == 4:
        deal = odd_deal(variant, stream(number))
    else:
        deal, _ = prepare(variant, boards, chance.dealer(), lambda seat, view: number % 2)
    player, states = RandomPlayer(chance.stream(0)), [deal.start()]

    def decide(state: State) -> Turn:
        view = state.view(state.to_move)
        return (
            player.decide(view)
            if random_every and state.turn % random_every == 0
            else best_turn(view, STEWARD)
        )

    while not states[-1].over:
        states.append(states[-1].play(decide(states[-1]), deal.chance(states[-1].turn)))
    return states[:-1]


@cache
def positions() -> tuple[State, ...]:
    """500 positions: every variant, early, middle, late, and the last round."""
    return tuple(_some_of_each_game())[:POSITIONS]


def _some_of_each_game() -> Iterator[State]:
    for number in range(2 * len(VARIANTS)):
        states = a_game(number)
        yield from states[number % 3 :: max(1, len(states) // 12)]
        yield from states[-2:]


@cache
def hints() -> tuple[tuple[State, Hint], ...]:
    """Every position with its hint."""
    return tuple((state, hint(state.view(state.to_move), SEED, ROLLOUTS)) for state in positions())
