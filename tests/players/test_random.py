"""The random player: uniform choices at each stage, from a view only."""

from collections import Counter

from sanssouci.players import RandomPlayer, make_player
from sanssouci.rules import GardenBoard, Setup, Variant

from ..helpers import a_state, garden, squares, stream

DRAWN = """
    #########
    .########
    .........
    .........
    .........
    .........
"""


def is_uniform(counts: Counter[object], kinds: int) -> bool:
    """Whether every kind occurs about equally often."""
    mean = counts.total() / kinds
    return len(counts) == kinds and all(abs(count - mean) < 5 * mean**0.5 for count in counts.values())


def test_every_stage_is_uniform() -> None:
    """Card, space, square and stop are each chosen uniformly."""
    state = a_state(garden(DRAWN), "a 24", "abcdefghib")
    player = RandomPlayer(stream(1))
    turns = [player.decide(state.view(0)) for _ in range(6000)]
    assert is_uniform(Counter(turn.card for turn in turns), 2)
    colour = [turn for turn in turns if turn.card != 0]
    assert is_uniform(Counter(turn.space for turn in colour), 4)
    # space 1 shows a statue whose square b2 is built: a gardener in row 2 or column b, five squares
    gardeners = [turn for turn in colour if turn.space == 1]
    assert is_uniform(Counter(turn.square for turn in gardeners), 5)
    first = [turn for turn in turns if turn.card == 0]
    assert {(turn.space, turn.square) for turn in first} == {(0, 9)}
    assert is_uniform(Counter(turn.noble for turn in first), 1 + 18)


def test_sides_are_uniform_too() -> None:
    """R9: both sides of the garden are equally likely."""
    board = GardenBoard((squares("a3 a5 c2 g2 h4 i3"), squares("b2 d2 f3 a4 i4 i5")))
    view = Setup.with_gardens(Variant(2), (board, board)).view(0)
    player = make_player("random", stream(2))
    assert is_uniform(Counter(player.pick(view) for _ in range(1000)), 2)
