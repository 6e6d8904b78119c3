"""perft: how many games of a few turns there are from a position, when chance's answers are known.

The counts do not depend on how the rules are implemented, so they compare implementations.
"""

from .deal import Deal
from .state import State
from .turn import Turn


def perft(state: State, deal: Deal, depth: int) -> int:
    """The number of ways to play ``depth`` turns; the deal answers every turn."""
    if depth <= 0:
        return 1
    options = state.options()
    if depth == 1:
        return len(options)
    return sum(perft(state.play(turn, deal.chance(state.turn)), deal, depth - 1) for turn in options)


def divide(state: State, deal: Deal, depth: int) -> dict[Turn, int]:
    """The same count by first turn: it shows under which turn two implementations differ."""
    options = state.options()
    return {turn: perft(state.play(turn, deal.chance(state.turn)), deal, depth - 1) for turn in options}
