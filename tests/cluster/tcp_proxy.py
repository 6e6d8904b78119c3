"""A TCP proxy in a thread: a network that can be cut, fall silent or become slow."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread


class TcpProxy:
    def __init__(self, target: int) -> None:
        self.port = 0
        self._target = target
        self._delay = 0.0
        self._is_cut = self._is_silent = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._listens = Event()
        self._thread = Thread(target=self._loop.run_until_complete, args=(self._run(),), daemon=True)

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        self._is_cut = True
        self._loop.call_soon_threadsafe(self._abort)

    def silence(self) -> None:
        """Lose everything that is sent from now on; nobody is told."""
        self._is_silent = True

    def slow_down(self, seconds: float) -> None:
        """Delay everything, in both directions."""
        self._delay = seconds

    def repair(self) -> None:
        """Work again. Connections that have lost something stay broken."""
        was_silent, self._is_cut, self._is_silent, self._delay = self._is_silent, False, False, 0.0
        if was_silent:
            self._loop.call_soon_threadsafe(self._abort)

    def _abort(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _run(self) -> None:
        self._stopped = asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._listens.set()
        await self._stopped.wait()
        server.close()
        self._abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        writers = [writer]
        try:
            if not self._is_cut:
                there = await asyncio.open_connection("127.0.0.1", self._target)
                writers.append(there[1])
                await asyncio.gather(self._pipe(reader, there[1]), self._pipe(there[0], writer))
        except (OSError, asyncio.CancelledError):
            pass  # the connection ends on both sides
        finally:
            for one in writers:
                one.transport.abort()
            self._tasks.discard(task)

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            await asyncio.sleep(self._delay)
            if not self._is_silent:
                writer.write(data)
                await writer.drain()
        with suppress(OSError):
            writer.close()


@contextmanager
def tcp_proxy(target: int) -> Iterator[TcpProxy]:
    """A proxy to a port of this machine."""
    proxy = TcpProxy(target)
    proxy._thread.start()
    proxy._listens.wait()
    try:
        yield proxy
    finally:
        proxy._loop.call_soon_threadsafe(proxy._stopped.set)
        proxy._thread.join()
        proxy._loop.close()
