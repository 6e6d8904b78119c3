"""Golden records of every variant: replayed, rewritten byte by byte, and proved."""

from pathlib import Path

import pytest

from sanssouci.dealer import prove
from sanssouci.notation import (
    is_complete,
    parse_record,
    read_record,
    replay,
    verify,
    write_record,
    write_result,
)
from sanssouci.rules import Result

from ..helpers import VARIANTS
from ..playthrough import RECORDS, playthrough

GOLDEN = sorted(RECORDS.glob("*.json"))
FINISHED = [path for path in GOLDEN if is_complete(read_record(path))]


def ids(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


def test_there_is_a_golden_record_of_every_variant() -> None:
    """R1: golden records cover all seats, editions and expansions."""
    kinds = {
        (deal.variant.seats, deal.variant.edition, deal.variant.expansions)
        for deal in (read_record(path).deal for path in FINISHED)
    }
    assert kinds == {(v.seats, v.edition, v.expansions) for v in VARIANTS}


@pytest.mark.parametrize("path", GOLDEN, ids=ids(GOLDEN))
def test_golden_records_round_trip(path: Path) -> None:
    """Parsing and writing a record gives the same bytes."""
    data = path.read_bytes()
    record = parse_record(data)
    assert write_record(record) == data
    assert parse_record(write_record(record)) == record


@pytest.mark.parametrize("path", GOLDEN, ids=ids(GOLDEN))
def test_golden_records_match_their_playthroughs(path: Path) -> None:
    """A difference is a change of the rules: see tests/playthrough.py."""
    assert playthrough(read_record(path)) == path.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FINISHED, ids=ids(FINISHED))
def test_golden_results_match_the_replay(path: Path) -> None:
    """R28: scores, parts, gardeners and winners equal those of the replay."""
    record = read_record(path)
    state = verify(record)
    assert record.result == write_result(Result.of(state))
    assert len(list(replay(record))) == state.turn == state.variant.turns


@pytest.mark.parametrize("path", FINISHED, ids=ids(FINISHED))
def test_a_golden_deal_is_proved_by_its_seed(path: Path) -> None:
    """R9, R11, R12, R13, R29: the seed proves commitment, boards, missions, decks and tiles."""
    prove(read_record(path))
