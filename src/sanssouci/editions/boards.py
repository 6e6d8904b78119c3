"""A set of boards: gardens, reward boards and colour pairs under one name."""

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from typing_extensions import TypedDict

from sanssouci.notation import write_card, write_marks, write_squares
from sanssouci.rules import Cards, GardenBoard, RewardBoard, colour_card, pairs_of

SIDES = ("front", "back")


class LayoutsJson(TypedDict):
    pairs: list[str]
    """The colour cards of a seat."""
    gardens: list[list[list[str]]]
    """Per board, per side: the printed squares."""
    rewards: list[list[dict[str, str]]]
    """Per board, per side: the marks."""


@dataclass(frozen=True, slots=True)
class BoardSet:
    """Four garden boards, four reward boards, and the cards of a seat."""

    name: str
    gardens: tuple[GardenBoard, ...]
    rewards: tuple[RewardBoard, ...]
    deck: Cards

    @property
    def sha256(self) -> str:
        """The hash of ``layouts`` as JSON; it identifies the layouts whatever the name of the set."""
        return _hash(self)

    def layouts(self) -> LayoutsJson:
        """Everything but the name, as plain values."""
        return {
            "pairs": [write_card(colour_card(*pair)) for pair in pairs_of(self.deck)],
            "gardens": [[write_squares(side) for side in board.sides] for board in self.gardens],
            "rewards": [[write_marks(side) for side in board.sides] for board in self.rewards],
        }


@lru_cache(maxsize=256)  # a server may be sent any number of sets
def _hash(boards: BoardSet) -> str:
    text = json.dumps(boards.layouts(), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()
