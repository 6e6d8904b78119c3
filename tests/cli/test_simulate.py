"""sanssouci simulate with players of strangers, and with files that are none."""

import csv
import json
import os
from pathlib import Path

import pytest
from pyarrow import parquet

from ..plugins import install, install_all
from .command import mistake, run

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


def test_what_a_player_prints_is_no_result(tmp_path: Path) -> None:
    """One JSON document on standard output, the rest on standard error."""
    strangers = install_all(tmp_path / "strangers")
    done = run("simulate", "--players", "first,random", "--games", 3, "--json", PYTHONPATH=str(strangers))
    assert json.loads(done.stdout)["games"] == 3
    assert "as good as any" in done.stderr


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_fault_names_player_and_game_and_keeps_what_was_done(tmp_path: Path, language: str) -> None:
    """Three games are counted and written; the fourth is told, exit status 1."""
    (tmp_path / "strangers").mkdir()
    path = str(install(tmp_path / "strangers", "tardy", LATE, late="Late"))
    call = ["simulate", "--players", "late,random", "--games", 9, "--out", "r.csv", "--json"]
    done = run(*call, "--lang", language, cwd=tmp_path, PYTHONPATH=path)
    assert done.returncode == 1 and json.loads(done.stdout)["games"] == 3
    assert "late" in done.stderr and "4" in done.stderr and "LookupError: no idea" in done.stderr
    with (tmp_path / "r.csv").open(newline="") as file:
        assert [row["game"] for row in csv.DictReader(file)] == ["1", "1", "2", "2", "3", "3"]


def test_games_that_come_one_by_one_are_written_together(tmp_path: Path) -> None:
    """A Parquet file of 450 games through the rules has three groups of rows, not 450; capitals are fine."""
    strangers = str(install_all(tmp_path / "strangers"))
    call = ["simulate", "--players", "random,first", "--games", 450, "--out", "r.PARQUET", "--json"]
    assert run(*call, cwd=tmp_path, PYTHONPATH=strangers).returncode == 0
    file = parquet.ParquetFile(tmp_path / "r.PARQUET")
    assert (file.metadata.num_rows, file.metadata.num_row_groups) == (900, 3)


def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    """With --force a file is replaced, and nothing else."""
    os.mkfifo(tmp_path / "r.csv")
    assert "r.csv" in mistake("simulate", "--games", 1, "--out", "r.csv", "--force", cwd=tmp_path)
    assert (tmp_path / "r.csv").is_fifo()
