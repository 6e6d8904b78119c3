"""perft: the counts in the files, and the turns that the independent oracle finds."""

from pathlib import Path

import pytest

from sanssouci.notation import Record, read_record, verify
from sanssouci.rules import LEAVES, REWARD_AREA, State, divide, mark_at, members, perft
from sanssouci.rules.squares import CROSS

from .. import oracle

FILES = sorted(Path(__file__).parent.glob("*.json"))
NAMES = [path.stem for path in FILES]


def position(path: Path) -> tuple[Record, State]:
    """The record of a file and the state after its last turn."""
    record = read_record(path)
    return record, verify(record)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_counts(path: Path) -> None:
    """The number of ways to play one, two and three turns equals the file."""
    record, state = position(path)
    wanted = record.extra["perft"]
    assert [perft(state, record.deal, depth) for depth in range(1, len(wanted) + 1)] == wanted


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_divide_adds_up(path: Path) -> None:
    """The counts for each turn add up to the total."""
    record, state = position(path)
    counts = divide(state, record.deal, 1)
    assert sum(counts.values()) == len(counts) == record.extra["perft"][0]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_the_oracle_finds_the_same_turns(path: Path) -> None:
    """R14-R20, R34-R36: the independent oracle lists the same turns."""
    _, state = position(path)
    assert set(oracle.all_turns(state)) == set(state.options())


def test_positions_cover_the_hard_cases() -> None:
    """R19, R22, R33, R36: the positions cover all expansions and the rare cases of the rules."""
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
