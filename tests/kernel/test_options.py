"""Legal turns: lists, masks and checks of the kernel compared with ``rules.Options``."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from sanssouci.dealer import Stream
from sanssouci.kernel import Batch, Ints, Masks, decode, encode, flatten, option_masks
from sanssouci.kernel.options import is_legal
from sanssouci.rules import LEAVES, Options, State, members, set_of

from ..helpers import stream
from .tables import game_setup, some_games, some_states

STEP = 5
FIELDS = {"card": (0, 32), "space": (5, 16), "square": (9, 64), "gardener": (15, 2), "boar": (16, 64)}
FIELDS["noble"] = (22, 64)
"""The first bit of each field of a code, and the number of values."""


@cache
def sample() -> list[State]:
    """States of all variants and rounds, and some final ones."""
    return [*some_states(STEP), *(game[-1] for game in some_games())]


def batch(states: list[State]) -> Batch:
    """A batch of the states, which may be of different variants for questions of legality."""
    flat, nothing = np.array([flatten(state) for state in states]), np.zeros((0, 0), np.int64)
    return Batch(game_setup(states[0].variant), flat, nothing, nothing, nothing)


def test_the_legal_turns_are_the_same_in_the_same_order() -> None:
    """R14-R20, R34-R36: the kernel lists the same turns as the rules, and codes round-trip."""
    legal = batch(sample()).legal_turns()
    assert len(legal.starts) == len(sample()) + 1 and legal.starts[-1] == len(legal.turns)
    for place, state in enumerate(sample()):
        turns = list(state.options())
        assert [decode(code) for code in legal.of(place)] == turns
        assert [encode(turn) for turn in turns] == legal.of(place).tolist()


def expected_masks(options: Options) -> dict[str, Ints]:
    """The tables of the rules as bit sets."""
    tables = options.tables()
    spaces, squares = np.zeros(20, np.int64), np.zeros(10, np.int64)
    stops, boar = np.zeros((2, 54), np.int64), 0
    for card, taken in tables.spaces.items():
        spaces[card] = set_of(taken)
    for space, goals in tables.squares.items():
        squares[space] = set_of(goals)
    for (square, gardener), goal_squares in tables.stops.items():
        stops[int(gardener), square] = goal_squares
    for place in members(options.garden.boar) if options else ():
        goals_here = [goal for goal in options.boar(place) if goal is not None]
        assert tables.boar.get(place, tuple(goals_here)) == tuple(goals_here)
        boar = set_of([1 if goal == LEAVES else 2 + goal for goal in goals_here])
    gardeners = set_of([space for space, gardener in tables.gardener.items() if gardener])
    found = {"spaces": spaces, "squares": squares, "stops": stops}
    return found | {"gardeners": np.array(gardeners), "boar": np.array(boar)}


def test_the_masks_are_the_tables() -> None:
    """R14-R20, R34-R36: masks equal ``Options.tables`` stage by stage, and are 0 after the end."""
    masks = option_masks(batch(sample()).states)
    for place, state in enumerate(sample()):
        for name, expected in expected_masks(state.options()).items():
            assert (getattr(masks, name)[place] == expected).all(), (place, name)
    assert all((field[-1] == 0).all() for field in masks) and sample()[-1].over
    assert Masks._fields == ("spaces", "squares", "gardeners", "boar", "stops")


def mutations(legal: Ints, chance: Stream) -> Iterator[int]:
    """Nearly legal codes: each field with every value, and random mixes of two turns."""
    for _ in range(3):
        code = int(legal[chance.below(len(legal))])
        for start, values in FIELDS.values():
            for value in range(values):
                yield code & ~(values - 1 << start) | value << start
        for _ in range(60):
            other = int(legal[chance.below(len(legal))])
            kept = chance.below(1 << 28)
            yield code & kept | other & ~kept


def test_nearly_legal_turns_are_judged_as_the_rules_do() -> None:
    """R14-R20, R34-R36: a turn is legal in the kernel exactly if the rules have no refusal."""
    chance, states, judged = stream(31), [state for state in sample() if not state.over], [0, 0]
    legal = batch(states).legal_turns()
    for place, state in enumerate(states):
        flat, options = flatten(state), state.options()
        for code in mutations(legal.of(place), chance):
            expected = options.refusal(decode(code)) is None
            assert bool(is_legal(flat, code)) == expected, (place, code)
            judged[expected] += 1
    assert min(judged) > 1_000, "both legal and illegal turns occur"


def test_garbage_is_never_legal() -> None:
    """Negative numbers, numbers with too many bits and random numbers are not legal."""
    chance = stream(32)
    for state in some_states(50):
        flat, legal = flatten(state), batch([state]).legal_turns().of(0)
        known = set(legal.tolist())
        for _ in range(50):
            code = int(legal[chance.below(len(legal))])
            assert is_legal(flat, code)
            for bit in range(28, 63):
                assert not is_legal(flat, code | 1 << bit)
            assert not is_legal(flat, code - (1 << 63)) and not is_legal(flat, ~code)
            anything = chance.below(1 << 28)
            assert bool(is_legal(flat, anything)) == (anything in known)


@pytest.mark.parametrize("place", range(0, 36, 5))
def test_nothing_is_legal_at_the_end(place: int) -> None:
    """R1: after the last turn no turn is legal or listed."""
    *_, before, end = some_games()[place]
    assert len(batch([end]).legal_turns().turns) == 0
    flat = flatten(end)
    assert not any(is_legal(flat, encode(turn)) for turn in before.options())
