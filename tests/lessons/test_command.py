"""The command that makes and checks lessons: what is typed wrong is told in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from sanssouci.dealer import Seed, parse_seed
from sanssouci.lessons import Lesson, __main__, lessons, parse_lessons, write_lessons
from sanssouci.lessons.check_lessons import CheckResult
from sanssouci.lessons.generate import ReportProgress


def _main(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """The command in this process."""
    monkeypatch.setattr(sys, "argv", ["lessons", *map(str, words)])
    return __main__.main()


def test_it_is_a_module_that_can_be_run() -> None:
    """As the documentation says, with its help."""
    command = [sys.executable, "-m", "sanssouci.lessons", "check", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert "--rollouts" in done.stdout


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("check", "--file", "{folder}/none.json"), "none.json: No such file or directory"),
        (("check", "--file", "{folder}/other.json"), "other.json: no file of lessons"),
        (("check", "--runs", "0"), "'0' is not a whole number from 1 on"),
        (("check", "--seed", "x"), "--seed: “x”"),
        (("make", "--threads", "two"), "'two' is not a whole number from 1 on"),
        (("make", "--file", "{folder}/none/lessons.json"), "lessons.json: No such file or directory"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    typed: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without a traceback, and before any game is played."""
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    monkeypatch.setattr(__main__, "make_lessons", None)
    with pytest.raises(SystemExit) as left:
        _main(monkeypatch, *(word.format(folder=tmp_path) for word in typed))
    said = capsys.readouterr().err or str(left.value.code)
    assert left.value.code and told in said.splitlines()[-1]


def test_lessons_that_are_made_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Progress goes to standard error; games, threads and seed are those of the command line."""
    file, asked = tmp_path / "lessons.json", []

    def make(seed: Seed, games: int, threads: int, told: ReportProgress) -> tuple[Lesson, ...]:
        asked.append((seed, games, threads))
        told("game 1 is looked through")
        return lessons()

    monkeypatch.setattr(__main__, "make_lessons", make)
    assert _main(monkeypatch, "make", "--games", 4, "--threads", 2, "--seed", 9, "--file", file) == 0
    assert asked == [(parse_seed("9"), 4, 2)]
    assert parse_lessons(file.read_text(encoding="utf-8")) == lessons()
    told = capsys.readouterr()
    assert "looked through" in told.err and told.out == f"{len(lessons())} lessons in {file}\n"


def test_lessons_are_checked_as_often_as_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line for each run of each lesson; the exit status is 1 if one of them does not hold."""
    latest, file = max(lessons(), key=lambda lesson: lesson.view.round), tmp_path / "lessons.json"
    file.write_text(write_lessons((latest,)), encoding="utf-8")
    shared = ("check", "--file", file, "--runs", 2, "--threads", 2)
    assert _main(monkeypatch, *shared, "--rollouts", 4000, "--trial", 1500) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("run 1, ") and told[1].startswith("run 2, ")
    assert told[2] == "1 lessons, 2 runs each: 0 did not hold"
    wrong = CheckResult(latest.id, latest.tempting, False, 0.0, 0.0)
    monkeypatch.setattr(__main__, "check", lambda *asked: wrong)
    assert _main(monkeypatch, *shared) == 1
    assert capsys.readouterr().out.endswith("2 did not hold\n")
