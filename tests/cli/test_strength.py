"""``sanssouci strength``: contests are resumed, goals are judged, and a miss is an exit status."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from sanssouci.arena import Estimate
from sanssouci.bench import CONTESTS, Contest, Goal, engine
from sanssouci.cli.strength import strength
from sanssouci.locale import UserError
from sanssouci.rules import Variant

SURE = Contest(("greedy", "random"), 20, 40, wins=Goal(0.9), score=Goal(50))
VAIN = Contest(("random", "greedy", "greedy"), 6, 12, Variant(3), wins=Goal(0.65, 0.85), margin=Goal(-100))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two contests of a second instead of those of half an hour."""
    monkeypatch.setattr("sanssouci.bench.CONTESTS", (SURE, VAIN))


def test_figures_and_goals_in_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missed goal is said, marked and an exit status; the others are still measured."""
    with pytest.raises(typer.Exit) as ended:
        strength(folder=tmp_path, workers=1, json=True)
    assert ended.value.exit_code == 1
    told = capsys.readouterr()
    sure, vain = json.loads(told.out)
    assert (sure["contest"], sure["player"], sure["games"]) == ("greedy : random", "greedy", 20)
    assert sure["goals"]["win_share"] == {"least": 0.9, "most": None, "reached": True}
    assert vain["contest"] == "random : greedy : greedy (3 seats)" and vain["games"] == 6
    assert [goal["reached"] for goal in vain["goals"].values()] == [False, True]
    assert vain["win_share"] < 0.5, "the first player is the one that is judged"
    assert "1 of 4 goals missed" in told.err


def test_what_was_played_is_not_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The journal of a run is taken up by the next, and more games go into the same one."""
    strength(folder=tmp_path, workers=1, only="greedy : random")
    journal = tmp_path / engine() / "greedy-random.jsonl"
    before = journal.read_bytes()
    assert before.count(b"\n") == 21
    strength(folder=tmp_path, workers=1, only="greedy : random")
    assert journal.read_bytes() == before
    strength(folder=tmp_path, workers=1, only="greedy : random", long=True)
    assert journal.read_bytes().startswith(before) and journal.read_bytes().count(b"\n") == 41
    told = capsys.readouterr()
    assert "goals reached: 2 of 2" in told.err and "≥ 90" in told.out
    assert max(map(len, told.out.splitlines())) <= 80


def test_a_contest_that_there_is_not(tmp_path: Path) -> None:
    """The names are told."""
    with pytest.raises(UserError) as refused:
        strength(folder=tmp_path, only="chess")
    assert (
        "chess" in refused.value.translate()
        and "random : greedy : greedy (3 seats)" in refused.value.translate()
    )


def test_another_engine_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed source of what plays changes the name of the folder."""
    root = tmp_path / "sanssouci"
    rooms = ("rules", "dealer", "kernel", "players", "arena")
    for room in rooms:
        (root / room).mkdir(parents=True)
        (root / room / "one.py").write_text("a = 1", encoding="utf-8")
    monkeypatch.setattr("sanssouci.__file__", str(root / "__init__.py"))
    before = engine()
    assert engine() == before
    for room in rooms:
        (root / room / "one.py").write_text("a = 2", encoding="utf-8")
        assert engine() != before, room
        before = engine()


def test_goals() -> None:
    """By the figure, from the least to the most."""
    for value, reached in ((0.64, False), (0.65, True), (0.85, True), (0.86, False)):
        assert Goal(0.65, 0.85).reached(Estimate(value, 0, 1)) is reached
    assert Goal(1.5).reached(Estimate(100, 0, 1))


def test_what_is_measured() -> None:
    """Every promised row is there: budgets, seats, expansions, all neighbours; each has a file."""
    promised = {contest.players for contest in CONTESTS}
    assert {
        ("planner@0.02s", "greedy"),
        ("planner@0.1s", "greedy"),
        ("planner@1s", "planner@0.1s"),
    } <= promised
    assert {(f"level:{level + 1}", f"level:{level}") for level in range(1, 5)} <= promised
    assert {contest.variant.seats for contest in CONTESTS} == {2, 3, 4}
    assert {contest.variant.expansions for contest in CONTESTS} >= {("rewards",), ("wild_boar",)}
    goals = {
        (contest.players, contest.variant.expansions): (contest.wins, contest.score, contest.margin)
        for contest in CONTESTS
        if contest.variant.seats == 2
    }
    assert goals[("planner@0.02s", "greedy"), ()] == (Goal(0.96), Goal(87), None)
    assert goals[("planner@0.1s", "greedy"), ()] == (Goal(0.98), Goal(93), None)
    assert goals[("planner@1s", "planner@0.1s"), ()] == (None, Goal(95), Goal(1.5))
    assert {contest.wins for contest in CONTESTS if contest.variant.seats > 2} == {Goal(0.94)}
    assert {contest.wins for contest in CONTESTS if contest.variant.expansions} == {Goal(0.96)}
    assert {contest.wins for contest in CONTESTS if "level:1" in contest.players} == {Goal(0.65, 0.85)}
    assert len({contest.file_name for contest in CONTESTS}) == len(CONTESTS)
    for contest in CONTESTS:
        assert list(contest.tournament(False).match.settings()["players"]) == list(contest.players)
        assert contest.tournament(True).games >= contest.long > contest.games / 2
        assert replace(contest, games=1).tournament(False).games >= 2, "whole deals"
