"""Follows other servers that use the same store: their events, and the database's time.

Any server serves any table. A server that has decided on an outdated state fails at the unique keys of the
store and decides again; the functions here only make sure that people see the turns of others soon.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from sanssouci.cluster import Bus, News, TableNews
from sanssouci.locale import UserError

from ..ops.clocks import DatabaseClock
from ..ops.logs import error_location
from .live_table import LiveTable
from .presence import PEER_INTERVAL, Presence
from .table_registry import TableRegistry

POLL_INTERVAL = 1.0
"""Seconds between two searches for events of other servers, which find what the bus has lost."""
CLOCK_INTERVAL = 30.0
"""Seconds between two comparisons with the database's time."""

_log = structlog.get_logger("sanssouci.server")


class PeerSync:
    """Keeps the tables in memory up to date; for the tasks of one event loop."""

    def __init__(self, registry: TableRegistry, bus: Bus, clock: DatabaseClock | None = None) -> None:
        self.bus = bus
        self._registry = registry
        self._database_clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._newest: dict[str, TableNews] = {}
        """The latest message about each table that is being read."""
        registry.on_written = self._publish
        self.presence = Presence(bus.publish, registry.dependencies.clock)

    def start(self) -> None:
        if self._registry.store.shared:
            self._spawn(self.bus.run(self._receive))
            self._spawn(self._repeat(POLL_INTERVAL, self.poll))
            self._spawn(self._repeat(CLOCK_INTERVAL, self._measure))
            self._spawn(self._repeat(PEER_INTERVAL, self._repeat_presence))

    async def stop(self) -> None:
        self.bus.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def poll(self) -> None:
        """Ask the store for newer versions of all tables in use."""
        await self._registry.refresh(table for table in self._registry.live_tables() if not table.idle)

    async def _measure(self) -> None:
        if self._database_clock is not None:
            await asyncio.to_thread(self._database_clock.measure)

    async def _repeat_presence(self) -> None:
        self.presence.repeat()

    def _publish(self, live_table: LiveTable) -> None:
        table = live_table.table
        self.bus.publish(TableNews(table.id, table.seq, live_table.access))

    def _receive(self, news: News) -> None:
        """Read a table that another server has changed; a message about anything older is ignored."""
        live_table = self._registry.find_loaded(news.table)
        if live_table is None:
            return
        if not isinstance(news, TableNews):
            self.presence.receive(live_table, news)
            return
        if not _is_newer(news, live_table):
            return
        is_read = news.table in self._newest
        self._newest[news.table] = news
        if not is_read:
            self._spawn(self._refresh(live_table))

    async def _refresh(self, live_table: LiveTable) -> None:
        """Read a table, and again if a message has arrived meanwhile."""
        table, news = live_table.table.id, None
        try:
            while news is not self._newest[table]:
                news = self._newest[table]
                if _is_newer(news, live_table):
                    await self._registry.catch_up(live_table)
        except UserError as error:  # the next poll tries again
            _log.warning("catch_up_failed", table=table, error=error.key)
        finally:
            del self._newest[table]

    async def _repeat(self, interval: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            await asyncio.sleep(interval)
            try:
                await work()
            except Exception as error:  # the next time may succeed
                key = error.key if isinstance(error, UserError) else type(error).__name__
                _log.warning("peer_sync_failed", error=key, location=error_location(error))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _is_newer(news: TableNews, live_table: LiveTable) -> bool:
    return news.seq > live_table.table.seq or news.access > live_table.access
