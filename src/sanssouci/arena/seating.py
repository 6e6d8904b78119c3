"""Who sits where: every way in which the players of an arena can share the seats of one deal.

A seating holds a player's place in the list of players for each seat, in turn order. It is written in
letters: ``ABA`` is the first player, the second, the first again.
"""

from collections.abc import Sequence
from itertools import combinations, permutations, product
from string import ascii_uppercase
from typing import TypeAlias

Seating: TypeAlias = tuple[int, ...]

MOST_PLAYERS = len(ascii_uppercase)


def seatings(players: int, seats: int) -> tuple[Seating, ...]:
    """All seatings in which a deal is played, in a fixed order, so that no player has the better seat.

    As many players as seats: every order. More: every order of every choice of them. Fewer: every way to
    fill the seats in which every player sits somewhere.
    """
    if players >= seats:
        return tuple(
            seating for some in combinations(range(players), seats) for seating in permutations(some)
        )
    everyone = set(range(players))
    return tuple(seating for seating in product(range(players), repeat=seats) if set(seating) == everyone)


def seatings_of(places: Sequence[int]) -> tuple[Seating, ...]:
    """All seatings with this number of places for each player."""
    everyone = [player for player, count in enumerate(places) for _ in range(count)]
    return tuple(sorted(set(permutations(everyone))))


def write_seating(seating: Seating) -> str:
    """A seating in letters."""
    return "".join(ascii_uppercase[player] for player in seating)
