"""``sanssouci admin``: backup, export, import and prune, on real data files and next to a real server."""

import json
import os
import stat
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pexpect
import pytest

from sanssouci.locale import UserError
from sanssouci.store import Add, GuestRow, Store
from sanssouci.store.export_rows import write_line
from sanssouci.table import make_settings

from ..store.builders import all_rows, query
from ..table.hosted_table import PERSON, Host
from .command import run, usage_error
from .data_files import GUESTS, STAGES, admin, computer_game, data_file, running_server, store_game, tamper
from .terminal import Terminal

NOW = time.time()
DAY = 86_400


def refused(*arguments: object) -> str:
    """Run an invalid command and return its error message in English."""
    done = admin(*arguments)
    assert done.exit_code and done.stdout == "" and isinstance(done.exception, UserError)
    return str(done.exception)


def games(path: Path) -> set[str]:
    """The ids of the games in a data file."""
    return {row[0] for row in query(path, "SELECT id FROM game")}


def test_help_describes_every_command() -> None:
    """Help lists every command, and is shown if no command is given."""
    text = admin().stdout
    assert all(name in text for name in ("backup", "check", "export", "import", "prune"))


def test_the_data_file_is_found_as_by_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data file comes from the environment or the state folder; invalid other settings do not matter."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("SANSSOUCI_PORT", "many")
    monkeypatch.setenv("SANSSOUCI_DATA", str(data_file(tmp_path)))
    assert admin("check").exit_code == 0
    monkeypatch.setenv("SANSSOUCI_DATA", "")
    assert str(tmp_path / "state/sanssouci/tables.db") in refused("check")
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("command", ["check", "export x.jsonl", "prune --yes", "backup x.db"])
def test_a_missing_data_file_is_not_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """A missing data file is reported with its name, and no file is created."""
    monkeypatch.chdir(tmp_path)
    assert "no data file" in refused(*command.split(), "--data", "none.db")
    assert list(tmp_path.iterdir()) == []


def test_export_and_import_round_trip(tmp_path: Path) -> None:
    """Importing an export into an empty file restores all rows, and exporting again gives the same text."""
    path, target = data_file(tmp_path), tmp_path / "new" / "tables.db"
    done = run("admin", "export", "games.jsonl", "--data", path, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == "games.jsonl: 2 guests and 7 games\n"
    assert stat.S_IMODE((tmp_path / "games.jsonl").stat().st_mode) == 0o600
    read = admin("import", tmp_path / "games.jsonl", "--data", target)
    assert read.exit_code == 0 and "7 games" in read.stdout
    assert all_rows(target) == all_rows(path)
    assert admin("check", "--data", target).exit_code == 0
    counted = json.loads(admin("export", tmp_path / "again.jsonl", "--data", target, "--json").stdout)
    assert (counted["guests"], counted["games"]) == (2, 7)
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "games.jsonl").read_bytes()
    assert "already exists here" in refused("import", tmp_path / "games.jsonl", "--data", target)
    assert "--force" in refused("export", tmp_path / "games.jsonl", "--data", target)
    assert admin("export", tmp_path / "games.jsonl", "--data", target, "--force").exit_code == 0


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE secret SET seed = zeroblob(32) WHERE game = 'c-playing'",
        "UPDATE game SET waiting = 0 WHERE id = 'c-playing'",
        "UPDATE token SET chair = 3 WHERE game = 'c-playing' AND chair = 1",
        "UPDATE event SET body = body || ' ' WHERE game = 'c-playing' AND seq = 4",
    ],
)
def test_an_invalid_game_is_not_imported(tmp_path: Path, wrong: str) -> None:
    """An invalid game is reported by name, and nothing of the file is imported."""
    path, target = data_file(tmp_path), tmp_path / "target.db"
    tamper(path, wrong)
    assert admin("export", tmp_path / "games.jsonl", "--data", path).exit_code == 0
    assert "c-playing" in refused("import", tmp_path / "games.jsonl", "--data", target)
    assert list(tmp_path.glob("target*")) == [], "no empty file is left behind"
    Store.open(target).close()
    assert "c-playing" in refused("import", tmp_path / "games.jsonl", "--data", target)
    assert all(rows == [] for rows in all_rows(target).values()), "an existing file stays unchanged"


