"""A game before the deal, as arrays: the variant, and both sides of every board that can be dealt."""

from dataclasses import dataclass, replace

import numpy as np

from sanssouci.editions import BoardSet, check_boards
from sanssouci.rules import EDITIONS, ROUNDS, GardenBoard, Refused, RewardBoard, Variant, variant_refusal

from .layout import BOAR_PLAYED, REWARDS_PLAYED, Ints

ONE_SIDE = -1
"""Stands for the back of a board that has none."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """A variant and its boards."""

    variant: Variant
    header: Ints
    """``[8]``: the first integers of every state of this game."""
    gardens: Ints
    """``[boards, 2]``: the printed squares of each side."""
    rewards: Ints
    """``[boards, 2]``: the marks of each side; no boards where rewards are not played."""

    @classmethod
    def of(cls, variant: Variant, boards: BoardSet) -> "GameSetup":
        """The setup for a set of boards, whose colour pairs replace the variant's.

        ``Refused`` or ``BoardsError`` if variant and boards do not fit together.
        """
        variant = replace(variant, deck=boards.deck)
        refusal = variant_refusal(variant)
        if refusal is not None:
            raise Refused(refusal)
        check_boards(boards, variant)
        header = [variant.seats, 0, 0, 0, boards.deck, EDITIONS.index(variant.edition)]
        header += [REWARDS_PLAYED * variant.rewards | BOAR_PLAYED * variant.wild_boar, 0]
        rewards = boards.rewards if variant.rewards else ()
        return cls(variant, np.array(header, np.int64), _sides(boards.gardens), _sides(rewards))

    @property
    def turns(self) -> int:
        """The number of turns in a game."""
        return ROUNDS * self.variant.seats


def _sides(boards: tuple[GardenBoard, ...] | tuple[RewardBoard, ...]) -> Ints:
    """One row a board, its sides in order."""
    rows = [(*board.sides, ONE_SIDE)[:2] for board in boards]
    return np.array(rows, np.int64).reshape(len(rows), 2)
