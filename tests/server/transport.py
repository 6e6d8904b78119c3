"""A connection without a network, and a loop without a clock, for protocols of uvicorn."""

import asyncio
from collections.abc import Callable
from typing import Any


class Transport(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = self.aborted = False
        self.unread = 0
        self.protocol: asyncio.BaseProtocol | None = None

    def write(self, data: Any) -> None:
        """Keep it."""
        self.written += data

    def close(self) -> None:
        """Remember it."""
        self.closed = True

    def abort(self) -> None:
        """Remember that too."""
        self.closed = self.aborted = True

    def get_write_buffer_size(self) -> int:
        """What the other end has not read yet, if the test says so."""
        return self.unread

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Another one speaks from now on."""
        self.protocol = protocol

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.closed

    def pause_reading(self) -> None:
        """There is nothing to read."""

    def resume_reading(self) -> None:
        """There is nothing to read."""


class Clock(asyncio.SelectorEventLoop):
    """A loop whose alarms ring when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.alarms: list[asyncio.TimerHandle] = []
        self.moment: float | None = None

    def advance(self, seconds: float) -> None:
        """Time passes; from now on only where the test says so."""
        self.moment = (self.moment or 0.0) + seconds

    def time(self) -> float:
        """What the clock shows."""
        return super().time() if self.moment is None else self.moment

    def call_later(  # type: ignore[override]  # as it is used here
        self, delay: float, callback: Callable[..., object], *args: Any, **more: Any
    ) -> asyncio.TimerHandle:
        """Keep the alarm."""
        handle = asyncio.TimerHandle(delay, callback, args, self)
        self.alarms.append(handle)
        return handle

    def ring(self) -> list[float]:
        """Let all alarms ring that were not put off: how long they would have taken."""
        due = [alarm for alarm in self.alarms if not alarm.cancelled()]
        self.alarms.clear()
        for alarm in due:
            alarm._run()
        return [alarm.when() for alarm in due]
