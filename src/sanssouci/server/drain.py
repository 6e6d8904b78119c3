"""Stopping a server without interrupting its players, who go on at another one.

::

    signal --> /ready is 503, sockets are refused --> the proxy notices --> sockets are closed with 1012
           --> requests in progress end --> scheduler and store stop
"""

import asyncio
from collections.abc import Callable

from sanssouci.store import Unavailable

from .tables.table_registry import TableRegistry

_POLL = 0.1
_COMMAND_TIMEOUT = 5.0
"""Seconds for the commands in progress to be acknowledged."""


class Drain:
    def __init__(self, registry: TableRegistry, seconds: float) -> None:
        """``seconds`` should be longer than the proxy takes to notice that the server is not ready."""
        self._registry = registry
        self._seconds = seconds
        self.begun = False

    def check(self) -> None:
        """``Unavailable`` if no new sockets are accepted any more."""
        if self.begun:
            raise Unavailable("server.busy")

    async def run(self, is_urgent: Callable[[], bool] = lambda: False) -> None:
        """Return when all sockets are asked to reconnect elsewhere; at once if it is urgent."""
        self.begun = True
        loop = asyncio.get_running_loop()
        end = loop.time() + self._seconds
        while loop.time() < end and not is_urgent():
            await asyncio.sleep(min(_POLL, max(0.0, end - loop.time())))
        await asyncio.gather(*(table.release(_COMMAND_TIMEOUT) for table in self._registry.live_tables()))
