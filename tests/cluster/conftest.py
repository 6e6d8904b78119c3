"""One PostgreSQL for all tests of a process, and an empty database for each test."""

from collections.abc import Iterator

import pytest
from sqlalchemy import URL

from sanssouci.store import Store

from .programs import Postgres, missing, postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    """A PostgreSQL server with a migrated database ``template``."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    with postgres() as found:
        found.run("CREATE DATABASE template")
        Store.open(found.url("template")).close()
        yield found


@pytest.fixture
def url(server: Postgres) -> URL:
    """A database with empty tables."""
    return server.new_database("template")


@pytest.fixture
def store(url: URL) -> Iterator[Store]:
    with Store.open(url) as store:
        yield store
