"""The command that makes and checks lessons: usage errors are one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from sanssouci.dealer import Seed, parse_seed
from sanssouci.lessons import Collection, __main__, lessons, parse_lessons, write_lessons
from sanssouci.lessons.check_lessons import CheckResult
from sanssouci.lessons.generate import ReportProgress
from sanssouci.network import NetworkError


def _main(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """Run the command in this process."""
    monkeypatch.setattr(sys, "argv", ["lessons", *map(str, words)])
    return __main__.main()


def test_the_module_can_be_run() -> None:
    """``python -m sanssouci.lessons`` prints its help."""
    command = [sys.executable, "-m", "sanssouci.lessons", "check", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert "--rollouts" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("check", "--file", "{folder}/none.json"), "none.json: No such file or directory"),
        (("check", "--file", "{folder}/other.json"), "other.json: no file of lessons"),
        (("check", "--runs", "0"), "'0' is not a whole number from 1 on"),
        (("check", "--seed", "x"), "--seed: “x”"),
        (("make", "--threads", "two"), "'two' is not a whole number from 1 on"),
        (("make", "--themes", "chess"), "invalid choice: 'chess'"),
        (("make", "--file", "{folder}/other.json"), "other.json: no file of lessons"),
        (("make", "--file", "{folder}/none/lessons.json"), "lessons.json: No such file or directory"),
    ],
)
def test_usage_errors_are_one_line(
    arguments: tuple[str, ...],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Errors are reported in one line without a traceback, before any game is played."""
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    monkeypatch.setattr(__main__, "make_lessons", None)
    with pytest.raises(SystemExit) as exited:
        _main(monkeypatch, *(word.format(folder=tmp_path) for word in arguments))
    output = capsys.readouterr().err or str(exited.value.code)
    assert exited.value.code and expected in output.splitlines()[-1]


def test_made_lessons_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lessons are written to the file, progress goes to standard error, and options are passed on."""
    file, calls, made = tmp_path / "lessons.json", [], Collection(lessons(), ("ways-77",))

    def make(
        old: Collection, seed: Seed, games: int, threads: int, report: ReportProgress, themes: list[str]
    ) -> Collection:
        calls.append((old, seed, games, threads, themes))
        report("game 1 is looked through")
        return made

    monkeypatch.setattr(__main__, "make_lessons", make)
    words = ("make", "--games", 4, "--threads", 2, "--seed", 9, "--file", file, "--themes", "ways", "end")
    assert _main(monkeypatch, *words) == 0 and _main(monkeypatch, *words) == 0
    others = (parse_seed("9"), 4, 2, ["ways", "end"])
    assert calls == [(Collection(), *others), (made, *others)]
    assert parse_lessons(file.read_text(encoding="utf-8")) == made
    output, count = capsys.readouterr(), len(lessons())
    assert "looked through" in output.err
    assert output.out.splitlines() == [
        f"{count} lessons in {file}, 0 of them kept",
        f"{count} lessons in {file}, {count} of them kept",
    ]


def test_lessons_need_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its file, stewards would judge; the command says so in one sentence."""

    def missing(seats: int) -> None:
        raise NetworkError("network.missing", name="two-seats.network")

    monkeypatch.setattr(__main__, "shipped_network", missing)
    with pytest.raises(SystemExit, match="two-seats"):
        _main(monkeypatch, "check")


def test_lessons_are_checked_in_several_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each run of each lesson prints a line; the exit status is 1 if any does not hold."""
    latest, file = max(lessons(), key=lambda lesson: lesson.view.round), tmp_path / "lessons.json"
    file.write_text(write_lessons(Collection((latest,))), encoding="utf-8")
    shared = ("check", "--file", file, "--runs", 2, "--threads", 2)
    assert _main(monkeypatch, *shared, "--rollouts", 500, "--trial", 500) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("run 1, ") and lines[1].startswith("run 2, ")
    assert lines[2] == "1 lessons, 2 runs each: 0 did not hold"
    wrong = CheckResult(latest.id, latest.tempting, False, 0.0, 0.0, 0.0)
    monkeypatch.setattr(__main__, "check", lambda *arguments: wrong)
    assert _main(monkeypatch, *shared) == 1
    assert capsys.readouterr().out.endswith("2 did not hold\n")
