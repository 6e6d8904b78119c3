"""The outcome of one game of an arena, with the seats that lost it by a fault."""

from dataclasses import dataclass
from typing import TypeAlias

from sanssouci.players import PlayerFault
from sanssouci.rules import winners

from .seating import Seating

GameId: TypeAlias = tuple[int, int]
"""The number of the deal, counted from 1, and the index of the seating, counted from 0."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A game lost by a fault of the player; greedy finished it in its place."""

    fault: PlayerFault
    transcript: bytes = b""
    """The messages up to the fault, as JSON lines."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one game, seat by seat."""

    game: GameId
    seating: Seating
    scores: tuple[int, ...]
    """The final scores, as in the record; ``points`` is what counts."""
    gardeners: tuple[int, ...]
    turns: tuple[int, ...]
    """The number of turns each player was asked for; fewer than 18 only after a fault."""
    seconds: tuple[float, ...]
    """The total time of each seat."""
    losses: tuple[Loss, ...] = ()

    @property
    def at_fault(self) -> frozenset[int]:
        """The seats that lost by a fault."""
        return frozenset(loss.fault.seat for loss in self.losses)

    @property
    def points(self) -> tuple[int, ...]:
        """The score of each seat; 0 for one at fault."""
        return tuple(0 if seat in self.at_fault else score for seat, score in enumerate(self.scores))

    @property
    def winners(self) -> tuple[int, ...]:
        """R28: the winners among the seats without a fault."""
        clean = [seat for seat in range(len(self.scores)) if seat not in self.at_fault]
        won = winners(
            tuple(self.scores[seat] for seat in clean), tuple(self.gardeners[seat] for seat in clean)
        )
        return tuple(clean[place] for place in won)

    def rank(self, seat: int) -> tuple[bool, int, int]:
        """R28: a sort key for seats; those at fault are last and tied."""
        if seat in self.at_fault:
            return False, 0, 0
        return True, self.scores[seat], self.gardeners[seat]
