"""Seatings: every player has every seat equally often."""

from collections import Counter

import pytest

from sanssouci.arena import seatings, write_seating
from sanssouci.arena.seating import seatings_of


@pytest.mark.parametrize(
    ("players", "seats", "count"),
    [(2, 2, 2), (3, 3, 6), (4, 4, 24), (2, 3, 6), (2, 4, 14), (3, 4, 36), (3, 2, 6), (4, 2, 12), (5, 3, 60)],
)
def test_every_player_has_every_seat_equally_often(players: int, seats: int, count: int) -> None:
    """Seatings are balanced, whether players are as many as, fewer than or more than the seats."""
    found = seatings(players, seats)
    assert len(found) == len(set(found)) == count
    for seat in range(seats):
        counts = Counter(seating[seat] for seating in found)
        assert len(counts) == players and len(set(counts.values())) == 1
    if players <= seats:
        assert all(set(seating) == set(range(players)) for seating in found)
    else:
        assert all(len(set(seating)) == seats for seating in found)


def test_fixed_seat_counts_are_played_in_every_order() -> None:
    """With a fixed number of seats per player, every distinct order is played once."""
    assert seatings_of((1, 3)) == ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
    assert seatings_of((1, 1)) == seatings(2, 2)
    assert len(seatings_of((2, 2))) == 6


def test_a_seating_is_written_in_letters() -> None:
    """A seating is written as one letter per seat, independent of the players' names."""
    assert [write_seating(seating) for seating in seatings(2, 3)] == [
        "AAB",
        "ABA",
        "ABB",
        "BAA",
        "BAB",
        "BBA",
    ]
