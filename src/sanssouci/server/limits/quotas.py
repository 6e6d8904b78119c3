"""Quotas: how many unfinished tables a guest may have opened, and at how many one may sit.

What counts is in the store. While it is counted and the next one is written, nobody else counts for the same
guest, so two requests at once do not both find the last place.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from sanssouci.locale import UserError
from sanssouci.store import HeldGame, Store

from ..tables.live_table import OWNER


class Full(UserError):
    """There is no room for more of this; whoever asks can make some."""


class Quotas:
    """Counts for the guests of one store; for the tasks of one event loop."""

    def __init__(self, store: Store, tables: int, seats: int) -> None:
        self._store = store
        self._tables = tables
        self._seats = seats
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def opening(
        self, guest: str, sits: bool = False, full: str = "server.too_many_tables"
    ) -> AsyncIterator[None]:
        """Inside, a guest may open one more table, and sit there; else ``Full``, in these words."""
        async with self._locks.setdefault(guest, asyncio.Lock()):
            games = await self._unfinished(guest)
            if sum(OWNER in held.chairs for held in games) >= self._tables:
                raise Full(full, most=self._tables)
            if sits:
                self._check_seats(_seated(games))
            yield

    @asynccontextmanager
    async def sitting(self, guest: str, table: str) -> AsyncIterator[None]:
        """Inside, a guest may sit down at a table, where one sits already always; else ``Full``."""
        async with self._locks.setdefault(guest, asyncio.Lock()):
            self._check_seats(_seated(await self._unfinished(guest)) - {table})
            yield

    @asynccontextmanager
    async def leaving(self, guest: str) -> AsyncIterator[None]:
        """Inside, a guest neither opens a table nor sits down at one."""
        async with self._locks.setdefault(guest, asyncio.Lock()):
            yield

    def _check_seats(self, others: set[str]) -> None:
        if len(others) >= self._seats:
            raise Full("server.too_many_seats", most=self._seats)

    async def _unfinished(self, guest: str) -> list[HeldGame]:
        return await asyncio.to_thread(self._store.unfinished_games_of, guest)


def _seated(games: list[HeldGame]) -> set[str]:
    """The tables at which the guest sits."""
    return {held.game.id for held in games if set(held.chairs) - {OWNER}}
