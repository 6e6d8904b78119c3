"""``sanssouci admin``: backup, export, import and prune, on real data files and beside a real server."""

import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest

from sanssouci.locale import UserError
from sanssouci.store import AddGuest, GuestRow, Store
from sanssouci.table import make_settings

from ..store.builders import everything, look
from ..table.host import PERSON, Host
from .command import mistake, run
from .hosting import GUESTS, STAGES, admin, data_file, keep, post, running_server, tamper
from .terminal import Terminal

NOW = time.time()
DAY = 86_400


def refused(*arguments: object) -> str:
    """Why a command does nothing, in English."""
    done = admin(*arguments)
    assert done.exit_code and done.stdout == "" and isinstance(done.exception, UserError)
    return str(done.exception)


def games(path: Path) -> set[str]:
    """The games in a data file."""
    return {row[0] for row in look(path, "SELECT id FROM game")}


def test_help_teaches() -> None:
    """Every command is listed; without one there is help too."""
    text = admin().stdout
    assert all(name in text for name in ("backup", "check", "export", "import", "prune"))


def test_the_data_file_is_named_as_for_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By option, by environment, else in the user's state folder; other settings need not be right."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("SANSSOUCI_PORT", "many")
    monkeypatch.setenv("SANSSOUCI_DATA", str(data_file(tmp_path)))
    assert admin("check").exit_code == 0
    monkeypatch.setenv("SANSSOUCI_DATA", "")
    assert str(tmp_path / "state/sanssouci/tables.db") in refused("check")
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("command", ["check", "export x.jsonl", "prune --yes", "backup x.db"])
def test_without_a_data_file_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """One sentence with the name of the file."""
    monkeypatch.chdir(tmp_path)
    assert "no data file" in refused(*command.split(), "--data", "none.db")
    assert list(tmp_path.iterdir()) == []


