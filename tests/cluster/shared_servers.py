"""Servers in one process that share a database, as tests use them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from sanssouci.cluster import News
from sanssouci.server import audit, reviews
from sanssouci.server.tables import peer_sync, scheduler

from ..harness.builders import NONCE
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer
from ..workers.pools import run_with_timeout, until

Servers = list[InProcessServer]
NEVER = 1e9


class DirectBus:
    """A bus between servers in one process, which can lose everything."""

    def __init__(self, receivers: list[Callable[[News], None]]) -> None:
        self.connected = True
        self._receivers = receivers

    def publish(self, news: News) -> None:
        for receive in self._receivers if self.connected else ():
            receive(news)

    async def run(self, receive: Callable[[News], None]) -> None:
        self._receivers.append(receive)
        await asyncio.Event().wait()

    def close(self) -> None:
        self.connected = False


@asynccontextmanager
async def running(folder: Path, url: URL, count: int = 2, **settings: Any) -> AsyncIterator[Servers]:
    """Servers with one clock and different secrets, connected by a bus.

    Each has looked for work once, so that a late first look takes no work from the server that a test means.
    """
    servers: Servers = []
    receivers: list[Callable[[News], None]] = []
    async with AsyncExitStack() as stack:
        for number in range(count):
            server = InProcessServer(folder, name=f"server {number}", data=url, **settings)
            server.clock = servers[0].clock if servers else server.clock
            server.committed = servers[0].committed if servers else server.committed
            server.bus = DirectBus(receivers)
            await server.open()
            stack.push_async_callback(server.close)
            servers.append(server)
            await until(lambda: servers[-1].services.scheduler.sweeps)
        yield servers


def with_servers(
    count: int = 2, poll: float = NEVER, **settings: Any
) -> Callable[[Callable[..., Awaitable[None]]], Callable[[Path, URL, pytest.MonkeyPatch], None]]:
    """Run an async test with servers that ask the store only when the test does, unless ``poll`` is given."""

    def decorate(test: Callable[..., Awaitable[None]]) -> Callable[[Path, URL, pytest.MonkeyPatch], None]:
        def run(tmp_path: Path, url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
            monkeypatch.setattr(peer_sync, "POLL_INTERVAL", poll)
            monkeypatch.setattr(scheduler, "SHARED_SWEEP_INTERVAL", NEVER)
            monkeypatch.setattr(reviews, "LEASE_INTERVAL", NEVER)

            async def scenario() -> None:
                async with running(tmp_path, url, count, **settings) as servers:
                    await test(*servers)

            run_with_timeout(scenario())

        run.__doc__, run.__name__ = test.__doc__, test.__name__
        return run

    return decorate


def at(server: InProcessServer, client: Client) -> Client:
    """The same person at another server."""
    return server.client(dict(client.headers))


def cut(*servers: InProcessServer) -> None:
    """Let the bus lose all messages from now on."""
    for server in servers:
        assert isinstance(server.bus, DirectBus)
        server.bus.connected = False


async def started(
    a: InProcessServer, b: InProcessServer, **settings: Any
) -> tuple[CreatedTable, Client, Client]:
    """A game of Ada at the first server and Bob at the second; the cards are dealt."""
    ada, bob = await a.guest("Ada"), await b.guest("Bob")
    table = await ada.create_table("person", "open", first=0, **settings)
    await bob.with_key(table.join).join(table)
    await ada.do(table, "ready", nonce=NONCE)
    await bob.do(table, "ready", nonce=NONCE)
    return table, ada, bob


def check_sound(server: InProcessServer) -> None:
    for game in server.store.all_games():
        _, faults = audit(server.store, game)
        assert not faults, faults
