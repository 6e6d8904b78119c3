"""sanssouci arena and its files: what cannot be written is told before a game, and no game is lost."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sanssouci.arena import Journal, Match
from sanssouci.cli import arena as module
from sanssouci.cli.output import check_target
from sanssouci.locale import UserError
from sanssouci.notation import PARTIAL

from ..plugins import install_all
from ..processes import LINUX_ONLY
from .command import COMMAND, mistake, run, run_fresh

TWO = ["arena", "--seed", 7, "--workers", 1, "--games", 2, "--players"]


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    """A folder of players for PYTHONPATH."""
    return install_all(tmp_path / "strangers")


def sealed(folder: Path) -> Callable[..., int]:
    """An ``os.open`` that makes no file in a folder."""
    truly = os.open

    def opened(path: Any, *arguments: Any, **options: Any) -> int:
        if Path(os.fsdecode(path)).parent == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return truly(path, *arguments, **options)

    return opened


def test_the_loser_of_two_arenas_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run begins the journal while this one looks at its players."""
    path = tmp_path / "journal"
    others: list[Journal] = []

    def begin(match: Match) -> None:
        others.append(Journal(path))
        others[0].begin(match)

    monkeypatch.setattr(module, "_check_players", begin)
    with pytest.raises(UserError, match="another program is writing this journal"):
        module.arena(players="greedy,random", games=2, resume=path)
    others[0].close()
    assert path.read_bytes().count(b"\n") == 1


@LINUX_ONLY
def test_what_cannot_be_written_is_told_before_a_game(tmp_path: Path) -> None:
    """Page or journal: the path is named, the exit status is 2, and the other one is not begun."""
    both = ["arena", "--players", "greedy,random", "--games", 10**9]
    said = mistake(*both, "--html", "/proc/page.html", "--resume", "journal", cwd=tmp_path)
    assert "/proc/page.html cannot be written" in said
    said = mistake(*both, "--resume", "/proc/journal", "--html", "page.html", cwd=tmp_path)
    assert "/proc/journal cannot be written" in said
    assert list(tmp_path.iterdir()) == []


def test_records_without_a_place_begin_no_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is there but cannot be written to."""
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(os, "open", sealed(tmp_path / "out"))
    monkeypatch.setattr(module, "_check_players", lambda match: None)
    monkeypatch.setattr(Journal, "begin", lambda *arguments: pytest.fail("the journal was begun"))
    with pytest.raises(UserError, match="out cannot be written: permission denied"):
        module.arena(players="greedy,random", records=tmp_path / "out", resume=tmp_path / "j", force=True)


def test_a_target_is_tried_and_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stays in the folder; a link is followed; a device is not tried."""
    tried: list[Path] = []
    truly = os.open

    def watched(path: Path, *more: int) -> int:
        tried.append(path)
        return truly(path, *more)

    monkeypatch.setattr(os, "open", watched)
    check_target(tmp_path / "page", force=False)
    assert list(tmp_path.iterdir()) == []
    assert len(tried) == 1 and tried[0].parent == tmp_path and tried[0].name.startswith(PARTIAL)
    monkeypatch.setattr(os, "open", sealed(Path("/dev")))
    check_target(Path(os.devnull), force=True)
    (tmp_path / "page").touch()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "link").symlink_to(tmp_path / "page")
    monkeypatch.setattr(os, "open", sealed(tmp_path))
    for path in (tmp_path / "page", tmp_path / "deep" / "link"):
        with pytest.raises(UserError, match=f"{path.name} cannot be written: permission denied"):
            check_target(path, force=True)


def test_a_worker_uses_one_thread(strangers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the user wants it otherwise; this process itself is as it was."""
    for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        monkeypatch.delenv(f"{name}_NUM_THREADS", raising=False)
    done = run(*TWO, "counting,random", PYTHONPATH=str(strangers), MKL_NUM_THREADS="3")
    assert done.returncode == 0 and (strangers / "threads").read_text() == "1 1 3 1"
    from sanssouci.arena.pool import _one_thread

    before = dict(os.environ)
    with _one_thread():
        assert os.environ["NUMBA_NUM_THREADS"] == "1"
    assert dict(os.environ) == before


def test_a_fault_loses_one_game_and_no_other(strangers: Path, tmp_path: Path) -> None:
    """Document and page tell it; what is no Exception in Python is a fault too."""
    files = ["--html", tmp_path / "page.html"]
    done = run(*TWO, "interrupting,random", "--json", *files, PYTHONPATH=str(strangers))
    assert done.returncode == 0
    first, second = json.loads(done.stdout)["players"]
    assert (first["games"], first["faults"], second["faults"], second["reasons"]) == (2, 1, 0, [])
    assert first["reasons"] == [
        "player interrupting, deal 1, seats random, interrupting: seat 2, turn 2: "
        "the player failed: KeyboardInterrupt"
    ]
    assert first["reasons"][0] in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_factory_that_fails_in_a_worker_loses(strangers: Path) -> None:
    """Where it only does so there: before the first game it would have been refused."""
    done = run_fresh(*TWO, "random,moody", "--json", PYTHONPATH=str(strangers))
    lost = json.loads(done.stdout)["players"][1]
    assert done.returncode == 0 and lost["faults"] == 2
    assert lost["reasons"][0].endswith("turn 2: the player “moody” cannot be created: KeyboardInterrupt")


def test_ctrl_c_stays_ctrl_c_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays a game of a match without workers can stop it."""
    from tests.arena.test_tournament import MATCH

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sanssouci.players.RandomPlayer.decide", interrupt)
    with pytest.raises(KeyboardInterrupt):
        MATCH.play((1, 0))
    outcome, _ = MATCH.play((1, 0), deaf=True)
    assert outcome.at_fault == {0, 1} and outcome.winners == () and outcome.points == (0, 0)
    assert "the player failed: KeyboardInterrupt" in str(outcome.losses[1].fault)


def test_the_page_is_written_though_nobody_reads_the_figures(tmp_path: Path) -> None:
    """As with ``--json | head -c1``: the pipe is closed before the document is written."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *map(str, TWO), "greedy,random", "--json", "--html", "page.html"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 1 and b"Traceback" not in done.stderr
    assert "</html>" in (tmp_path / "page.html").read_text(encoding="utf-8")


@LINUX_ONLY
def test_a_page_that_fails_in_the_end_hides_no_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk may have filled up meanwhile."""
    from sanssouci.arena import Tournament
    from tests.arena.test_tournament import MATCH

    tournament = Tournament(MATCH, 1)
    tournament.take_up(MATCH.play((1, place))[0] for place in (0, 1))
    with pytest.raises(UserError, match="/proc/page cannot be written"):
        module._hand_over(tournament, Path("/proc/page"), force=False, json=True)
    assert json.loads(capsys.readouterr().out)["games"] == 2
