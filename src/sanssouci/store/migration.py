"""Bringing the tables of a data file up to date, in one transaction; what is newer is left alone."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from sanssouci.locale import Complaint

from . import sqlite

_MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(connection: Connection, path: Path) -> None:
    """Make or change the tables; ``Complaint`` if they are of a newer version than the program.

    The connection is inside a transaction, which the caller commits.
    """
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    version = MigrationContext.configure(connection).get_current_revision()
    if version == scripts.get_current_head():
        return
    if version is not None and version not in {script.revision for script in scripts.walk_revisions()}:
        raise Complaint("store.newer", path=path)
    sqlite.claim(connection)
    command.upgrade(config, "head")