def test_a_corrupt_export_is_not_imported(tmp_path: Path) -> None:
    """A truncated, altered or foreign file is refused, and no file or folder is created."""
    path, target, file = data_file(tmp_path), tmp_path / "new" / "er" / "target.db", tmp_path / "games.jsonl"
    assert admin("export", file, "--data", path).exit_code == 0
    whole = file.read_bytes()
    for data in (
        whole[:-10],
        whole[: len(whole) // 2],
        whole.replace(b"Ada", b"Eve"),
        b"",
        b"{}\n",
        path.read_bytes(),
    ):
        file.write_bytes(data)
        assert refused("import", file, "--data", target)
        assert not (tmp_path / "new").exists(), "no file, no folder"
    assert refused("import", tmp_path / "none.jsonl", "--data", target)
    assert not (tmp_path / "new").exists()


def test_export_writes_records_of_finished_games(tmp_path: Path) -> None:
    """``export --records`` writes a verified record for each finished game, and none for running games."""
    path, folder = data_file(tmp_path), tmp_path / "records"
    assert "name a file" in refused("export", "--data", path)
    done = admin("export", "--records", folder, "--data", path)
    assert done.exit_code == 0 and "3 records" in done.stdout
    names = sorted(file.name for file in folder.iterdir())
    assert names == ["table-d-played.json", "table-e-given-up.json", "table-g-gone-on.json"]
    assert run("verify", "--seed", *(folder / name for name in names[:2])).returncode == 0
    assert run("verify", folder / names[2]).returncode == 0
    assert run("verify", "--seed", folder / names[2]).returncode == 1, "a continued game has no seed"
    assert "--force" in refused("export", "--records", folder, "--data", path)
    tamper(path, "UPDATE secret SET seed = zeroblob(32) WHERE game = 'd-played'")
    again = admin("export", "--records", folder, "--data", path, "--force", "--json")
    document: dict[str, Any] = json.loads(again.stdout)
    assert again.exit_code == 1 and (document["records"], document["bad"]) == (2, 1)
    assert "d-played" in again.stderr and sorted(file.name for file in folder.iterdir()) == names[1:]


def test_a_game_id_cannot_escape_the_folder(tmp_path: Path) -> None:
    """A game id with path separators is escaped in the file name of its record."""
    path, folder = data_file(tmp_path), tmp_path / "records"
    with Store.open(path) as store:
        store_game(
            store, Host(make_settings(2, "imperial", []), [PERSON] * 2, name="../../up").start().pick().end()
        )
    assert admin("export", "--records", folder, "--data", path).exit_code == 0
    assert len(list(folder.iterdir())) == 4 and (folder / "table-..%2F..%2Fup.json").exists()
    assert admin("export", "--records", folder, "--data", path, "--force").exit_code == 0


def aged(path: Path) -> Path:
    """Make the lobby 8 days old and all games 91 days, one of them with a deadline in the future."""
    tamper(
        path,
        f"UPDATE game SET updated_at = {NOW - 91 * DAY}",
        f"UPDATE game SET updated_at = {NOW - 8 * DAY} WHERE id = 'a-lobby'",
        f"UPDATE game SET deadline = {NOW + 9 * DAY} WHERE id = 'c-playing'",
    )
    return path


PRUNED: dict[str, set[str]] = {
    "": {"a-lobby", "b-picking", "f-gone-on"},
    "--lobbies 9": {"b-picking", "f-gone-on"},
    "--games 92": {"a-lobby"},
    "--finished 90": {"a-lobby", "b-picking", "d-played", "e-given-up", "f-gone-on", "g-gone-on"},
    "--finished 92": {"a-lobby", "b-picking", "f-gone-on"},
    "--lobbies 0 --games 36500": {"a-lobby"},
}


@pytest.mark.parametrize("options", PRUNED)
def test_prune_deletes_abandoned_tables(tmp_path: Path, options: str) -> None:
    """By default, lobbies are deleted after 7 idle days, games after 90, and finished games never."""
    path = aged(data_file(tmp_path))
    before = all_rows(path)
    dry = admin("prune", "--data", path, "--dry-run", *options.split())
    assert dry.exit_code == 0 and {line.split()[0] for line in dry.stdout.splitlines()} == PRUNED[options]
    assert all_rows(path) == before
    done = admin("prune", "--data", path, "--yes", "--json", *options.split())
    document = json.loads(done.stdout)
    assert document["deleted"] and {table["table"] for table in document["tables"]} == PRUNED[options]
    after = all_rows(path)
    for table in ("game", "secret", "event", "token", "holding", "barred"):
        assert after[table] == [row for row in before[table] if not PRUNED[options] & set(map(str, row))]
    assert after["guest"] == before["guest"] and document["guests"] == 0


PRUNED_GUESTS: dict[str, set[str]] = {
    "": {"voltaire"},
    "--guests 92": set(),
    "--guests 0": {"voltaire", "maupertuis"},
    "--games 0 --lobbies 0 --finished 0": {"voltaire", *GUESTS},
}


@pytest.mark.parametrize("options", PRUNED_GUESTS)
def test_prune_deletes_absent_guests_without_a_table(tmp_path: Path, options: str) -> None:
    """Guests without a table, also one deleted now, are deleted after 90 days by default."""
    path = data_file(tmp_path)
    with Store.open(path) as store:
        for name, days in (("voltaire", 91), ("maupertuis", 1)):
            seen = NOW - days * DAY
            store.write(Add(GuestRow(name, name.title(), 0.0, seen))).result()
    before = {row[0] for row in all_rows(path)["guest"]}
    dry = admin("prune", "--data", path, "--dry-run", *options.split())
    assert dry.exit_code == 0 and f"{len(PRUNED_GUESTS[options])} guest" in dry.stderr
    done = admin("prune", "--data", path, "--yes", "--json", *options.split())
    assert json.loads(done.stdout)["guests"] == len(PRUNED_GUESTS[options])
    after = all_rows(path)
    assert {row[0] for row in after["guest"]} == before - PRUNED_GUESTS[options]
    assert {row[4] for row in after["token"]} & PRUNED_GUESTS[options] == set()
    assert admin("check", "--data", path).exit_code == 0


def test_prune_asks_for_confirmation(tmp_path: Path) -> None:
    """Without a terminal, prune requires --yes; on a terminal it asks, in the chosen language."""
    path = aged(data_file(tmp_path))
    assert "--yes" in str(admin("prune", "--data", path).exception)
    for lang, answer, kept in (("en", "no", True), ("de", "ja", False)):
        with Terminal("admin", "prune", "--data", path, "--lang", lang, environment=os.environ) as prompt:
            prompt.expect([r"\(yes, no\)", r"\(ja, nein\)"])
            prompt.sendline(answer)
            prompt.expect(pexpect.EOF)
            assert prompt.exit_status() == 0 and (games(path) == set(STAGES)) is kept
    again = admin("prune", "--data", path)
    assert again.exit_code == 0 and "0 tables" in again.stderr


@pytest.mark.parametrize("option", ["--lobbies", "--games", "--finished", "--guests"])
@pytest.mark.parametrize("days", ["-1", "36501"])
def test_invalid_numbers_of_days_are_refused(tmp_path: Path, option: str, days: str) -> None:
    """An invalid number of days is reported with its option before the data file is opened."""
    assert option in refused("prune", "--data", tmp_path / "none.db", option, days, "--yes")


def test_commands_that_write_while_a_server_runs(tmp_path: Path) -> None:
    """Import, prune and vacuum work beside a server, which goes on storing games."""
    path, file = aged(data_file(tmp_path)), tmp_path / "games.jsonl"
    (tmp_path / "other").mkdir()
    assert admin("export", file, "--data", data_file(tmp_path / "other")).exit_code == 0
    with running_server(path, tmp_path / "log") as server:
        computer_game(server)
        assert "already exists here" in refused("import", file, "--data", path)
        before = games(path)
        pruned = json.loads(admin("prune", "--yes", "--finished", "90", "--json", "--data", path).stdout)
        assert pruned["deleted"] and len(before - games(path)) == len(pruned["tables"]) == 6
        shrunk = json.loads(admin("vacuum", "--json", "--data", path).stdout)
        assert shrunk["bytes_after"] < shrunk["bytes_before"]
        tamper(path, "DELETE FROM expired")
        keep_only(file, "d-played")
        assert admin("import", file, "--data", path, "--json").exit_code == 0 and "d-played" in games(path)
        computer_game(server)
        path.with_name("tables.db.lock").unlink()
        assert admin("prune", "--yes", "--data", path).exit_code == 0, "the server says which file it uses"
        path.with_name("tables.db.lock").unlink()
        path.with_name("tables.db.server").unlink()
        assert "in use" in refused("prune", "--yes", "--data", path), "is it the same file?"
        assert server.is_running
    checked = json.loads(admin("check", "--data", path, "--json").stdout)
    assert {fault["game"] for fault in checked["faults"]} == {"c-playing"}, "only its time was changed above"


def keep_only(file: Path, game: str) -> None:
    """Remove all other games from an export."""
    lines = file.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines[:-1] if b'{"game"' not in line[:8] or game.encode() in line[:80]]
    end = {"guests": len(kept) - 2, "games": 1, "sha256": sha256(b"".join(kept)).hexdigest()}
    file.write_bytes(b"".join(kept) + write_line({"end": end}))


