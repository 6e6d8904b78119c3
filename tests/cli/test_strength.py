"""``sanssouci strength``: contests are resumed, goals are judged, and a missed goal sets the exit status."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from sanssouci.arena import Estimate, Standing, engine_digest
from sanssouci.bench import CONTESTS, Contest, Goal
from sanssouci.cli.strength import strength
from sanssouci.locale import UserError
from sanssouci.rules import Variant

REACHED = Contest(("greedy", "random"), 20, 40, wins=Goal(0.9), score=Goal(50))
MISSED = Contest(("random", "greedy", "greedy"), 6, 12, Variant(3), wins=Goal(0.65, 0.85), margin=Goal(-100))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two contests of a second instead of the real ones."""
    for module in ("bench", "bench.strength"):
        monkeypatch.setattr(f"sanssouci.{module}.CONTESTS", (REACHED, MISSED))


def test_figures_and_goals_in_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missed goal is in the document and sets the exit status; all contests are measured."""
    with pytest.raises(typer.Exit) as ended:
        strength(folder=tmp_path, workers=1, json=True)
    assert ended.value.exit_code == 1
    output = capsys.readouterr()
    reached, missed = json.loads(output.out)
    assert (reached["contest"], reached["player"], reached["games"]) == ("greedy : random", "greedy", 20)
    assert reached["goals"]["win_share"] == {"least": 0.9, "most": None, "reached": True}
    assert missed["contest"] == "random : greedy : greedy (3 seats)" and missed["games"] == 6
    assert [goal["reached"] for goal in missed["goals"].values()] == [False, True]
    assert missed["win_share"] < 0.5, "the first player is judged"
    assert not reached["precise"] and not missed["precise"], "a few games"
    assert "1 of 4 goals missed" in output.err


def test_journals_are_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second run reuses the journal, and --long adds games to it."""
    strength(folder=tmp_path, workers=1, only="greedy : random")
    journal = tmp_path / engine_digest() / "greedy-random.jsonl"
    before = journal.read_bytes()
    assert before.count(b"\n") == 21
    strength(folder=tmp_path, workers=1, only="greedy : random")
    assert journal.read_bytes() == before
    strength(folder=tmp_path, workers=1, only="greedy : random", long=True)
    assert journal.read_bytes().startswith(before) and journal.read_bytes().count(b"\n") == 41
    output = capsys.readouterr()
    assert "goals reached: 2 of 2" in output.err and "≥ 90" in output.out
    assert max(map(len, output.out.splitlines())) <= 80
    assert " *" in output.out and "imprecise" in output.err


def test_a_goal_follows_from_the_margin_in_the_base_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The base game is played too if only a contest that depends on it is chosen."""
    base = Contest(("greedy", "random"), 4, 4)
    with_rewards = replace(base, variant=Variant(2, rewards=True), base=base)
    monkeypatch.setattr("sanssouci.bench.strength.CONTESTS", (REACHED, base, with_rewards))
    with suppress(typer.Exit):
        strength(folder=tmp_path, workers=1, only="(rewards)", json=True)
    first, second = json.loads(capsys.readouterr().out)
    assert (first["contest"], first["goals"]) == ("greedy : random", {})
    assert second["goals"]["margin"]["least"] == pytest.approx(0.8 * first["margin"])


def test_precision_of_margins() -> None:
    """Half of the interval is at most 1.0 points, or 1.5 with expansions."""
    margins = (Estimate(3, 2, 4), Estimate(3, 1.8, 4.2), Estimate(3, 1, 5), Estimate(3, None, None))
    expected = ((True, True), (False, True), (False, False), (False, False))
    for margin, precise in zip(margins, expected, strict=True):
        standing = Standing("master", 2, margin, margin, margin, 0.0, 0.0, 0, ())
        for variant, wanted in zip((Variant(2), Variant(2, rewards=True)), precise, strict=True):
            assert replace(REACHED, variant=variant).is_precise(standing) is wanted


def test_an_unknown_contest_is_refused(tmp_path: Path) -> None:
    """An unknown contest is reported with the known names."""
    with pytest.raises(UserError) as refused:
        strength(folder=tmp_path, only="chess")
    assert (
        "chess" in refused.value.translate()
        and "random : greedy : greedy (3 seats)" in refused.value.translate()
    )


def test_a_changed_engine_uses_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changing the source of rules, dealer, kernel, players or arena changes the folder name."""
    root = tmp_path / "sanssouci"
    packages = ("rules", "dealer", "kernel", "players", "arena")
    for package in packages:
        (root / package).mkdir(parents=True)
        (root / package / "one.py").write_text("a = 1", encoding="utf-8")
    monkeypatch.setattr("sanssouci.__file__", str(root / "__init__.py"))
    before = engine_digest()
    assert engine_digest() == before
    for package in packages:
        (root / package / "one.py").write_text("a = 2", encoding="utf-8")
        assert engine_digest() != before, package
        before = engine_digest()


def test_goals() -> None:
    """A goal is reached within its bounds, inclusively."""
    for value, reached in ((0.64, False), (0.65, True), (0.85, True), (0.86, False)):
        assert Goal(0.65, 0.85).reached(Estimate(value, 0, 1)) is reached
    assert Goal(1.5).reached(Estimate(100, 0, 1))


def test_contests_cover_the_documented_goals() -> None:
    """Contests cover budgets, seats, expansions and adjacent levels, each with a separate file."""
    contestants = {contest.players for contest in CONTESTS}
    assert {
        ("planner@0.02s", "greedy"),
        ("planner@0.1s", "greedy"),
        ("planner@1s", "planner@0.1s"),
    } <= contestants
    assert {(f"level:{level + 1}", f"level:{level}") for level in range(1, 5)} <= contestants
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
    assert goals[("master@0.1s", "planner@1s"), ()] == (Goal(0.6), None, Goal(3.5))
    larger = {(contest.players[0], contest.wins) for contest in CONTESTS if contest.variant.seats > 2}
    assert larger == {("planner@0.1s", Goal(0.94)), ("master@0.1s", Goal(0.45)), ("master@0.1s", Goal(0.36))}
    extended = {(contest.players[0], contest.wins) for contest in CONTESTS if contest.variant.expansions}
    assert extended == {("planner@0.1s", Goal(0.96)), ("master@0.1s", None)}
    depending = {contest.variant.expansions for contest in CONTESTS if contest.base is not None}
    assert depending == {("rewards",), ("wild_boar",), ("rewards", "wild_boar")}
    assert {contest.base for contest in CONTESTS if contest.base} <= set(CONTESTS)
    assert {contest.wins for contest in CONTESTS if "level:1" in contest.players} == {Goal(0.65, 0.85)}
    assert len({contest.file_name for contest in CONTESTS}) == len(CONTESTS)
    for contest in CONTESTS:
        assert list(contest.tournament(False).match.settings()["players"]) == list(contest.players)
        assert contest.tournament(True).games >= contest.long > contest.games / 2
        assert replace(contest, games=1).tournament(False).games >= 2, "whole deals"
