"""perft: the counts of the files, and a second writing of the rules that counts the first turn too."""

from pathlib import Path

import pytest

from sanssouci.notation import Record, read_record, verify
from sanssouci.rules import (
    LEAVES,
    REWARD_AREA,
    State,
    divide,
    mark_at,
    members,
    perft,
)
from sanssouci.rules.squares import CROSS

from .. import oracle

FILES = sorted(Path(__file__).parent.glob("*.json"))
NAMES = [path.stem for path in FILES]


def position(path: Path) -> tuple[Record, State]:
    """A file's record and the state after its last turn."""
    record = read_record(path)
    return record, verify(record)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_counts(path: Path) -> None:
    """The number of ways to play one, two, three turns is what the file says."""
    record, state = position(path)
    wanted = record.extra["perft"]
    assert [perft(state, record.deal, depth) for depth in range(1, len(wanted) + 1)] == wanted


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_divide_adds_up(path: Path) -> None:
    """The counts under each turn add up to the whole."""
    record, state = position(path)
    counts = divide(state, record.deal, 1)
    assert sum(counts.values()) == len(counts) == record.extra["perft"][0]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_the_oracle_finds_the_same_turns(path: Path) -> None:
    """R14-R20, R34-R36: a second writing of the rules lists the same turns."""
    _, state = position(path)
    assert set(oracle.all_turns(state)) == set(state.options())


def test_the_positions_are_the_hard_ones() -> None:
    """R19, R22, R33, R36: at least ten, and among them every corner of the rules."""
    states = {path.stem: position(path) for path in FILES}
    assert len(states) >= 10
    _, trapped = states["trapped-boar"]
    assert any(turn.boar == LEAVES for turn in trapped.options())
    _, red = states["trapped-boar-on-red"]
    garden = red.gardens[red.to_move]
    assert mark_at(garden.marks, members(garden.boar)[0]) >= 5
    _, full = states["row-and-column-full"]
    options = full.options()
    spaces = {space for card in members(options.cards) for space in members(options.spaces(card))}
    assert any(not options.garden.free & CROSS[options.own_square(space)] for space in spaces)
    _, last = states["last-refill"]
    assert (last.round, sum(last.pouch), last.variant.seats) == (18, 1, 2)
    record, _ = states["start-rewards-three"]
    assert any(printed & REWARD_AREA for printed in record.deal.printed)
    expansions = {record.deal.variant.expansions for record, _ in states.values()}
    assert expansions == {(), ("rewards",), ("wild_boar",), ("rewards", "wild_boar")}
