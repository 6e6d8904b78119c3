"""Who won, and with what."""

from dataclasses import dataclass

from .scoring import Score, rank
from .state import State


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game: points and gardeners of each seat, and the seats that won."""

    scores: tuple[Score, ...]
    gardeners: tuple[int, ...]
    winners: tuple[int, ...]

    @classmethod
    def of(cls, state: State) -> "Result":
        """The result of a finished game."""
        if not state.over:
            raise ValueError("the game is not over")
        gardeners = tuple(garden.gardeners.bit_count() for garden in state.gardens)
        return cls(state.scores, gardeners, winners(tuple(s.total for s in state.scores), gardeners))


def winners(totals: tuple[int, ...], gardeners: tuple[int, ...]) -> tuple[int, ...]:
    """R28: most points; among those tied, most gardeners; those tied on both share the victory."""
    ranks = list(map(rank, totals, gardeners))
    return tuple(seat for seat, found in enumerate(ranks) if found == max(ranks))
