"""Games that were lost by a fault: last place, no points, and counted as what they are."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from sanssouci.arena import Journal, Loss, Match, Outcome, Standings, Tournament, deal_score
from sanssouci.dealer import parse_seed
from sanssouci.editions import shipped_boards
from sanssouci.players import PlayerFault
from sanssouci.rules import Variant

from ..helpers import user_error

MATCH = Match(Variant(3), shipped_boards("reference"), ("random", "greedy", "steward"), parse_seed("5"))


def outcome(*faulty: int, scores: tuple[int, ...] = (50, 90, 70)) -> Outcome:
    """A game of three in which some seats went wrong."""
    losses = tuple(Loss(PlayerFault.at(seat, seat + 1, "asleep"), b"{}\n") for seat in faulty)
    turns = tuple(1 if seat in faulty else 18 for seat in range(3))
    return Outcome((1, 0), (0, 1, 2), scores, (1, 2, 3), turns, (0.1, 0.1, 0.1), losses)


def test_who_is_at_fault_is_last() -> None:
    """R28: whatever it scored; the best of the others wins, and nobody if there is no other."""
    assert (outcome().winners, outcome().points) == ((1,), (50, 90, 70))
    assert (outcome(1).winners, outcome(1).points) == ((2,), (50, 0, 70))
    assert outcome(1, 2).winners == (0,) and outcome(0, 1, 2).winners == ()
    tied = outcome(1, scores=(70, 99, 70))
    assert tied.winners == (2,) and tied.rank(1) < tied.rank(0) < tied.rank(2)
    nothing = replace(outcome(1, scores=(0, 99, 0)), gardeners=(0, 2, 0))
    assert nothing.rank(1) < nothing.rank(0), "also behind one that has scored nothing"
    assert outcome(0, 1).rank(0) == outcome(0, 1).rank(1)


def test_faults_in_the_figures() -> None:
    """R28: no win, no points, the margin from none; counted by game, with the first three reasons."""
    standings = Standings(("one", "two", "three"))
    for deal in range(1, 6):
        standings.add([replace(outcome(1), game=(deal, 0))])
    first, second, third = standings.figures()
    assert (second.win_share.value, second.score.value, second.margin.value) == (0, 0, -70)
    assert (third.win_share.value, third.margin.value, first.faults, second.faults) == (1, 20, 0, 5)
    assert first.elo > second.elo and third.elo > first.elo
    assert [str(reason) for reason in second.reasons] == [
        f"player two, deal {deal}, seats one, two, three: seat 2, turn 2: asleep" for deal in (1, 2, 3)
    ]
    assert second.to_json()["faults"] == 5 and second.to_json()["reasons"][0] == str(second.reasons[0])
    assert second.reasons[0].translate("de").endswith("Platz 2, Zug 2: asleep")
    never = Standings(("one", "two", "three"))
    never.add([replace(outcome(0, 1, 2), turns=(0, 0, 0))])
    assert [figure.win_share.value for figure in never.figures()] == [0, 0, 0]


def test_a_player_with_several_seats_loses_a_game_once() -> None:
    """However many of its seats went wrong."""
    standings = Standings(("one", "two"))
    standings.add([replace(outcome(0, 1), seating=(0, 0, 1))])
    assert [figure.faults for figure in standings.figures()] == [1, 0]


def test_a_fault_counts_in_the_sequential_test() -> None:
    """R28: as a lost meeting, or half of one if both went wrong."""
    two = replace(
        outcome(), seating=(0, 1), scores=(90, 50), gardeners=(1, 1), turns=(18, 18), seconds=(0, 0)
    )
    faults = [Loss(PlayerFault.at(seat, 3, "asleep")) for seat in (0, 1)]
    assert deal_score([two]) == 1
    assert deal_score([replace(two, losses=(faults[0],))]) == 0
    assert deal_score([replace(two, losses=tuple(faults))]) * 2 == 1


def test_a_journal_keeps_faults(tmp_path: Path) -> None:
    """Seat, turn and reason come back; the sum is the same; a line that makes none of it is refused."""
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.begin(MATCH)
        journal.write(outcome(1))
    with Journal(path) as journal:
        (again,) = journal.outcomes(MATCH)
    assert again.at_fault == {1} and str(again.losses[0].fault) == str(outcome(1).losses[0].fault)
    figures = []
    for game in (outcome(1), again):
        tournament = Tournament(MATCH, 1)
        tournament.take_up([game])
        tournament.close()
        figures.append(tournament.to_json())
    assert figures[0] == figures[1]
    head, line = path.read_text().splitlines()
    whole = json.loads(line)
    fault = whole["faults"][0]
    changes: list[dict[str, Any]] = [
        {"faults": 5},
        {"faults": [5]},
        {"faults": [fault | {"seat": 3}]},
        {"faults": [fault | {"seat": True}]},
        {"faults": [fault | {"turn": 99}]},
        {"faults": [fault | {"reason": None}]},
        {"faults": []},
        {"turns": [18, -1, 18]},
        {"turns": [1, 1, 18]},
    ]
    for bad in changes:
        path.write_text(f"{head}\n{json.dumps(whole | bad)}\n")
        with Journal(path) as journal, user_error("arena.bad_line", line=2):
            list(journal.outcomes(MATCH))


def test_the_same_game_with_and_without_a_fault_is_a_contradiction(tmp_path: Path) -> None:
    """Also if the points are the same."""
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.begin(MATCH)
        journal.write(replace(outcome(1), turns=(18, 18, 18)))
        journal.write(outcome())
    with Journal(path) as journal, user_error("arena.contradiction", line=3):
        list(journal.outcomes(MATCH))
