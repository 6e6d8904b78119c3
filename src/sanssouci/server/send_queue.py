"""Send queue of one WebSocket.

The queue is bounded, because a slow reader would otherwise fill the memory. On overflow the socket is closed
as too slow, and its client reconnects with the last ``seq`` that it has seen.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from enum import Enum, auto

TOO_SLOW = 4008
"""The close code for a slow reader."""


class CloseReason(Enum):
    CLOSED = auto()
    OVERFLOWED = auto()


class SendQueue:
    """A first-in, first-out queue of messages; for the tasks of one event loop."""

    def __init__(self, max_messages: int, max_bytes: int) -> None:
        self._max_messages = max_messages
        self._max_bytes = max_bytes
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._closed = False
        self._changed = asyncio.Event()
        self._timeout: asyncio.Timeout | None = None
        self.overflowed = False
        """Whether the reader was too slow."""

    def __len__(self) -> int:
        """Messages in the queue, including the one being sent."""
        return len(self._waiting)

    def put(self, message: bytes) -> bool:
        """Queue a message; False if the queue is full. A single message fits whatever its size."""
        if self.overflowed or self._closed:
            return False
        full = len(self._waiting) >= self._max_messages
        if full or (self._waiting and self._bytes + len(message) > self._max_bytes):
            self._overflow()
            return False
        self._waiting.append(message)
        self._bytes += len(message)
        self._changed.set()
        return True

    def close(self) -> None:
        """Accept no more messages; those in the queue are still sent."""
        self._closed = True
        self._changed.set()

    async def drain(self, send: Callable[[bytes], Awaitable[None]]) -> CloseReason:
        """Send messages until the queue is closed or overflows; exceptions of ``send`` propagate.

        An overflow also cancels a ``send`` that is waiting for the reader.
        """
        try:
            async with asyncio.timeout(None) as self._timeout:
                while await self._has_message():
                    await send(self._waiting[0])
                    self._remove_sent()
        except TimeoutError:
            if not self.overflowed:
                raise
        finally:
            self._timeout = None
        return CloseReason.OVERFLOWED if self.overflowed else CloseReason.CLOSED

    async def _has_message(self) -> bool:
        """Wait for a message; False when there will be none."""
        while not (self._waiting or self._closed or self.overflowed):
            self._changed.clear()
            await self._changed.wait()
        return bool(self._waiting)

    def _remove_sent(self) -> None:
        """Remove the message that was sent; an overflow may have removed it already."""
        if self._waiting:
            self._bytes -= len(self._waiting.popleft())

    def _overflow(self) -> None:
        self.overflowed = True
        self._waiting.clear()
        self._bytes = 0
        self._changed.set()
        if self._timeout is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time())
