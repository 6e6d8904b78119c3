"""Migrations: they make exactly the tables that the program works with, in one transaction."""

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
from sanssouci.store import GuestRow, Store, migration, sqlite
from sanssouci.store.tables import METADATA

from .builders import begin, look


def differences(path: Path, metadata: MetaData) -> list[Any]:
    """What Alembic would still change in a file."""
    engine = sqlite.reading_engine(path)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found: list[Any] = compare_metadata(context, metadata)
    engine.dispose()
    return found


def test_the_migrated_tables_are_those_of_the_program(path: Path) -> None:
    """From nothing, and nothing is left to do; a column that only one of them has is seen."""
    Store.open(path).close()
    assert differences(path, METADATA) == []
    other = MetaData(naming_convention=METADATA.naming_convention)
    for table in METADATA.sorted_tables:
        table.to_metadata(other)
    other.tables["game"].append_column(Column("extra", Integer))
    assert [change[0] for change in differences(path, other)] == ["add_column"]


def test_indexes_and_partial_ones_too(path: Path) -> None:
    """What Alembic does not compare: which rows the index of deadlines holds."""
    Store.open(path).close()
    (row,) = look(path, "SELECT sql FROM sqlite_master WHERE name = 'ix_game_deadline'")
    assert row[0].endswith("WHERE deadline IS NOT NULL")


def test_opening_again_changes_nothing(path: Path) -> None:
    """A file that is up to date keeps its tables and its rows."""
    with Store.open(path) as store:
        begin(store, "g", events=2)
    before = look(path, "SELECT * FROM sqlite_master")
    with Store.open(path) as store:
        assert len(store.events("g")) == 2
    assert look(path, "SELECT * FROM sqlite_master") == before
    assert look(path, "SELECT * FROM alembic_version") == [("0004",)]
    assert look(path, "PRAGMA application_id") == [(0x53616E73,)]


def test_guests_of_before_were_last_seen_when_they_came(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the first version is brought up to date with all its rows."""
    upgrade = command.upgrade
    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", lambda config, head: upgrade(config, "0001"))
        Store.open(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO guest VALUES ('ada', 'Ada', 5.0)")
    with Store.open(path) as store:
        assert store.guest("ada") == GuestRow("ada", "Ada", 5.0, 5.0)


def test_a_migration_that_breaks_off_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No table, no mark; the next start begins anew."""
    upgrade = command.upgrade

    def break_off(*args: Any) -> None:
        upgrade(*args)
        raise UserError("file.missing")

    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", break_off)
        with pytest.raises(UserError):
            Store.open(path)
    assert look(path, "SELECT * FROM sqlite_master") == [] and look(path, "PRAGMA application_id") == [(0,)]
    with Store.open(path) as store:
        begin(store, "g", events=1)


def test_the_newest_version_is_known_without_alembic(path: Path) -> None:
    """The names of the files say the same as what is in them, and a file that is made has that version."""
    folder = Path(migration.__file__).parent / "migrations"
    assert migration.newest_version() == ScriptDirectory(str(folder)).get_current_head()
    Store.open(path).close()
    assert look(path, "SELECT * FROM alembic_version") == [(migration.newest_version(),)]
