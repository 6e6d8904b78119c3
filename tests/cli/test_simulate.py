"""``sanssouci simulate`` with third-party players and special files."""

import csv
import json
import os
from pathlib import Path

import pytest
from pyarrow import parquet

from ..player_packages import install, install_all
from .command import run, usage_error

LATE = '''
    """A player that fails in a later game."""

    from sanssouci.players import RandomPlayer


    class Late(RandomPlayer):
        games = 0

        def decide(self, view):
            Late.games += view.turn < 2
            if Late.games > 3:
                raise LookupError("no idea")
            return super().decide(view)
'''


def test_output_of_players_goes_to_stderr(tmp_path: Path) -> None:
    """Standard output is one JSON document; what players print goes to standard error."""
    player_folder = install_all(tmp_path / "player_folder")
    done = run("simulate", "--players", "first,random", "--games", 3, "--json", PYTHONPATH=str(player_folder))
    assert json.loads(done.stdout)["games"] == 3
    assert "as good as any" in done.stderr


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_fault_is_reported_and_finished_games_are_kept(tmp_path: Path, language: str) -> None:
    """A fault in game 4 is reported with exit status 1, and three games are counted and written."""
    (tmp_path / "player_folder").mkdir()
    path = str(install(tmp_path / "player_folder", "tardy", LATE, late="Late"))
    call = ["simulate", "--players", "late,random", "--games", 9, "--out", "r.csv", "--json"]
    done = run(*call, "--lang", language, cwd=tmp_path, PYTHONPATH=path)
    assert done.returncode == 1 and json.loads(done.stdout)["games"] == 3
    assert "late" in done.stderr and "4" in done.stderr and "LookupError: no idea" in done.stderr
    with (tmp_path / "r.csv").open(newline="") as file:
        assert [row["game"] for row in csv.DictReader(file)] == ["1", "1", "2", "2", "3", "3"]


def test_rows_are_written_in_groups(tmp_path: Path) -> None:
    """A Parquet file of 450 single games has three row groups; the suffix may be upper case."""
    player_folder = str(install_all(tmp_path / "player_folder"))
    call = ["simulate", "--players", "random,first", "--games", 450, "--out", "r.PARQUET", "--json"]
    assert run(*call, cwd=tmp_path, PYTHONPATH=player_folder).returncode == 0
    file = parquet.ParquetFile(tmp_path / "r.PARQUET")
    assert (file.metadata.num_rows, file.metadata.num_row_groups) == (900, 3)


def test_a_named_pipe_is_not_replaced(tmp_path: Path) -> None:
    """--force replaces regular files only."""
    os.mkfifo(tmp_path / "r.csv")
    assert "r.csv" in usage_error("simulate", "--games", 1, "--out", "r.csv", "--force", cwd=tmp_path)
    assert (tmp_path / "r.csv").is_fifo()
