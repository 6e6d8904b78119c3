"""Migrations create exactly the tables that the code declares, in one transaction."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Integer, MetaData

from sanssouci.locale import UserError
from sanssouci.store import Add, Conflict, GuestRow, ReviewRow, Store, migration, sqlite
from sanssouci.store.tables import METADATA

from .builders import add_games, query


def differences(path: Path, metadata: MetaData) -> list[Any]:
    """The changes that Alembic would still make to a file."""
    engine = sqlite.reading_engine(path)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found: list[Any] = compare_metadata(context, metadata)
    engine.dispose()
    return found


def test_migrations_create_the_declared_tables(path: Path) -> None:
    """A new file matches the declared tables, and the comparison does notice an extra column."""
    Store.open(path).close()
    assert differences(path, METADATA) == []
    other = MetaData(naming_convention=METADATA.naming_convention)
    for table in METADATA.sorted_tables:
        table.to_metadata(other)
    other.tables["game"].append_column(Column("extra", Integer))
    assert [change[0] for change in differences(path, other)] == ["add_column"]


def test_the_deadline_index_is_partial(path: Path) -> None:
    """The index of deadlines covers only games with a deadline, which Alembic does not compare."""
    Store.open(path).close()
    (row,) = query(path, "SELECT sql FROM sqlite_master WHERE name = 'ix_game_deadline'")
    assert row[0].endswith("WHERE deadline IS NOT NULL")


def test_opening_again_changes_nothing(path: Path) -> None:
    """Opening an up-to-date file again keeps its tables and rows."""
    with Store.open(path) as store:
        add_games(store, "g", events=2)
    before = query(path, "SELECT * FROM sqlite_master")
    with Store.open(path) as store:
        assert len(store.events("g")) == 2
    assert query(path, "SELECT * FROM sqlite_master") == before
    assert query(path, "SELECT * FROM alembic_version") == [(migration.newest_version(),)]
    assert query(path, "PRAGMA application_id") == [(0x53616E73,)]


def test_migrated_guests_were_last_seen_when_created(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A migrated guest of the first version has its creation time as the time last seen."""
    upgrade = command.upgrade
    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", lambda config, head: upgrade(config, "0001"))
        Store.open(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO guest VALUES ('ada', 'Ada', 5.0)")
    with Store.open(path) as store:
        assert store.guest("ada") == GuestRow("ada", "Ada", 5.0, 5.0)


def test_one_of_two_reviews_of_a_game_is_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finished one, or the older one; others could be made by two servers before version 0009."""
    upgrade = command.upgrade
    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", lambda config, head: upgrade(config, "0008"))
        Store.open(path).close()
    rows = [
        ("unfinished", "ada", "x", 1.0, ""),
        ("finished", "ada", "x", 2.0, "{}"),
        ("older", "ada", "y", 3.0, ""),
        ("newer", "ada", "y", 4.0, ""),
        ("of somebody else", "bob", "x", 5.0, ""),
    ]
    with closing(sqlite3.connect(path)) as connection, connection:
        for guest in ("ada", "bob"):
            connection.execute("INSERT INTO guest VALUES (?, ?, 1.0, 1.0)", (guest, guest))
        columns = "id, guest, subject, created_at, body, record"
        connection.executemany(f"INSERT INTO review ({columns}) VALUES (?, ?, ?, ?, ?, '{{}}')", rows)
    with Store.open(path) as store:
        assert [row.id for row in store.reviews_of("ada")] == ["finished", "older"]
        assert [row.id for row in store.reviews_of("bob")] == ["of somebody else"]
        with pytest.raises(Conflict):
            store.write(Add(ReviewRow("another", "ada", "x", 6.0, "{}", ""))).result()


def test_a_failed_migration_is_rolled_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed migration leaves neither tables nor application id, and the next start succeeds."""
    upgrade = command.upgrade

    def fail(*args: Any) -> None:
        upgrade(*args)
        raise UserError("file.missing")

    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", fail)
        with pytest.raises(UserError):
            Store.open(path)
    assert query(path, "SELECT * FROM sqlite_master") == [] and query(path, "PRAGMA application_id") == [(0,)]
    with Store.open(path) as store:
        add_games(store, "g", events=1)


def test_the_newest_version_is_known_without_alembic(path: Path) -> None:
    """The version read from file names is Alembic's head revision and the version of a new file."""
    folder = Path(migration.__file__).parent / "migrations"
    assert migration.newest_version() == ScriptDirectory(str(folder)).get_current_head()
    Store.open(path).close()
    assert query(path, "SELECT * FROM alembic_version") == [(migration.newest_version(),)]
