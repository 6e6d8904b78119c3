"""Games lost by a fault: last place, no points, and a count of faults."""

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
    """A game of three in which the ``faulty`` seats were at fault."""
    losses = tuple(Loss(PlayerFault.at(seat, seat + 1, "asleep"), b"{}\n") for seat in faulty)
    turns = tuple(1 if seat in faulty else 18 for seat in range(3))
    return Outcome((1, 0), (0, 1, 2), scores, (1, 2, 3), turns, (0.1, 0.1, 0.1), losses)


def test_a_faulty_player_is_last() -> None:
    """R28: a faulty player ranks last whatever it scored; nobody wins if all are at fault."""
    assert (outcome().winners, outcome().points) == ((1,), (50, 90, 70))
    assert (outcome(1).winners, outcome(1).points) == ((2,), (50, 0, 70))
    assert outcome(1, 2).winners == (0,) and outcome(0, 1, 2).winners == ()
    tied = outcome(1, scores=(70, 99, 70))
    assert tied.winners == (2,) and tied.rank(1) < tied.rank(0) < tied.rank(2)
    nothing = replace(outcome(1, scores=(0, 99, 0)), gardeners=(0, 2, 0))
    assert nothing.rank(1) < nothing.rank(0), "also behind a player without points"
    assert outcome(0, 1).rank(0) == outcome(0, 1).rank(1)


def test_faults_in_the_figures() -> None:
    """R28: a fault gives no win and no points; figures count faults and keep three reasons."""
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
    """A game counts as one fault of a player, however many of its seats were at fault."""
    standings = Standings(("one", "two"))
    standings.add([replace(outcome(0, 1), seating=(0, 0, 1))])
    assert [figure.faults for figure in standings.figures()] == [1, 0]


def test_a_fault_counts_in_the_sequential_test() -> None:
    """R28: the sequential test counts a fault as a loss, and faults of both players as a tie."""
    two = replace(
        outcome(), seating=(0, 1), scores=(90, 50), gardeners=(1, 1), turns=(18, 18), seconds=(0, 0)
    )
    faults = [Loss(PlayerFault.at(seat, 3, "asleep")) for seat in (0, 1)]
    assert deal_score([two]) == 1
    assert deal_score([replace(two, losses=(faults[0],))]) == 0
    assert deal_score([replace(two, losses=tuple(faults))]) * 2 == 1


def test_a_journal_keeps_faults(tmp_path: Path) -> None:
    """A journal restores seat, turn and reason of a fault; an invalid line is refused."""
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
        tournament.add_outcomes([game])
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


def test_a_fault_contradicts_a_result_without_one(tmp_path: Path) -> None:
    """A journal with the same game with and without a fault is refused, even if the points agree."""
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.begin(MATCH)
        journal.write(replace(outcome(1), turns=(18, 18, 18)))
        journal.write(outcome())
    with Journal(path) as journal, user_error("arena.contradiction", line=3):
        list(journal.outcomes(MATCH))
