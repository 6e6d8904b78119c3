"""One PostgreSQL for all tests of a process, and an empty database for each test; Redis servers."""

from collections.abc import Iterator

import pytest
from sqlalchemy import URL

from sanssouci.store import Store

from .programs import Postgres, Redis, missing, missing_redis, postgres


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


def _redis() -> Iterator[Redis]:
    reason = missing_redis()
    if reason is not None:
        pytest.skip(reason)
    found = Redis()
    try:
        yield found
    finally:
        found.remove()


redis_server = pytest.fixture(_redis)
"""A new Redis for each test, which may stop it."""
shared_redis_server = pytest.fixture(_redis, scope="module")
