"""What came of one game of an arena, and which seats lost it whatever they scored."""

from dataclasses import dataclass
from typing import TypeAlias

from sanssouci.players import PlayerFault
from sanssouci.rules import winners

from .seating import Seating

GameId: TypeAlias = tuple[int, int]
"""Which game: the number of the deal, counted from 1, and the place of the seating, counted from 0."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A game lost by a fault: the player of a seat went wrong, and greedy has played on for it."""

    fault: PlayerFault
    transcript: bytes = b""
    """What was said until then, as JSON lines."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one game, seat by seat."""

    game: GameId
    seating: Seating
    scores: tuple[int, ...]
    """As the game ended, and as its record tells it; ``points`` is what counts."""
    gardeners: tuple[int, ...]
    turns: tuple[int, ...]
    """How many turns each player was asked for; fewer than 18 only after a fault."""
    seconds: tuple[float, ...]
    """What each seat spent on its turns together."""
    losses: tuple[Loss, ...] = ()

    @property
    def at_fault(self) -> frozenset[int]:
        """The seats that lost by a fault."""
        return frozenset(loss.fault.seat for loss in self.losses)

    @property
    def points(self) -> tuple[int, ...]:
        """What each seat scored; nothing for one at fault."""
        return tuple(0 if seat in self.at_fault else score for seat, score in enumerate(self.scores))

    @property
    def winners(self) -> tuple[int, ...]:
        """R28: who won, among the seats without a fault; nobody if there is none."""
        clean = [seat for seat in range(len(self.scores)) if seat not in self.at_fault]
        won = winners(
            tuple(self.scores[seat] for seat in clean), tuple(self.gardeners[seat] for seat in clean)
        )
        return tuple(clean[place] for place in won)

    def rank(self, seat: int) -> tuple[bool, int, int]:
        """R28: what decides between two seats; one at fault is behind all others and level with its like."""
        if seat in self.at_fault:
            return False, 0, 0
        return True, self.scores[seat], self.gardeners[seat]
