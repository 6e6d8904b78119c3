"""One of two servers that get the same requests and must give the same answers.

Ids, tokens and the time are counted, not random. So two servers with the same requests in the same order
answer the same, byte for byte, unless their deals differ.
"""

import asyncio
import math
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import httpx

from sanssouci.dealer import Seed
from sanssouci.table import Croupier, TableState

from ...harness.server import InProcessServer
from ...harness.transports import HOST, AsgiConnection
from .fake_players import PLAYERS, SteeredPlayers

Headers = dict[str, str]


class PairedServer(InProcessServer):
    """A server without background tasks, whose deal and computer players the test controls."""

    current: ClassVar["PairedServer"]
    """The server that is handling a request."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.pool = SteeredPlayers()
        super().__init__(folder, PLAYERS, pool=self.pool, tables_per_guest=1_000_000, **settings)
        self.secrets.fixed_seed = bytes(32)
        self.deal: Callable[[Seed, str], Croupier] = Croupier
        self.connections: list[AsgiConnection] = []
        PairedServer.current = self
        self.start()
        self._schedule()

    def croupier(self, seed: Seed, table: str) -> Croupier:
        return self.deal(seed, table)

    async def clear(self) -> None:
        """Disconnect everyone and evict all tables from memory. The store keeps them."""
        PairedServer.current = self
        await asyncio.gather(*(connection.close() for connection in self.connections))
        self.connections.clear()
        await self.services.scheduler.stop()
        self.services.registry.evict(math.inf)
        self._schedule()

    async def table_state(self, table: str) -> TableState:
        return (await self.services.registry.table(table)).table.state

    async def request(self, method: str, path: str, headers: Headers, body: bytes) -> httpx.Response:
        """Send a request, and wait until all its effects are done."""
        PairedServer.current = self
        response = await self.client(headers).request(method, path, content=body)
        await self.settle()
        return response

    def connect(self) -> AsgiConnection:
        PairedServer.current = self
        self.connections.append(AsgiConnection(self, {"host": HOST}))
        self.connections[-1].start()
        return self.connections[-1]

    async def disconnect(self, connection: AsgiConnection | None) -> None:
        if connection in self.connections:
            PairedServer.current = self
            await connection.close()
            self.connections.remove(connection)

    def _schedule(self) -> None:
        """Start the scheduler without its sweeps, which depend on a real clock."""
        scheduler = self.services.scheduler
        scheduler.registry, scheduler._running = self.services.registry, True

    async def settle(self) -> None:
        """Wait until all work is done and all messages have arrived."""
        polls = 0
        while self._is_busy():
            polls += 1
            await asyncio.sleep(0 if polls < 8 else 0.0005)  # a write goes through a thread

    def _is_busy(self) -> bool:
        tables = self.services.registry.live_tables()
        return (
            not all(connection.is_idle for connection in self.connections)
            or any(len(subscriber.send_queue) for table in tables for subscriber in table.subscribers)
            or any(table.bot_task is not None for table in tables if self.pool.thinking is None)
        )


@contextmanager
def deterministic_secrets() -> Iterator[None]:
    """Let the current server count request ids and tickets too."""

    def token_hex(size: int = 32) -> str:
        return PairedServer.current.secrets.digest("hex").hex()[: 2 * size]

    def token_urlsafe(size: int = 32) -> str:
        return PairedServer.current.secrets.token().reveal()

    with (
        patch.object(secrets, "token_hex", token_hex),
        patch.object(secrets, "token_urlsafe", token_urlsafe),
        patch("sanssouci.server.ops.metrics.ProcessCollector"),  # it measures the test process
        patch("prometheus_client.metrics._use_created", False),  # depends on a real clock
    ):
        yield
