"""Quotas: how many unfinished tables a guest may own, and at how many a guest may sit.

The counts come from the store. A lock per guest is held while counting and writing, so two concurrent
requests cannot both take the last slot.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from sanssouci.locale import UserError
from sanssouci.store import HeldGame, Store

from ..tables.live_table import OWNER


class QuotaExceeded(UserError):
    """A limit is reached; the user can free a slot."""


class Quotas:
    """Checks quotas against one store; for the tasks of one event loop."""

    def __init__(self, store: Store, tables: int, seats: int) -> None:
        self._store = store
        self._tables = tables
        self._seats = seats
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def opening(
        self, guest: str, sits: bool = False, error_key: str = "server.too_many_tables"
    ) -> AsyncIterator[None]:
        """Hold the lock while opening a table (and sitting there, if ``sits``), or ``QuotaExceeded``."""
        async with self._locks.setdefault(guest, asyncio.Lock()):
            games = await self._unfinished(guest)
            if sum(OWNER in held.chairs for held in games) >= self._tables:
                raise QuotaExceeded(error_key, most=self._tables)
            if sits:
                self._check_seats(_seated(games))
            yield

    @asynccontextmanager
    async def sitting(self, guest: str, table: str) -> AsyncIterator[None]:
        """Hold the guest's lock while sitting down; ``QuotaExceeded`` unless the guest sits there already."""
        async with self._locks.setdefault(guest, asyncio.Lock()):
            self._check_seats(_seated(await self._unfinished(guest)) - {table})
            yield

    @asynccontextmanager
    async def leaving(self, guest: str) -> AsyncIterator[None]:
        """Hold the guest's lock, so the guest cannot open or join tables meanwhile."""
        async with self._locks.setdefault(guest, asyncio.Lock()):
            yield

    def _check_seats(self, others: set[str]) -> None:
        if len(others) >= self._seats:
            raise QuotaExceeded("server.too_many_seats", most=self._seats)

    async def _unfinished(self, guest: str) -> list[HeldGame]:
        return await asyncio.to_thread(self._store.unfinished_games_of, guest)


def _seated(games: list[HeldGame]) -> set[str]:
    return {held.game.id for held in games if set(held.chairs) - {OWNER}}