def test_a_backup_while_a_server_runs(tmp_path: Path) -> None:
    """A backup of a running server is a snapshot; it never overwrites the server's own file."""
    path, copy = data_file(tmp_path), tmp_path / "copy.db"
    with running_server(path, tmp_path / "log") as server:
        url = server.url
        done = run("admin", "backup", copy, "--data", path)
        assert done.returncode == 0 and "copy.db" in done.stdout
        assert "--force" in usage_error("admin", "backup", copy, "--data", path)
        assert url in refused("backup", path, "--data", copy, "--force"), (
            "a backup never overwrites a server's file"
        )
        computer_game(server)
        json_copy = admin("backup", copy, "--data", path, "--force", "--json")
        assert json.loads(json_copy.stdout)["bytes"] == copy.stat().st_size
        assert server.is_running
    assert query(copy, "SELECT count(*) FROM guest") == [(3,)], "the backup has the new guest"
    for data in (copy, path):
        assert admin("check", "--data", data).exit_code == 0
    copied, kept = all_rows(copy), all_rows(path)
    for table in ("guest", "secret", "token", "holding", "barred", "review"):
        assert copied[table] == kept[table]
    assert set(copied["event"]) <= set(kept["event"]), "on a slow machine a clock may run out after the copy"


def test_check_and_export_work_while_a_server_runs(tmp_path: Path) -> None:
    """Check and export of a running server see a consistent snapshot, and the server loses nothing."""
    path = data_file(tmp_path)
    with running_server(path, tmp_path / "log") as server:
        for number in range(3):
            computer_game(server)
            checked = admin("check", "--data", path, "--json")
            assert checked.exit_code == 0, checked.stdout
            counted = json.loads(checked.stdout)
            assert (
                counted["games"] == 8 + number and counted["guests"] == 3 + number and counted["faults"] == []
            )
            file = tmp_path / f"games-{number}.jsonl"
            assert admin("export", file, "--data", path, "--records", tmp_path / f"r{number}").exit_code == 0
        assert server.is_running
    for number in range(3):
        target = tmp_path / f"new-{number}.db"
        read = json.loads(
            admin("import", tmp_path / f"games-{number}.jsonl", "--data", target, "--json").stdout
        )
        assert read == {"guests": 3 + number, "games": 8 + number}
    assert admin("check", "--data", path).exit_code == 0 and len(games(path)) == 10
