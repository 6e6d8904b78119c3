"""Whole games, state by state: the kernel plays exactly as the rules."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from sanssouci.kernel import COMPILES, RANDOM, RESULT_FIELDS, WINNERS_FIELD, Batch, flatten, restore
from sanssouci.kernel.compiler import ignore_overflow
from sanssouci.kernel.games import fill_result, play_games, play_on
from sanssouci.kernel.greedy import SCRATCH, WEIGHTS
from sanssouci.kernel.keys import game_keys
from sanssouci.kernel.layout import Ints
from sanssouci.kernel.rng import STREAMS, open_streams
from sanssouci.rules import Result, Variant

from ..helpers import VARIANTS
from .tables import NO_BOARDS, SEED, Played, batch_of, game_on_boards, game_on_odd_boards, game_setup

GAMES = 2_000 if COMPILES else 200
"""In all cases together. Each part of the exhaustive tests plays as many different games."""
PARTS = 50
AT_ONCE = 250
EVERY = 5
ALL_RANDOM = np.full(4, RANDOM, np.int64)


def numbers(seats: int, part: int) -> Iterator[range]:
    """Game numbers of a part of one case, in batches: every case plays the same number of turns."""
    weights = sum(2 * 6 / variant.seats for variant in VARIANTS)
    games = 1 + int(GAMES * 6 / seats / weights)
    first = 1 + part * games
    for start in range(first, first + games, AT_ONCE):
        yield range(start, min(start + AT_ONCE, first + games))


def check_states(games: list[Played], batch: Batch) -> None:
    """Play the turns in the kernel; every state and the result equal those of the rules."""
    rows, codes = np.array([game.rows for game in games]), np.array([game.codes for game in games])
    for turn in range(batch.setup.turns):
        differing = np.argwhere(batch.states != rows[:, turn])
        assert len(differing) == 0, f"turn {turn}: game and place {differing[:5].tolist()}"
        batch.step(codes[:, turn])
    assert (batch.states == rows[:, -1]).all()
    assert (batch.results() == np.array([game.result for game in games])).all()


def copied(game: Played, number: int) -> Played:
    """Check the round trip through arrays in some games, then drop all states except the last."""
    if number % EVERY == 1:
        for state, row in zip(game.states, game.rows, strict=True):
            assert (flatten(state) == row).all()
            assert restore(row) == state
    return replace(game, states=game.states[-1:])


EACH_VARIANT = pytest.mark.parametrize("variant", VARIANTS, ids=str)
EACH_PART = pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.exhaustive) for part in range(1, PARTS))]
)


@EACH_VARIANT
@EACH_PART
def test_games_on_the_boards_of_the_editions(variant: Variant, part: int) -> None:
    """R1-R38: games dealt, chosen and played by the kernel have the states and results of the rules."""
    for chosen in numbers(variant.seats, part):
        games = [copied(game_on_boards(variant, number), number) for number in chosen]
        batch = Batch.deal(game_setup(variant), SEED, len(games), first=chosen.start)
        own = batch.setup
        results = np.zeros((len(games), 4, RESULT_FIELDS), np.int64)
        turns = np.zeros((len(games), 72), np.int64)
        with ignore_overflow():
            keys = game_keys(SEED, chosen.start, len(games))
            play_games(keys, own.header, own.gardens, own.rewards, ALL_RANDOM, results, turns, WEIGHTS)
        assert (turns[:, : own.turns] == np.array([game.codes for game in games])).all()
        assert (results == np.array([game.result for game in games])).all()
        check_states(games, batch)


@EACH_VARIANT
@EACH_PART
def test_games_on_odd_boards(variant: Variant, part: int) -> None:
    """R2, R33: kernel and rules agree with any printed squares, marks and colour pairs."""
    for chosen in numbers(variant.seats, part):
        games = [copied(game_on_odd_boards(variant, number), number) for number in chosen]
        batch = batch_of(games)
        for number, game in enumerate(games):
            check_random_play(game, batch, number, chosen[number])
        check_states(games, batch)


def check_random_play(game: Played, batch: Batch, place: int, number: int) -> None:
    """Random play in the kernel gives the same turns and the same end."""
    state, turns = batch.states[place].copy(), np.zeros(72, np.int64)
    streams, scratch = np.zeros(STREAMS, np.uint64), np.empty(SCRATCH, np.int64)
    with ignore_overflow():
        deal_key, play_key = game_keys(SEED, number, 1)[0]
        open_streams(deal_key, play_key, game.deal.variant.seats, streams)
        play_on(state, batch.decks[place], batch.tiles[place], ALL_RANDOM, streams, turns, WEIGHTS, scratch)
    assert (turns[: len(game.codes)] == game.codes).all()
    assert (state == game.rows[-1]).all()


def changed_batch(change: Callable[[Ints], None]) -> tuple[list[Played], Batch]:
    """Three games, and a batch of them with a change."""
    games = [game_on_boards(Variant(2), number) for number in (1, 2, 3)]
    batch = batch_of(games)
    change(batch.states)
    return games, batch


def test_a_planted_difference_is_seen() -> None:
    """The comparison finds a single changed bit in one of many states."""

    def flip_bit(states: Ints) -> None:
        states[2, 8] ^= 1 << 20

    check_states(*changed_batch(lambda states: None))
    with pytest.raises(AssertionError, match=r"turn 0: game and place \[\[2, 8\]\]"):
        check_states(*changed_batch(flip_bit))


def test_shared_victories() -> None:
    """R28: with equal points and gardeners, every winner has the number of winners."""
    seen = set()
    for variant in (Variant(2), Variant(3), Variant(4)):
        final = game_on_boards(variant, 1).rows[-1]
        for winners in range(1, variant.seats + 1):
            state = final.copy()
            for seat in range(variant.seats):
                state[8 + 20 * seat : 28 + 20 * seat] = final[8:28]
                state[8 + 20 * seat + 11] += 5 * (seat < winners)
            fields = np.zeros((4, RESULT_FIELDS), np.int64)
            fill_result(state, NO_BOARDS, fields)
            expected = Result.of(restore(state)).winners
            assert tuple(np.flatnonzero(fields[:, WINNERS_FIELD])) == expected == tuple(range(winners))
            assert set(fields[: len(expected), WINNERS_FIELD].tolist()) == {winners}
            seen.add((variant.seats, winners))
    assert len(seen) == 9
