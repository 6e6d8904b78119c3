"""The outbox of one socket: what it still has to be sent.

A reader that does not keep up would fill the memory. So the outbox is bounded: where it runs over, nothing
more is sent, the socket is closed as too slow, and its client comes back with the last seq that it has seen.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from enum import Enum, auto

TOO_SLOW = 4008
"""The code with which the socket of a slow reader is closed."""


class CloseReason(Enum):
    """Why an outbox is done."""

    CLOSED = auto()
    OVERFLOWED = auto()


class SendQueue:
    """Messages in the order in which they came; for the tasks of one event loop."""

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
        """How many messages wait, the one among them that is just being sent."""
        return len(self._waiting)

    def put(self, message: bytes) -> bool:
        """Have a message sent; whether there was room. However large, one message alone has room."""
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
        """Nothing more will come; what waits is still sent."""
        self._closed = True
        self._changed.set()

    async def drain(self, send: Callable[[bytes], Awaitable[None]]) -> CloseReason:
        """Send what comes, until the outbox is closed or runs over; what ``send`` raises is raised.

        Also a ``send`` that waits for the reader ends when the outbox runs over.
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
        """Whether there is a message, as soon as that is known."""
        while not (self._waiting or self._closed or self.overflowed):
            self._changed.clear()
            await self._changed.wait()
        return bool(self._waiting)

    def _remove_sent(self) -> None:
        """A message leaves when it is sent; where the outbox ran over in the meantime, it is gone already."""
        if self._waiting:
            self._bytes -= len(self._waiting.popleft())

    def _overflow(self) -> None:
        self.overflowed = True
        self._waiting.clear()
        self._bytes = 0
        self._changed.set()
        if self._timeout is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time())
