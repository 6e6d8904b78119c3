"""perft with the compiled rules; the counts equal those of ``rules.perft``."""

import numpy as np

from sanssouci.rules import Deal, State

from .compiler import entry
from .dealing import load_deal
from .layout import HEADER, SEAT_SIZE, SEATS, TURN, Ints, flatten
from .options import list_turns
from .play import answer, next_card, next_tile, play


def perft(state: State, deal: Deal, depth: int) -> int:
    """The number of ways to play ``depth`` turns; the deal answers every turn."""
    _, decks, tiles = load_deal(deal)
    return int(_perft(flatten(state), decks, tiles, depth)) if depth > 0 else 1


@entry
def _perft(state: Ints, decks: Ints, tiles: Ints, depth: int) -> int:
    nowhere = np.empty(0, np.int64)
    count = list_turns(state, nowhere, 0)
    if depth == 1 or count == 0:
        return count
    turns = np.empty(count, np.int64)
    list_turns(state, turns, 0)
    seats, played = state[SEATS], state[TURN]
    rounds, seat = played // seats, played % seats
    at = HEADER + SEAT_SIZE * seat
    total = 0
    for place in range(count):
        turn, after = turns[place], state.copy()
        play(after, at, turn)
        answer(after, at, turn, next_tile(tiles, seats, played), next_card(decks, seat, rounds))
        total += _perft(after, decks, tiles, depth - 1)
    return total
