"""A TCP load balancer in this process: each new connection goes to the next server that accepts it.

With health checks, servers that are not ready get no new connections, as behind a real proxy.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

HEALTH_INTERVAL, HEALTH_TIMEOUT = 0.5, 2.0
"""Seconds between two health checks, and for an answer."""


class Balancer:
    def __init__(self) -> None:
        self.ports: Sequence[int] = ()
        """The ports of all servers, whether they run or not."""
        self.port = 0
        self.unready: set[int] = set()
        """The ports of servers that get no new connections, unless none is ready."""
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
        ports = [port for port in self.ports if port not in self.unready] or self.ports
        for _ in ports:
            self._next += 1
            with suppress(OSError):
                return await asyncio.open_connection(
                    "127.0.0.1", ports[self._next % len(ports)], limit=1 << 20
                )
        return None

    async def is_ready(self, port: int) -> None:
        """Wait until a server that was not ready is."""
        self.unready.add(port)
        while port in self.unready:
            await asyncio.sleep(HEALTH_INTERVAL / 5)

    async def check_health(self) -> None:
        """Ask all servers again and again whether they are ready."""
        while True:
            answers = await asyncio.gather(*map(_is_ready, self.ports))
            self.unready = {port for port, ready in zip(self.ports, answers, strict=True) if not ready}
            await asyncio.sleep(HEALTH_INTERVAL)


async def _is_ready(port: int) -> bool:
    try:
        async with asyncio.timeout(HEALTH_TIMEOUT):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                f"GET /ready HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
            )
            status = await reader.readline()
            writer.close()
    except (OSError, TimeoutError):
        return False
    return b" 200 " in status


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
