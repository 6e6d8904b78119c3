"""The ``sanssouci`` command with a planted fault: ``python -m … PLANT serve``."""

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..harness.process import ServerProcess

SLOW = 0.25
"""Seconds that a commit takes on a slow disk."""


class Plant(StrEnum):
    """A planted fault."""

    NOTHING = "nothing"
    SLOW_DISK = "slow-disk"
    """Not a fault: a server must wait for it."""
    TOO_EARLY = "too-early"
    """On a slow disk, commands are acknowledged before the commit."""
    FORGETS_IDS = "forgets-ids"
    """On a slow disk, a reloaded table has forgotten the ids of executed commands."""
    FAILS_ON_BAD_REQUESTS = "fails-on-bad-requests"
    """Malformed requests are answered 500."""
    GRANTS_ALL = "grants-all"
    """Every caller gets the rights of the owner and all chairs."""
    IGNORES_WRITE_ERRORS = "ignores-write-errors"
    """Failed writes are acknowledged."""
    ALWAYS_READY = "always-ready"
    """The server always reports ready."""
    NEVER_RECOVERS = "never-recovers"
    """After one failed write, the store accepts no more."""


def nothing() -> None:
    """No fault."""


def slow_disk(before: float = 0.0, after: float = SLOW) -> None:
    """Delay every commit, before or after it."""
    from sanssouci.store.writer import Writer

    commit: Callable[[Writer, Any], Any] = Writer._commit

    def commit_slowly(self: Writer, batch: Any) -> Any:
        time.sleep(before)
        done = commit(self, batch)
        time.sleep(after)
        return done

    Writer._commit = commit_slowly  # type: ignore[method-assign]


def too_early() -> None:
    """The table registry does not wait for the store."""
    from sanssouci.server.tables.table_registry import TableRegistry
    from sanssouci.store import AppendEvent, Change, UpdateGame

    wait = TableRegistry._write

    async def write(self: TableRegistry, *changes: Change) -> None:
        if list(map(type, changes)) == [AppendEvent, UpdateGame]:
            self.store.write(*changes)
        else:
            await wait(self, *changes)

    slow_disk(SLOW, 0.0)
    TableRegistry._write = write  # type: ignore[method-assign]


def forgets_ids() -> None:
    """A loaded table forgets the ids of its commands."""
    from sanssouci.table import Table

    begin = Table.__init__

    def forget(self: Table, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        self._answered.clear()

    slow_disk()
    Table.__init__ = forget  # type: ignore[method-assign]


def ignores_write_errors() -> None:
    """The table registry ignores failed writes."""
    from sanssouci.server.tables.table_registry import TableRegistry
    from sanssouci.store import Change, Unavailable

    write = TableRegistry._write

    async def write_ignoring_errors(self: TableRegistry, *changes: Change) -> None:
        with suppress(Unavailable):
            await write(self, *changes)

    TableRegistry._write = write_ignoring_errors  # type: ignore[method-assign]


def always_ready() -> None:
    """The store never reports a failing disk."""
    from sanssouci.store import Store

    Store.failing = False  # type: ignore[assignment, method-assign]


def never_recovers() -> None:
    """After one failed commit, all others fail."""
    from sanssouci.store.writer import Writer

    commit: Callable[[Writer, Any], Any] = Writer._commit
    failed: list[Exception] = []

    def commit_until_failure(self: Writer, batch: Any) -> Any:
        if failed:
            raise failed[0]
        try:
            return commit(self, batch)
        except Exception as error:
            failed.append(error)
            raise

    Writer._commit = commit_until_failure  # type: ignore[method-assign]


def fails_on_bad_requests() -> None:
    """The handler of invalid requests raises an exception."""
    from sanssouci.server import app

    async def fail(*_: object) -> None:
        raise RuntimeError("a planted fault")

    app._handle_invalid_request = fail  # type: ignore[assignment]


def grants_all() -> None:
    """Every caller has all rights at every table."""
    from dataclasses import replace

    from sanssouci.server.tables.membership import Membership

    read_access = Membership._read_access

    def grant_all(self: Membership, *args: Any) -> Any:
        return replace(read_access(self, *args), held=frozenset(range(2)), owner=True, open=True)

    Membership._read_access = grant_all  # type: ignore[assignment, method-assign]


PLANTS: dict[Plant, Callable[[], None]] = {
    Plant.NOTHING: nothing,
    Plant.SLOW_DISK: slow_disk,
    Plant.TOO_EARLY: too_early,
    Plant.FORGETS_IDS: forgets_ids,
    Plant.FAILS_ON_BAD_REQUESTS: fails_on_bad_requests,
    Plant.GRANTS_ALL: grants_all,
    Plant.IGNORES_WRITE_ERRORS: ignores_write_errors,
    Plant.ALWAYS_READY: always_ready,
    Plant.NEVER_RECOVERS: never_recovers,
}


def planted_server(
    data: Path, log: Path, plant: Plant = Plant.NOTHING, environment: Mapping[str, str] | None = None
) -> ServerProcess:
    """A server with a planted fault."""
    usual = {"SANSSOUCI_PLAYERS": "random", "SANSSOUCI_LOG_LEVEL": "warning"}
    return ServerProcess(
        data,
        log,
        {**usual, **(environment or {})},
        command=(sys.executable, "-m", "tests.faults.planted", plant),
        prepare=PLANTS[plant],
    )


if __name__ == "__main__":
    from sanssouci.cli import main

    PLANTS[Plant(sys.argv.pop(1))]()
    main()
