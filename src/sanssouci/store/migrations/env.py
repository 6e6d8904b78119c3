"""Alembic runs this for every migration; the connection is the one that ``migration.migrate`` was given."""

from alembic import context

from sanssouci.store.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
