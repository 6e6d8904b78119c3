"""Setups for training: every variant that a network plays, on shipped and on random boards.

Random boards teach the network to judge gardens by their squares, so that it plays equally well on users' own
boards and on those that come with the game.
"""

from typing import NamedTuple

import numpy as np

from sanssouci.editions import shipped_boards
from sanssouci.kernel import GameSetup, Ints
from sanssouci.kernel.layout import DECK
from sanssouci.rules import (
    BOAR_START,
    COLOUR_PAIRS,
    IMPERIAL,
    REWARD_SQUARES,
    Mark,
    Variant,
    deck_of,
    pack_marks,
    set_of,
)
from sanssouci.rules.cards import PAIRS_OF_A_DECK
from sanssouci.rules.deal import PRINTED_SQUARES
from sanssouci.rules.rewards import MARKED_SQUARES

BOARDS = 24
"""Random boards in one setup; every game of it deals some of them."""
SHIPPED = ("reference", "ravensburger", "imperial")
_MARKS = np.repeat(
    [Mark.PLUS_1, Mark.PLUS_2, Mark.PLUS_3, Mark.GARDENER_3, Mark.MINUS_2, Mark.MINUS_3], [3, 3, 2, 2, 1, 1]
)
"""How often each mark occurs on a shipped reward board."""


class Arrays(NamedTuple):
    """The arrays of a ``GameSetup``."""

    header: Ints
    gardens: Ints
    rewards: Ints


def variants(seats: int) -> tuple[Variant, ...]:
    """The four games of this many seats: base, rewards, boar, both."""
    return tuple(
        Variant(seats, IMPERIAL, rewards, boar) for boar in (False, True) for rewards in (False, True)
    )


def shipped_setup(variant: Variant, name: str = "reference") -> Arrays:
    """A setup on boards that come with the game."""
    setup = GameSetup.of(variant, shipped_boards(name))
    return Arrays(setup.header, setup.gardens, setup.rewards)


def random_setup(variant: Variant, random: np.random.Generator) -> Arrays:
    """A setup on random boards: printed squares, reward marks and colour pairs."""
    header = shipped_setup(variant).header.copy()
    pairs = random.choice(len(COLOUR_PAIRS), PAIRS_OF_A_DECK, replace=False)
    header[DECK] = deck_of(tuple(COLOUR_PAIRS[pair] for pair in sorted(pairs)))
    gardens = np.array([[_printed(variant, random), -1] for _ in range(BOARDS)], np.int64)
    rewards = [[_marks(random), -1] for _ in range(BOARDS)] if variant.rewards else []
    return Arrays(header, gardens, np.array(rewards, np.int64).reshape(-1, 2))


def _printed(variant: Variant, random: np.random.Generator) -> int:
    free = [square for square in range(9, 54) if not (variant.wild_boar and square == BOAR_START)]
    return set_of(int(square) for square in random.choice(free, PRINTED_SQUARES, replace=False))


def _marks(random: np.random.Generator) -> int:
    squares = random.choice(REWARD_SQUARES, MARKED_SQUARES, replace=False)
    if random.random() < 0.5:
        marks = random.permutation(_MARKS)
    else:
        marks = random.choice(list(Mark)[1:], MARKED_SQUARES)
    return pack_marks({int(square): Mark(int(mark)) for square, mark in zip(squares, marks, strict=True)})
