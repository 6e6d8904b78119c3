"""``sanssouci admin`` on a data file with a flipped bit: a sentence for each damage, and no traceback."""

import json
from pathlib import Path

import pytest

from .hosting import STAGES, admin, data_file, tamper

SPOILT = {
    "event": ("event", "body", "game = 'c-playing' AND seq = 4"),
    "game": ("game", "summary", "id = 'c-playing'"),
    "holding": ("holding", "guest", "game = 'c-playing'"),
    "token": ("token", "hash", "game = 'c-playing'"),
}


def spoil(path: Path, table: str, column: str, where: str) -> None:
    """Put a byte into a column that no text in UTF-8 has."""
    tamper(path, f"UPDATE {table} SET {column} = CAST(CAST({column} AS BLOB) || x'ff' AS TEXT) WHERE {where}")


@pytest.mark.parametrize("what", SPOILT)
def test_a_check_names_the_damaged_game_and_goes_on(tmp_path: Path, what: str) -> None:
    """Game, table and column are told, and nothing of the row."""
    path = data_file(tmp_path)
    spoil(path, *SPOILT[what])
    done = admin("check", "--data", path)
    table, column, _ = SPOILT[what]
    assert done.exit_code == 1
    assert (
        f"game c-playing: a row of the database table “{table}” is damaged, in the column “{column}”"
        in done.stdout
    )
    assert "answers" not in done.output and "7 games" in done.stderr


def test_a_check_names_the_damaged_guest(tmp_path: Path) -> None:
    """And still looks at the other one, and at all games."""
    path = data_file(tmp_path)
    spoil(path, "guest", "name", "id = 'friedrich'")
    document = json.loads(admin("check", "--data", path, "--json").stdout)
    assert (document["guests"], document["games"]) == (1, len(STAGES))
    assert any("guest friedrich: a row" in fault["reason"] for fault in document["faults"])


@pytest.mark.parametrize("what", ["event", "game"])
def test_an_export_leaves_the_damaged_game_out(tmp_path: Path, what: str) -> None:
    """It names what it leaves out, exits with 1, and writes a file that can be imported elsewhere."""
    path, file = data_file(tmp_path), tmp_path / "games.jsonl"
    spoil(path, *SPOILT[what])
    done = admin("export", file, "--data", path)
    assert done.exit_code == 1 and "game c-playing: a row of the database table" in done.stderr
    assert "c-playing" not in file.read_text(encoding="utf-8")
    done = admin("import", file, "--data", tmp_path / "new.db", "--json")
    assert json.loads(done.stdout) == {"guests": 2, "games": len(STAGES) - 1}


def test_an_export_leaves_a_damaged_guest_out(tmp_path: Path) -> None:
    """The chairs of that guest are held by nobody in the export, so that it can be imported."""
    path, file = data_file(tmp_path), tmp_path / "games.jsonl"
    spoil(path, "guest", "name", "id = 'friedrich'")
    assert admin("export", file, "--data", path).exit_code == 1
    done = admin("import", file, "--data", tmp_path / "new.db", "--json")
    assert json.loads(done.stdout) == {"guests": 1, "games": len(STAGES)}


def test_records_of_sound_games_are_exported(tmp_path: Path) -> None:
    """A damaged game has no record; the command says so."""
    path = data_file(tmp_path)
    spoil(path, "event", "body", "game = 'd-played' AND seq = 4")
    done = admin("export", "--records", tmp_path / "records", "--data", path)
    assert done.exit_code == 1 and "a row of the database table “event” is damaged" in done.stderr
    assert not (tmp_path / "records" / "table-d-played.json").exists()
    assert (tmp_path / "records" / "table-e-given-up.json").exists()


def test_pruning_leaves_what_is_damaged(tmp_path: Path) -> None:
    """A game whose row cannot be read is reported and kept; the others are deleted."""
    path = data_file(tmp_path)
    spoil(path, "game", "summary", "id = 'd-played'")
    done = admin("prune", "--finished", 0, "--games", 0, "--lobbies", 0, "--data", path, "--yes")
    assert done.exit_code == 0 and "game d-played: a row of the database table “game”" in done.stderr
    document = json.loads(admin("check", "--data", path, "--json").stdout)
    assert (document["games"], document["bad_games"]) == (1, 1)


def test_a_backup_copies_damage_as_it_is(tmp_path: Path) -> None:
    """The file itself is sound, so the copy is made; a check of it says the same."""
    path = data_file(tmp_path)
    spoil(path, *SPOILT["event"])
    assert admin("backup", tmp_path / "copy.db", "--data", path).exit_code == 0
    assert "game c-playing" in admin("check", "--data", tmp_path / "copy.db").stdout
