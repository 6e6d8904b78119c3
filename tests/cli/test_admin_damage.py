"""``sanssouci admin`` on a data file with invalid UTF-8: one sentence each, and no traceback."""

import json
from pathlib import Path

import pytest

from .data_files import STAGES, admin, data_file, tamper

DAMAGED_COLUMNS = {
    "event": ("event", "body", "game = 'c-playing' AND seq = 4"),
    "game": ("game", "summary", "id = 'c-playing'"),
    "holding": ("holding", "guest", "game = 'c-playing'"),
    "token": ("token", "hash", "game = 'c-playing'"),
}


def corrupt(path: Path, table: str, column: str, where: str) -> None:
    """Append a byte to a text column that makes it invalid UTF-8."""
    tamper(path, f"UPDATE {table} SET {column} = CAST(CAST({column} AS BLOB) || x'ff' AS TEXT) WHERE {where}")


@pytest.mark.parametrize("case", DAMAGED_COLUMNS)
def test_check_reports_the_damaged_game_and_continues(tmp_path: Path, case: str) -> None:
    """The report has the game, the database table and the column, but no content of the row."""
    path = data_file(tmp_path)
    corrupt(path, *DAMAGED_COLUMNS[case])
    done = admin("check", "--data", path)
    table, column, _ = DAMAGED_COLUMNS[case]
    assert done.exit_code == 1
    assert (
        f"game c-playing: a row of the database table “{table}” is damaged, in the column “{column}”"
        in done.stdout
    )
    assert "answers" not in done.output and "7 games" in done.stderr


def test_check_reports_the_damaged_guest(tmp_path: Path) -> None:
    """A damaged guest is reported, and the other guests and all games are still checked."""
    path = data_file(tmp_path)
    corrupt(path, "guest", "name", "id = 'friedrich'")
    document = json.loads(admin("check", "--data", path, "--json").stdout)
    assert (document["guests"], document["games"]) == (1, len(STAGES))
    assert any("guest friedrich: a row" in fault["reason"] for fault in document["faults"])


@pytest.mark.parametrize("case", ["event", "game"])
def test_export_skips_a_damaged_game(tmp_path: Path, case: str) -> None:
    """The export reports the skipped game, exits with 1, and writes a file that can be imported."""
    path, file = data_file(tmp_path), tmp_path / "games.jsonl"
    corrupt(path, *DAMAGED_COLUMNS[case])
    done = admin("export", file, "--data", path)
    assert done.exit_code == 1 and "game c-playing: a row of the database table" in done.stderr
    assert "c-playing" not in file.read_text(encoding="utf-8")
    done = admin("import", file, "--data", tmp_path / "new.db", "--json")
    assert json.loads(done.stdout) == {"guests": 2, "games": len(STAGES) - 1}


def test_export_skips_a_damaged_guest(tmp_path: Path) -> None:
    """The guest's chairs are free in the export, so that it can be imported."""
    path, file = data_file(tmp_path), tmp_path / "games.jsonl"
    corrupt(path, "guest", "name", "id = 'friedrich'")
    assert admin("export", file, "--data", path).exit_code == 1
    done = admin("import", file, "--data", tmp_path / "new.db", "--json")
    assert json.loads(done.stdout) == {"guests": 1, "games": len(STAGES)}


def test_export_writes_records_of_intact_games(tmp_path: Path) -> None:
    """Records of intact games are written; a damaged game is reported and has no record."""
    path = data_file(tmp_path)
    corrupt(path, "event", "body", "game = 'd-played' AND seq = 4")
    done = admin("export", "--records", tmp_path / "records", "--data", path)
    assert done.exit_code == 1 and "a row of the database table “event” is damaged" in done.stderr
    assert not (tmp_path / "records" / "table-d-played.json").exists()
    assert (tmp_path / "records" / "table-e-given-up.json").exists()


def test_prune_keeps_damaged_games(tmp_path: Path) -> None:
    """A game whose row cannot be read is reported and kept; the others are deleted."""
    path = data_file(tmp_path)
    corrupt(path, "game", "summary", "id = 'd-played'")
    done = admin("prune", "--finished", 0, "--games", 0, "--lobbies", 0, "--data", path, "--yes")
    assert done.exit_code == 0 and "game d-played: a row of the database table “game”" in done.stderr
    document = json.loads(admin("check", "--data", path, "--json").stdout)
    assert (document["games"], document["bad_games"]) == (1, 1)


def test_backup_copies_damaged_rows(tmp_path: Path) -> None:
    """A backup copies damaged rows unchanged, and a check of the copy reports them."""
    path = data_file(tmp_path)
    corrupt(path, *DAMAGED_COLUMNS["event"])
    assert admin("backup", tmp_path / "copy.db", "--data", path).exit_code == 0
    assert "game c-playing" in admin("check", "--data", tmp_path / "copy.db").stdout
