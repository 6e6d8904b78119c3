"""A transport without a network, and an event loop without a clock, for uvicorn's protocols."""

import asyncio
from collections.abc import Callable
from typing import Any


class FakeTransport(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = self.aborted = False
        self.unread = 0
        """Bytes that the other end has not read yet."""
        self.protocol: asyncio.BaseProtocol | None = None

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def get_write_buffer_size(self) -> int:
        return self.unread

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class FakeLoop(asyncio.SelectorEventLoop):
    """An event loop whose timers fire, and whose clock advances, when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.timers: list[asyncio.TimerHandle] = []
        self.moment: float | None = None

    def advance(self, seconds: float) -> None:
        """From now on the clock advances only by this method."""
        self.moment = (self.moment or 0.0) + seconds

    def time(self) -> float:
        return super().time() if self.moment is None else self.moment

    def call_later(  # type: ignore[override]  # as it is used here
        self, delay: float, callback: Callable[..., object], *args: Any, **more: Any
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(delay, callback, args, self)
        self.timers.append(handle)
        return handle

    def fire_timers(self) -> list[float]:
        """Fire all timers that were not cancelled; their delays."""
        due = [timer for timer in self.timers if not timer.cancelled()]
        self.timers.clear()
        for timer in due:
            timer._run()
        return [timer.when() for timer in due]
