"""Tables for the load test: two guests each, played to the first turn by HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.harness.builders import legal_command
from tests.harness.client import Client
from tests.harness.transports import TcpTransport

LARGE_GAME = {"edition": "imperial", "expansions": ["rewards", "wild_boar"]}
"""Settings of every other game. The others are base games."""
_MAX_CONNECTIONS = 16


@dataclass(frozen=True)
class Prepared:
    """A table whose game can start, and its credentials."""

    table: str
    guests: tuple[dict[str, str], ...]
    """The headers of the guests on chairs 0 and 1."""
    watch: str


class TableFactory:
    """Creates tables, with a limited number of connections."""

    def __init__(self, host: str) -> None:
        self.host = host
        self._gate = asyncio.Semaphore(_MAX_CONNECTIONS)
        self._tables = 0

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Client]:
        """A client with a new connection, as the server closes idle ones."""
        async with self._gate:
            client = Client(TcpTransport(self.host))
            try:
                yield client
            finally:
                await client.close()

    async def table(self, *names: str) -> Prepared:
        """A table at which two new guests are about to play."""
        self._tables += 1
        settings = LARGE_GAME if self._tables % 2 else {}
        async with self._client() as client:
            guests = [await client.as_guest(name) for name in names]
            table = await guests[0].create_table("person", "open", hints=False, **settings)
            await guests[1].with_key(table.join).join(table)
            while (view := await guests[0].view(table))["stage"] != "playing":
                for offset, chair in enumerate(view["waiting"]):
                    command = legal_command(view, chair=chair)
                    await guests[chair].do(table, seq=view["seq"] + offset, **command)
        return Prepared(table.id, tuple(guest.headers for guest in guests), table.watch)

    async def seat_ticket(self, prepared: Prepared, chair: int) -> str:
        """A ticket for the socket of a player."""
        async with self._client() as client:
            return await client.with_headers(**prepared.guests[chair]).ticket(prepared.table)

    async def watch_ticket(self, prepared: Prepared) -> str:
        """A ticket for the socket of a spectator."""
        async with self._client() as client:
            return await client.with_key(prepared.watch).ticket(prepared.table, watch=True)
