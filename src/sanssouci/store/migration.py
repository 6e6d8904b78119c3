"""Schema migrations, in one transaction; a newer schema is left alone."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table

from sanssouci.locale import UserError

from .database import Address

_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = "alembic_version"


def migrate(connection: Connection, address: Address, claim: Callable[[Connection], None]) -> None:
    """Create or upgrade the tables; ``UserError`` if the schema is newer than the program.

    The caller has begun a transaction on the connection, and commits it. ``claim`` is called in it before
    anything is changed.
    """
    if not is_current(connection):
        _check_known(_version(connection), address)
        claim(connection)
        _upgrade(connection)


def is_current(connection: Connection) -> bool:
    return _version(connection) == newest_version()


def newest_version() -> str:
    """The schema version of this program."""
    return max(versions())


def versions() -> set[str]:
    """All schema versions, from the file names of the migrations."""
    return {file.name.partition("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*_*.py")}


def _version(connection: Connection) -> str | None:
    """The schema version of a database, or None if it has no tables."""
    if not inspect(connection).has_table(_VERSION):
        return None
    return connection.execute(select(column("version_num")).select_from(table(_VERSION))).scalar()


def _check_known(version: str | None, address: Address) -> None:
    if version is not None and version not in versions():
        raise UserError("store.newer", path=address)


def _upgrade(connection: Connection) -> None:
    # Imported here because Alembic is slow to import, and players wait for a server that restarts.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