def test_what_is_exported_can_be_imported(tmp_path: Path) -> None:
    """Into an empty file: all rows are equal, all is well, and exported again it is the same text."""
    path, target = data_file(tmp_path), tmp_path / "new" / "tables.db"
    done = run("admin", "export", "games.jsonl", "--data", path, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == "games.jsonl: 2 guests and 7 games\n"
    assert stat.S_IMODE((tmp_path / "games.jsonl").stat().st_mode) == 0o600
    read = admin("import", tmp_path / "games.jsonl", "--data", target)
    assert read.exit_code == 0 and "7 games" in read.stdout
    assert everything(target) == everything(path)
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
def test_a_game_that_is_not_sound_is_not_let_in(tmp_path: Path, wrong: str) -> None:
    """The sentence names it, and no other game of the file is let in either."""
    path, target = data_file(tmp_path), tmp_path / "target.db"
    tamper(path, wrong)
    assert admin("export", tmp_path / "games.jsonl", "--data", path).exit_code == 0
    assert "c-playing" in refused("import", tmp_path / "games.jsonl", "--data", target)
    assert list(tmp_path.glob("target*")) == [], "a file for nothing is not left behind"
    Store.open(target).close()
    assert "c-playing" in refused("import", tmp_path / "games.jsonl", "--data", target)
    assert all(rows == [] for rows in everything(target).values()), "one that was there stays, as it was"


def test_a_torn_or_altered_export_is_not_let_in(tmp_path: Path) -> None:
    """Nor anything else; nothing of it is kept."""
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


def test_records_of_finished_games(tmp_path: Path) -> None:
    """One for each game that is over, proved; those that are played stay secret."""
    path, folder = data_file(tmp_path), tmp_path / "records"
    assert "name a file" in refused("export", "--data", path)
    done = admin("export", "--records", folder, "--data", path)
    assert done.exit_code == 0 and "3 records" in done.stdout
    names = sorted(file.name for file in folder.iterdir())
    assert names == ["table-d-played.json", "table-e-given-up.json", "table-g-gone-on.json"]
    assert run("verify", "--seed", *(folder / name for name in names[:2])).returncode == 0
    assert run("verify", folder / names[2]).returncode == 0
    assert run("verify", "--seed", folder / names[2]).returncode == 1, "nobody has dealt it from a seed"
    assert "--force" in refused("export", "--records", folder, "--data", path)
    tamper(path, "UPDATE secret SET seed = zeroblob(32) WHERE game = 'd-played'")
    again = admin("export", "--records", folder, "--data", path, "--force", "--json")
    document: dict[str, Any] = json.loads(again.stdout)
    assert again.exit_code == 1 and (document["records"], document["bad"]) == (2, 1)
    assert "d-played" in again.stderr and sorted(file.name for file in folder.iterdir()) == names[1:]


def test_a_game_with_a_strange_name_writes_nowhere_else(tmp_path: Path) -> None:
    """The name of a game may come from a file that somebody else has made."""
    path, folder = data_file(tmp_path), tmp_path / "records"
    with Store.open(path) as store:
        keep(
            store, Host(make_settings(2, "imperial", []), [PERSON] * 2, name="../../up").start().pick().end()
        )
    assert admin("export", "--records", folder, "--data", path).exit_code == 0
    assert len(list(folder.iterdir())) == 4 and (folder / "table-..%2F..%2Fup.json").exists()
    assert admin("export", "--records", folder, "--data", path, "--force").exit_code == 0


def aged(path: Path) -> Path:
    """The lobby was quiet for 8 days, all others for 91, but for one in which somebody may still think."""
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
def test_abandoned_tables_are_deleted(tmp_path: Path, options: str) -> None:
    """Lobbies after 7 quiet days, games after 90, finished ones never, unless something else is said."""
    path = aged(data_file(tmp_path))
    before = everything(path)
    dry = admin("prune", "--data", path, "--dry-run", *options.split())
    assert dry.exit_code == 0 and {line.split()[0] for line in dry.stdout.splitlines()} == PRUNED[options]
    assert everything(path) == before
    done = admin("prune", "--data", path, "--yes", "--json", *options.split())
    document = json.loads(done.stdout)
    assert document["deleted"] and {table["table"] for table in document["tables"]} == PRUNED[options]
    after = everything(path)
    for table in ("game", "secret", "event", "token", "holding", "barred"):
        assert after[table] == [row for row in before[table] if not PRUNED[options] & set(map(str, row))]
    assert after["guest"] == before["guest"] and document["guests"] == 0


GONE: dict[str, set[str]] = {
    "": {"voltaire"},
    "--guests 92": set(),
    "--guests 0": {"voltaire", "maupertuis"},
    "--games 0 --lobbies 0 --finished 0": {"voltaire", *GUESTS},
}


@pytest.mark.parametrize("options", GONE)
def test_guests_without_a_table_go_when_they_stay_away(tmp_path: Path, options: str) -> None:
    """After 90 days, or as is said; those too whose last table goes now. Who was here lately stays."""
    path = data_file(tmp_path)
    with Store.open(path) as store:
        for name, days in (("voltaire", 91), ("maupertuis", 1)):
            seen = NOW - days * DAY
            store.write(AddGuest(GuestRow(name, name.title(), 0.0, seen))).result()
    before = {row[0] for row in everything(path)["guest"]}
    dry = admin("prune", "--data", path, "--dry-run", *options.split())
    assert dry.exit_code == 0 and f"{len(GONE[options])} guest" in dry.stderr
    done = admin("prune", "--data", path, "--yes", "--json", *options.split())
    assert json.loads(done.stdout)["guests"] == len(GONE[options])
    after = everything(path)
    assert {row[0] for row in after["guest"]} == before - GONE[options]
    assert {row[4] for row in after["token"]} & GONE[options] == set()
    assert admin("check", "--data", path).exit_code == 0


def test_nothing_is_deleted_unasked(tmp_path: Path) -> None:
    """Where nobody can be asked --yes is needed; whoever is asked may say no, in any language."""
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
def test_days_that_are_none(tmp_path: Path, option: str, days: str) -> None:
    """A sentence with the option, before anything is opened."""
    assert option in refused("prune", "--data", tmp_path / "none.db", option, days, "--yes")


def test_beside_a_running_server(tmp_path: Path) -> None:
    """What changes the data is refused with the server's address; the server goes on as before."""
    path, file = data_file(tmp_path), tmp_path / "games.jsonl"
    assert admin("export", file, "--data", path).exit_code == 0
    copy = tmp_path / "copy.db"
    with running_server(path, tmp_path / "log") as (process, url):
        for command in (f"import {file}", "prune --yes", "prune --dry-run"):
            assert url in refused(*command.split(), "--data", path)
        done = run("admin", "backup", copy, "--data", path)
        assert done.returncode == 0 and "copy.db" in done.stdout
        assert "--force" in mistake("admin", "backup", copy, "--data", path)
        assert url in refused("backup", path, "--data", copy, "--force"), "never over a server's file"
        guest = post(f"{url}/api/guests", {"name": "Ada", "cookie": False})
        json_copy = admin("backup", copy, "--data", path, "--force", "--json")
        assert json.loads(json_copy.stdout)["bytes"] == copy.stat().st_size
        assert process.is_alive()
    assert guest["token"] and look(copy, "SELECT count(*) FROM guest") == [(3,)], "what was kept is copied"
    for data in (copy, path):
        assert admin("check", "--data", data).exit_code == 0
    copied, kept = everything(copy), everything(path)
    for table in ("guest", "secret", "token", "holding", "barred", "review"):
        assert copied[table] == kept[table]
    assert set(copied["event"]) <= set(kept["event"]), "on a slow machine a clock may run out after the copy"


def test_a_server_is_checked_and_exported_while_people_play(tmp_path: Path) -> None:
    """Each time one sound moment: an export can be imported, and the server has lost and refused nothing."""
    path = data_file(tmp_path)
    with running_server(path, tmp_path / "log", SANSSOUCI_RATES="create=600/minute") as (process, url):
        guest = post(f"{url}/api/guests", {"name": "Ada", "cookie": False})
        computer = {"sitter": "computer", "player": "random"}
        table = {"chairs": [computer, computer], "edition": "imperial", "expansions": []}
        for number in range(3):
            post(f"{url}/api/tables", table, guest["token"])
            checked = admin("check", "--data", path, "--json")
            assert checked.exit_code == 0, checked.stdout
            counted = json.loads(checked.stdout)
            assert counted["games"] == 8 + number and counted["guests"] == 3 and counted["faults"] == []
            file = tmp_path / f"games-{number}.jsonl"
            assert admin("export", file, "--data", path, "--records", tmp_path / f"r{number}").exit_code == 0
            assert url in refused("prune", "--yes", "--data", path), "it is still the server's"
        assert process.is_alive()
    for number in range(3):
        target = tmp_path / f"new-{number}.db"
        read = json.loads(
            admin("import", tmp_path / f"games-{number}.jsonl", "--data", target, "--json").stdout
        )
        assert read == {"guests": 3, "games": 8 + number}
    assert admin("check", "--data", path).exit_code == 0 and len(games(path)) == 10
