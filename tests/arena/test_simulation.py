"""Series of games: reproducible, legal, and counted correctly."""

import pickle
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from sanssouci.arena import ProcessPool, Series, Simulation, Summary, game_record
from sanssouci.dealer import parse_seed
from sanssouci.editions import load_edition
from sanssouci.kernel import GARDENER_FIELD, RESULT_FIELDS, WINNERS_FIELD
from sanssouci.locale import UserError
from sanssouci.notation import RecordError, parse_record, verify, write_record
from sanssouci.rules import Refusal, RefusalCode, Refused, Variant

from ..helpers import VARIANTS


def simulation(variant: Variant, seed: str = "1") -> Simulation:
    """Random players on the boards of the variant's edition."""
    boards = load_edition(variant.edition).boards
    return Simulation(variant, boards, ("random",) * variant.seats, parse_seed(seed))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_simulated_games_are_legal_records(variant: Variant) -> None:
    """R1: simulated games of every variant pass record verification."""
    series = simulation(variant)
    for number in (1, 2, 3):
        record = parse_record(write_record(series.record(number, series.play(number))))
        assert verify(record).over


def test_the_same_seed_is_the_same_game() -> None:
    """A game follows from seed and number: it can be played alone, and others differ."""
    one, two = simulation(Variant(3)), simulation(Variant(3))
    assert one.play(5) == two.play(5)
    assert one.play(5).turns != one.play(6).turns
    assert one.play(5).turns != simulation(Variant(3), "2").play(5).turns


def test_game_1_of_seed_1_is_pinned() -> None:
    """Deal and decisions of game 1 of seed 1 never change between versions."""
    series = simulation(Variant(3))
    data = write_record(series.record(1, series.play(1)))
    assert sha256("\n".join(parse_record(data).turns).encode()).hexdigest()[:16] == "fad3fa0d2c0f17b3"


def test_players_and_seats_must_agree() -> None:
    """R1: the numbers of players and entries must equal the number of seats."""
    series = simulation(Variant(3))
    with pytest.raises(ValueError, match="2 players"):
        replace(series, players=("random",) * 2).play(1)
    with pytest.raises(ValueError, match="4 entries"):
        game_record(series.play(1), [{"name": "x"}] * 4)
    with pytest.raises(ValueError, match="turns"):
        write_record(game_record(series.play(1), [{"name": "x"}] * 3, extra={"turns": []}))


def test_refusals_and_user_errors_are_picklable() -> None:
    """Refusals and user errors survive pickling, so that workers can raise them."""
    refused = Refused(Refusal.of(RefusalCode.WRONG_SEATS, seats=5))
    again = pickle.loads(pickle.dumps(refused))
    assert again.refusal == refused.refusal and str(again) == str(refused)
    with pytest.raises(RecordError) as caught:
        parse_record(b"[]")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_summary_counts_wins_and_points() -> None:
    """R28: a summary divides a shared victory among the winners and averages the parts of the score."""
    results = np.zeros((2, 4, RESULT_FIELDS), np.int64)
    results[0, 0, [0, GARDENER_FIELD]] = 10, 1
    results[0, 1, [0, 3, WINNERS_FIELD]] = 4, 8, 1
    results[1, :2, 0] = 20
    results[1, :2, GARDENER_FIELD] = 2
    results[1, :2, WINNERS_FIELD] = 2
    summary = Summary(2)
    summary.add(results[:1])
    summary.add(results[1:])
    first, second = summary.seats
    assert summary.games == 2
    assert (first.wins, second.wins) == (0.5, 1.5)
    assert (first.mean, first.spread, first.lowest, first.highest) == (15, 5, 10, 20)
    assert second.to_json()["mean_parts"]["rows"] == 4 and second.to_json()["part_shares"]["rows"] == 8 / 32
    assert first.to_json()["win_share"] == 0.25 and first.to_json()["mean_gardeners"] == 1.5


def test_quantiles_are_scores_of_games() -> None:
    """Quantiles of the scores 1 to 100 are the scores themselves."""
    results = np.zeros((100, 4, RESULT_FIELDS), np.int64)
    results[:, 0, 0] = np.arange(100, 0, -1)
    summary = Summary(2)
    summary.add(results)
    assert summary.seats[0].to_json()["quantiles"] == {"5": 5, "25": 25, "50": 50, "75": 75, "95": 95}


def test_an_unknown_player_is_named() -> None:
    """An unknown player is reported together with the known names."""
    with pytest.raises(UserError, match=r"“chess”; the players are greedy, level:1, .*, steward"):
        replace(simulation(Variant()), players=("random", "chess")).play(1)


def test_summaries_can_be_merged() -> None:
    """Merged summaries equal one summary of all games, to the last digit, in any order."""
    series = replace(simulation(Variant(4)), players=("random",) * 4)
    chunks = [chunk.results for chunk in series.chunks(3000)]
    results = np.concatenate(chunks)
    whole, parts = Summary(4), Summary(4)
    whole.add(results)
    for part in (results[2000:], results[:7], results[7:2000]):
        summary = Summary(4)
        summary.add(part)
        parts.merge(summary)
    assert [seat.to_json() for seat in parts.seats] == [seat.to_json() for seat in whole.seats]


@pytest.mark.parametrize("records", [False, True])
def test_a_series_is_the_same_in_worker_processes(records: bool) -> None:
    """A series gives the same portions in order in this process and in worker processes."""
    series = Series(simulation(Variant(2)), 9 if records else 9000, Summary, results=True, records=records)
    here, there = list(series.play()), list(series.play_on(ProcessPool(2)))
    assert [portion.records for portion in here] == [portion.records for portion in there]
    assert [portion.first for portion in here] == [portion.first for portion in there]
    for one, other in zip(here, there, strict=True):
        assert all(
            np.array_equal(mine.results, theirs.results)
            for mine, theirs in zip(one.chunks, other.chunks, strict=True)
        )


def test_a_fault_in_a_worker_ends_a_series() -> None:
    """The games before a fault are returned, then the fault is raised, in worker processes too."""
    series = Series(replace(simulation(Variant()), players=("random", "chess")), 5, Summary)
    with pytest.raises(UserError, match="chess"):
        list(series.play_on(ProcessPool(1)))
