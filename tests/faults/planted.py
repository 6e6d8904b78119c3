"""The ``sanssouci`` command with something wrong on purpose: ``python -m … PLANT serve``."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Any

SLOW = 0.25
"""Seconds that a slow disk takes."""


class Plant(StrEnum):
    """What is wrong on purpose."""

    NOTHING = "nothing"
    SLOW_DISK = "slow-disk"
    """Which is no fault: a server has to wait for it."""
    TOO_EARLY = "too-early"
    """On a slow disk, what is not yet committed is acknowledged."""
    FORGETFUL = "forgetful"
    """On a slow disk, a table that was read again does not know which commands it has carried out."""
    FRAGILE = "fragile"
    """What cannot be read is not refused: the server fails."""
    CREDULOUS = "credulous"
    """Whoever asks is believed to sit on every chair."""
    DEAF = "deaf"
    """What could not be written is acknowledged all the same."""
    BLITHE = "blithe"
    """A server that says it is ready as long as it runs."""
    BRITTLE = "brittle"
    """After one write that failed, the store takes no more."""


def nothing() -> None:
    """The server as it is."""


def slow_disk(before: float = 0.0, after: float = SLOW) -> None:
    """Every commit takes its time: until it begins, or until it is known that it is done."""
    from sanssouci.store.writer import Writer

    commit: Callable[[Writer, Any], Any] = Writer._commit

    def slowly(self: Writer, batch: Any) -> Any:
        time.sleep(before)
        done = commit(self, batch)
        time.sleep(after)
        return done

    Writer._commit = slowly  # type: ignore[method-assign]


def too_early() -> None:
    """The hall does not wait for the store when a table moves on."""
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


def forgetful() -> None:
    """A table that is opened has forgotten the ids of its commands."""
    from sanssouci.table import Table

    begin = Table.__init__

    def forget(self: Table, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        self._answered.clear()

    slow_disk()
    Table.__init__ = forget  # type: ignore[method-assign]


def deaf() -> None:
    """The hall does not hear the store's no."""
    from sanssouci.server.tables.table_registry import TableRegistry
    from sanssouci.store import Change, Unavailable

    write = TableRegistry._write

    async def unheeding(self: TableRegistry, *changes: Change) -> None:
        with suppress(Unavailable):
            await write(self, *changes)

    TableRegistry._write = unheeding  # type: ignore[method-assign]


def blithe() -> None:
    """The store never says that the disk fails."""
    from sanssouci.store import Store

    Store.failing = False  # type: ignore[assignment, method-assign]


def brittle() -> None:
    """What went wrong once goes wrong for ever."""
    from sanssouci.store.writer import Writer

    commit: Callable[[Writer, Any], Any] = Writer._commit
    failed: list[Exception] = []

    def resentful(self: Writer, batch: Any) -> Any:
        if failed:
            raise failed[0]
        try:
            return commit(self, batch)
        except Exception as error:
            failed.append(error)
            raise

    Writer._commit = resentful  # type: ignore[method-assign]


def fragile() -> None:
    """The sentence for a mistake is missing."""
    from sanssouci.server import app

    async def fail(*_: object) -> None:
        raise RuntimeError("a planted fault")

    app._handle_invalid_request = fail  # type: ignore[assignment]


def credulous() -> None:
    """Everyone has all rights at every table."""
    from dataclasses import replace

    from sanssouci.server.tables.membership import Membership

    look = Membership._read_access

    def believe(self: Membership, *args: Any) -> Any:
        return replace(look(self, *args), held=frozenset(range(2)), owner=True, open=True)

    Membership._read_access = believe  # type: ignore[assignment, method-assign]


PLANTS: dict[Plant, Callable[[], None]] = {
    Plant.NOTHING: nothing,
    Plant.SLOW_DISK: slow_disk,
    Plant.TOO_EARLY: too_early,
    Plant.FORGETFUL: forgetful,
    Plant.FRAGILE: fragile,
    Plant.CREDULOUS: credulous,
    Plant.DEAF: deaf,
    Plant.BLITHE: blithe,
    Plant.BRITTLE: brittle,
}

if __name__ == "__main__":
    from sanssouci.cli import main

    PLANTS[Plant(sys.argv.pop(1))]()
    main()
