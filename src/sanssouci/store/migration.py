"""Bringing the tables of a data file up to date, in one transaction; what is newer is left alone."""

from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table

from sanssouci.locale import UserError

from . import sqlite

_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = "alembic_version"


def migrate(connection: Connection, path: Path) -> None:
    """Make or change the tables; ``UserError`` if they are of a newer version than the program.

    The connection is inside a transaction, which the caller commits.
    """
    if not is_current(connection):
        _upgrade(connection, path, _version(connection))


def is_current(connection: Connection) -> bool:
    """Whether the tables are those that the program works with."""
    return _version(connection) == newest_version()


def newest_version() -> str:
    """The version that the program works with: the file of every migration begins with its own."""
    return max(file.name.partition("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def _version(connection: Connection) -> str | None:
    """The version of the tables, or None if there are none."""
    if not inspect(connection).has_table(_VERSION):
        return None
    return connection.execute(select(column("version_num")).select_from(table(_VERSION))).scalar()


def _upgrade(connection: Connection, path: Path, version: str | None) -> None:
    # Alembic takes long to import, and a server that is started again after a fault has people waiting.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    if version is not None and version not in {script.revision for script in scripts.walk_revisions()}:
        raise UserError("store.newer", path=path)
    sqlite.claim(connection)
    command.upgrade(config, "head")
