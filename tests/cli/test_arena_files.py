"""``sanssouci arena`` and its files: write errors are reported before a game, and no game is lost."""

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

from ..player_packages import install_all
from ..processes import LINUX_ONLY
from .command import COMMAND, run, run_fresh, usage_error

TWO = ["arena", "--seed", 7, "--workers", 1, "--games", 2, "--players"]


@pytest.fixture
def player_folder(tmp_path: Path) -> Path:
    """Third-party players, in a folder for PYTHONPATH."""
    return install_all(tmp_path / "player_folder")


def read_only(folder: Path) -> Callable[..., int]:
    """An ``os.open`` that cannot create files in a folder."""
    real_open = os.open

    def opened(path: Any, *arguments: Any, **options: Any) -> int:
        if Path(os.fsdecode(path)).parent == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, *arguments, **options)

    return opened


def test_a_run_refused_by_the_journal_lock_deletes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another run begins the journal during the checks, it is refused and the journal is kept."""
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
def test_unwritable_files_are_reported_first(tmp_path: Path) -> None:
    """An unwritable page or journal is reported with status 2, and the other file is not created."""
    both = ["arena", "--players", "greedy,random", "--games", 10**9]
    message = usage_error(*both, "--html", "/proc/page.html", "--resume", "journal", cwd=tmp_path)
    assert "/proc/page.html cannot be written" in message
    message = usage_error(*both, "--resume", "/proc/journal", "--html", "page.html", cwd=tmp_path)
    assert "/proc/journal cannot be written" in message
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_record_folder_begins_no_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only folder for records is reported before the journal begins."""
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(os, "open", read_only(tmp_path / "out"))
    monkeypatch.setattr(module, "_check_players", lambda match: None)
    monkeypatch.setattr(Journal, "begin", lambda *arguments: pytest.fail("the journal was begun"))
    with pytest.raises(UserError, match="out cannot be written: permission denied"):
        module.arena(players="greedy,random", records=tmp_path / "out", resume=tmp_path / "j", force=True)


def test_check_target_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking a target leaves no file behind, follows links, and does not open devices."""
    tried: list[Path] = []
    real_open = os.open

    def recording_open(path: Path, *more: int) -> int:
        tried.append(path)
        return real_open(path, *more)

    monkeypatch.setattr(os, "open", recording_open)
    check_target(tmp_path / "page", force=False)
    assert list(tmp_path.iterdir()) == []
    assert len(tried) == 1 and tried[0].parent == tmp_path and tried[0].name.startswith(PARTIAL)
    monkeypatch.setattr(os, "open", read_only(Path("/dev")))
    check_target(Path(os.devnull), force=True)
    (tmp_path / "page").touch()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "link").symlink_to(tmp_path / "page")
    monkeypatch.setattr(os, "open", read_only(tmp_path))
    for path in (tmp_path / "page", tmp_path / "deep" / "link"):
        with pytest.raises(UserError, match=f"{path.name} cannot be written: permission denied"):
            check_target(path, force=True)


def test_a_worker_uses_one_thread(player_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers limit numeric libraries to one thread, unless the user sets a number."""
    for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        monkeypatch.delenv(f"{name}_NUM_THREADS", raising=False)
    done = run(*TWO, "counting,random", PYTHONPATH=str(player_folder), MKL_NUM_THREADS="3")
    assert done.returncode == 0 and (player_folder / "threads").read_text() == "1 1 3 1"
    from sanssouci.arena.pool import _one_thread

    before = dict(os.environ)
    with _one_thread():
        assert os.environ["NUMBA_NUM_THREADS"] == "1"
    assert dict(os.environ) == before


def test_a_fault_loses_one_game_and_no_other(player_folder: Path, tmp_path: Path) -> None:
    """A fault, even a BaseException, loses only its game, and is in the document and the page."""
    files = ["--html", tmp_path / "page.html"]
    done = run(*TWO, "interrupting,random", "--json", *files, PYTHONPATH=str(player_folder))
    assert done.returncode == 0
    first, second = json.loads(done.stdout)["players"]
    assert (first["games"], first["faults"], second["faults"], second["reasons"]) == (2, 1, 0, [])
    assert first["reasons"] == [
        "player interrupting, deal 1, seats random, interrupting: seat 2, turn 2: "
        "the player failed: KeyboardInterrupt"
    ]
    assert first["reasons"][0] in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_factory_that_fails_in_a_worker_loses(player_folder: Path) -> None:
    """A factory that fails only in a worker process loses its games."""
    done = run_fresh(*TWO, "random,moody", "--json", PYTHONPATH=str(player_folder))
    lost = json.loads(done.stdout)["players"][1]
    assert done.returncode == 0 and lost["faults"] == 2
    assert lost["reasons"][0].endswith("turn 2: the player “moody” cannot be created: KeyboardInterrupt")


def test_ctrl_c_is_a_fault_only_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """KeyboardInterrupt stops a match without workers; in a worker it is a fault of the player."""
    from tests.arena.test_tournament import MATCH

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sanssouci.players.RandomPlayer.decide", interrupt)
    with pytest.raises(KeyboardInterrupt):
        MATCH.play((1, 0))
    outcome, _ = MATCH.play((1, 0), ignores_interrupt=True)
    assert outcome.at_fault == {0, 1} and outcome.winners == () and outcome.points == (0, 0)
    assert "the player failed: KeyboardInterrupt" in str(outcome.losses[1].fault)


def test_the_page_is_written_despite_a_closed_pipe(tmp_path: Path) -> None:
    """The page is written even if standard output is closed, as with ``--json | head -c1``."""
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
def test_a_failed_page_still_prints_the_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The figures are printed even if the page cannot be written."""
    from sanssouci.arena import Tournament
    from tests.arena.test_tournament import MATCH

    tournament = Tournament(MATCH, 1)
    tournament.add_outcomes(MATCH.play((1, place))[0] for place in (0, 1))
    with pytest.raises(UserError, match="/proc/page cannot be written"):
        module._write_results(tournament, Path("/proc/page"), force=False, json=True)
    assert json.loads(capsys.readouterr().out)["games"] == 2
