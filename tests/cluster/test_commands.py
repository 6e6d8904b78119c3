"""The commands of a host on PostgreSQL: moving there and back, maintenance, and mistakes in the settings."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import URL

from sanssouci import store as package
from sanssouci.locale import UserError
from sanssouci.store import Store

from ..cli.command import run
from ..cli.data_files import data_file
from ..store.builders import all_rows
from .programs import PASSWORD, Postgres, postgres_folder

psycopg = pytest.importorskip(
    "psycopg", reason="psycopg is not installed: pip install 'sanssouci-game[cluster]'"
)


def written(url: URL) -> str:
    """A URL as a host writes it."""
    return url.render_as_string(hide_password=False)


@pytest.fixture
def moved(tmp_path: Path, server: Postgres) -> URL:
    """A database with a copy of a data file."""
    url = server.new_database()
    done = run("admin", "copy", data_file(tmp_path), written(url))
    assert done.returncode == 0, done.stderr
    assert PASSWORD not in done.stdout + done.stderr and "7 games" in done.stdout
    return url


def test_a_host_moves_to_postgresql_and_back(moved: URL, tmp_path: Path) -> None:
    """Every row is the same in the end, and the check finds nothing in between."""
    checked = run("admin", "check", "--json", SANSSOUCI_DATA=written(moved))
    found = json.loads(checked.stdout)
    assert (found["games"], found["guests"], found["faults"]) == (7, 2, [])
    back = tmp_path / "back.db"
    assert run("admin", "copy", written(moved), back).returncode == 0
    assert all_rows(back) == all_rows(data_file(tmp_path))


def test_a_copy_needs_an_empty_target(moved: URL, tmp_path: Path) -> None:
    """Nothing is mixed, and a new file that a failed copy has created is removed."""
    again = run("admin", "copy", data_file(tmp_path), written(moved))
    assert again.returncode == 2 and "already contains" in again.stderr
    missing = run("admin", "copy", written(moved.set(port=1)), tmp_path / "new.db")
    assert missing.returncode == 2 and not (tmp_path / "new.db").exists()


def test_a_copy_says_that_tables_are_locked(tmp_path: Path, server: Postgres) -> None:
    """Another program has locked a table of the target: nothing is written, and the data are not blamed."""
    url = server.new_database()
    Store.open(url).close()
    with psycopg.connect(written(url.set(drivername="postgresql"))) as other:
        other.execute("LOCK TABLE event IN SHARE MODE")
        refused = run("admin", "copy", data_file(tmp_path), written(url))
    assert refused.returncode == 2 and "locked the tables" in refused.stderr
    assert run("admin", "copy", data_file(tmp_path), written(url)).returncode == 0


def test_exports_are_the_same_and_can_be_imported(moved: URL, tmp_path: Path, server: Postgres) -> None:
    """An export of the database is byte for byte that of the file; importing it gives the same again."""
    of_file, of_database, again = (tmp_path / name for name in ("file", "database", "again"))
    run("admin", "export", of_file, "--data", data_file(tmp_path))
    run("admin", "export", of_database, SANSSOUCI_DATA=written(moved))
    other = written(server.new_database())
    imported = run("admin", "import", of_database, SANSSOUCI_DATA=other)
    assert imported.returncode == 0, imported.stderr
    run("admin", "export", again, SANSSOUCI_DATA=other)
    assert of_file.read_bytes() == of_database.read_bytes() == again.read_bytes()


def test_prune_deletes_the_same_tables_as_on_sqlite(moved: URL, tmp_path: Path) -> None:
    """Pruning deletes abandoned tables with their guests, and the rest passes the check."""
    words = ("admin", "prune", "--yes", "--json", "--lobbies", "0", "--games", "0", "--finished", "0")
    there = run(*words, SANSSOUCI_DATA=written(moved))
    here = run(*words, "--data", data_file(tmp_path))
    assert there.returncode == here.returncode == 0
    assert json.loads(there.stdout) == json.loads(here.stdout)
    assert run("admin", "check", SANSSOUCI_DATA=written(moved)).returncode == 0
    assert run("admin", "vacuum", SANSSOUCI_DATA=written(moved)).returncode == 0


def test_a_backup_can_be_restored(moved: URL, tmp_path: Path, server: Postgres) -> None:
    """``pg_restore`` of the archive gives a database that passes the check."""
    programs = postgres_folder()
    path = f"{programs}:{os.environ['PATH']}"
    done = run("admin", "backup", tmp_path / "archive", SANSSOUCI_DATA=written(moved), PATH=path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "archive").stat().st_mode & 0o777 == 0o600
    url = server.new_database()
    target = written(url.set(drivername="postgresql"))
    subprocess.run([f"{programs}/pg_restore", "--dbname", target, tmp_path / "archive"], check=True)
    checked = run("admin", "check", "--json", SANSSOUCI_DATA=written(url))
    assert json.loads(checked.stdout)["games"] == 7 and checked.returncode == 0


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("admin", "check")])
def test_mistakes_are_one_sentence_without_the_password(
    command: tuple[str, ...], url: URL, server: Postgres
) -> None:
    """A wrong URL, password, server, database or schema ends the command with status 2."""
    wrong = {
        "the user name or password": written(url.set(password=PASSWORD + "x")),
        "cannot be reached": written(url.set(port=1)),
        "no such database": written(url.set(database="nowhere")),
        "not the URL of a PostgreSQL database": f"mysql://me:{PASSWORD}@localhost/x",
        "the URL of a PostgreSQL": f"postgresql://me:{PASSWORD}@localhost:port/x",
    }
    newer = server.new_database()
    Store.open(newer).close()
    server.run("UPDATE alembic_version SET version_num = '9999'", newer.database or "")
    wrong["version"] = written(newer)
    for sentence, address in wrong.items():
        done = run(*command, SANSSOUCI_DATA=address)
        assert done.returncode == 2, (sentence, done.stderr)
        assert sentence in done.stderr and PASSWORD not in done.stdout + done.stderr
        assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_a_server_without_its_redis_does_not_start(url: URL) -> None:
    """Its address is probably wrong; the sentence does not show the password."""
    for address, sentence in (
        (f"redis://:{PASSWORD}@127.0.0.1:1/0", "cannot be reached"),
        (f"http://:{PASSWORD}@127.0.0.1", "not the URL of a Redis server"),
    ):
        done = run("serve", "--port", "0", SANSSOUCI_DATA=written(url), SANSSOUCI_REDIS=address)
        assert done.returncode == 2 and sentence in done.stderr, done.stderr
        assert PASSWORD not in done.stdout + done.stderr and done.stderr.count("\n") == 1


def test_a_missing_driver_is_named(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra ``cluster``, the sentence says what to install."""
    monkeypatch.delitem(sys.modules, "sanssouci.store.postgres")
    monkeypatch.delattr(package, "postgres")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UserError) as caught:
        Store.open(url)
    assert caught.value.key == "store.no_driver" and "sanssouci-game[cluster]" in str(caught.value)
