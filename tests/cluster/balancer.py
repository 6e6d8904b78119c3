"""A TCP load balancer in this process: each new connection goes to the next server that accepts it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress


class Balancer:
    def __init__(self) -> None:
        self.ports: Sequence[int] = ()
        """The ports of all servers, whether they run or not."""
        self.port = 0
        self._next = 0
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        there = None
        try:
            there = await self._connect()
            if there is not None:
                await asyncio.gather(_pipe(reader, there[1]), _pipe(there[0], writer))
        except asyncio.CancelledError:
            pass  # the balancer is closed; asyncio would log it
        finally:
            for one in (writer,) if there is None else (writer, there[1]):
                one.transport.abort()
            self._connections.discard(task)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for _ in self.ports:
            self._next += 1
            with suppress(OSError):
                return await asyncio.open_connection(
                    "127.0.0.1", self.ports[self._next % len(self.ports)], limit=1 << 20
                )
        return None


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()


@asynccontextmanager
async def balancing() -> AsyncIterator[Balancer]:
    balancer = Balancer()
    server = await asyncio.start_server(balancer._serve, "127.0.0.1", 0)
    balancer.port = server.sockets[0].getsockname()[1]
    try:
        yield balancer
    finally:
        server.close()
        connections = tuple(balancer._connections)
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        await server.wait_closed()
        await asyncio.sleep(0)  # transports close in the next iteration
