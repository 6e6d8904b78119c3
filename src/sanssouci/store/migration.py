"""Schema migrations, in one transaction; a newer schema is left alone."""

from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table

from sanssouci.locale import UserError

from . import sqlite

_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = "alembic_version"


def migrate(connection: Connection, path: Path) -> None:
    """Create or upgrade the tables; ``UserError`` if the schema is newer than the program.

    The caller has begun a transaction on the connection, and commits it.
    """
    if not is_current(connection):
        _upgrade(connection, path, _version(connection))


def is_current(connection: Connection) -> bool:
    return _version(connection) == newest_version()


def newest_version() -> str:
    """The schema version of this program, from the file names of the migrations."""
    return max(file.name.partition("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def _version(connection: Connection) -> str | None:
    """The schema version of a data file, or None if it has no tables."""
    if not inspect(connection).has_table(_VERSION):
        return None
    return connection.execute(select(column("version_num")).select_from(table(_VERSION))).scalar()


def _upgrade(connection: Connection, path: Path, version: str | None) -> None:
    # Imported here because Alembic is slow to import, and players wait for a server that restarts.
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
