"""Batches: dealing, refusals and results."""

import numpy as np
import pytest

from sanssouci.kernel import Batch, Ints
from sanssouci.kernel.dealing import load_deal
from sanssouci.rules import IMPERIAL, Variant

from ..helpers import VARIANTS
from .tables import SEED, game_on_boards, game_setup

ALL = Variant(2, IMPERIAL, rewards=True, wild_boar=True)


def arrays(batch: Batch) -> list[Ints]:
    """Copies of all arrays that a step could change."""
    return [array.copy() for array in (batch.states, batch.decks, batch.tiles, batch.boards)]


def unchanged(batch: Batch, before: list[Ints]) -> bool:
    return all((now == was).all() for now, was in zip(arrays(batch), before, strict=True))


def first_turns(batch: Batch) -> Ints:
    legal = batch.legal_turns()
    return legal.turns[legal.starts[:-1]]


def finished() -> Batch:
    """A batch played to its end."""
    batch = Batch.deal(game_setup(ALL), SEED, 4)
    while not batch.over:
        batch.step(first_turns(batch))
    return batch


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_deals_equal_those_of_the_dealer(variant: Variant) -> None:
    """R9, R11-R13, R29: boards, missions, decks and tiles equal those of ``dealer.prepare``."""
    batch = Batch.deal(game_setup(variant), SEED, 30, first=1_000)
    for place in range(30):
        game = game_on_boards(variant, 1_000 + place)
        state, decks, tiles = load_deal(game.deal)
        assert (batch.states[place] == state).all()
        assert (batch.decks[place] == decks).all() and (batch.tiles[place] == tiles).all()
        assert (batch.boards[place] == game.boards).all()


@pytest.mark.parametrize("place", range(4))
def test_one_illegal_turn_stops_the_step(place: int) -> None:
    """R14-R20: an illegal turn is reported with its game, and no game changes."""
    batch = Batch.deal(game_setup(ALL), SEED, 4)
    for _ in range(20):
        before, turns = arrays(batch), first_turns(batch)
        for wrong in (-1, turns[place] ^ 1 << 15, turns[place] | 1 << 40, 31):
            changed = turns.copy()
            changed[place] = wrong
            with pytest.raises(ValueError, match=f"turn {wrong} is not legal in game {place}"):
                batch.step(changed)
            assert unchanged(batch, before)
        batch.step(turns)
        assert not unchanged(batch, before)


@pytest.mark.parametrize("shape", [(0,), (3,), (5,), (4, 1), (1, 4), ()])
def test_every_game_needs_one_turn(shape: tuple[int, ...]) -> None:
    """A wrong number of turns, or a two-dimensional array, is refused."""
    batch = Batch.deal(game_setup(ALL), SEED, 4)
    before = arrays(batch)
    with pytest.raises(ValueError, match="4 games need as many turns"):
        batch.step(np.zeros(shape, np.int64))
    assert unchanged(batch, before)


def test_turns_may_come_in_any_array() -> None:
    """A strided slice and an array of smaller integers are accepted."""
    one, two, three = (Batch.deal(game_setup(ALL), SEED, 4) for _ in range(3))
    turns = first_turns(one)
    one.step(turns)
    two.step(np.repeat(turns, 2)[::2])
    three.step(turns.astype(np.int32))
    assert (one.states == two.states).all() and (one.states == three.states).all()


def test_results_wait_for_the_end() -> None:
    """R28: results exist only after the last turn, one for every game."""
    batch = Batch.deal(game_setup(ALL), SEED, 3)
    assert not batch.over
    with pytest.raises(ValueError, match="not over"):
        batch.results()
    assert finished().results().shape == (4, 4, 12)


def test_a_batch_has_turn_and_seat_to_move() -> None:
    """R1: turns are counted and seats alternate; after the last turn nothing is legal."""
    batch = Batch.deal(game_setup(Variant(3)), SEED, 2)
    for turn in range(54):
        assert (batch.turn, batch.to_move, batch.over) == (turn, turn % 3, False)
        batch.step(first_turns(batch))
    assert batch.over and len(batch.legal_turns().turns) == 0
    assert batch.legal_turns().starts.tolist() == [0, 0, 0]


def test_after_the_end_no_turn_is_legal() -> None:
    """R1: a finished batch cannot be stepped, and keeps its results."""
    batch = finished()
    before, results = arrays(batch), batch.results()
    with pytest.raises(ValueError, match="not legal in game 0"):
        batch.step(np.zeros(4, np.int64))
    assert unchanged(batch, before) and (batch.results() == results).all()


def test_a_game_does_not_depend_on_its_neighbours() -> None:
    """Games 5 and 6 are the same alone and in a larger batch."""
    few, many = Batch.deal(game_setup(ALL), SEED, 2, first=5), Batch.deal(game_setup(ALL), SEED, 9)
    assert all((a == b[4:6]).all() for a, b in zip(arrays(few), arrays(many), strict=True))


def test_a_batch_needs_a_seed() -> None:
    """A seed has exactly 32 bytes."""
    with pytest.raises(ValueError, match="32 bytes"):
        Batch.deal(game_setup(ALL), b"short", 1)
