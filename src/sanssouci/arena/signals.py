"""Ctrl-C at safe points only: noticed at once, raised between pieces of work."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from threading import current_thread, main_thread
from types import FrameType, TracebackType
from typing import Any


class Interruption:
    """While open, Ctrl-C makes ``reader`` readable, for a loop that waits on it, instead of raising.

    A Ctrl-C that no loop has noticed, because the work was already done, is raised when it is closed.
    """

    def __init__(self) -> None:
        self.reader, self._writer = Pipe(duplex=False)
        self._interrupted = self._heard = False
        self._before: Any = None

    def __enter__(self) -> "Interruption":
        if current_thread() is main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        self.reader.close()
        self._writer.close()
        if self._heard and kind is None:
            signal.raise_signal(signal.SIGINT)

    def interrupt(self) -> None:
        """Do what Ctrl-C does, from any thread; nothing once it is closed."""
        if not self._interrupted:
            self._interrupted = True
            with suppress(OSError):
                self._writer.send_bytes(b"!")

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        self._heard = True
        self.interrupt()


@contextmanager
def defer_interrupt() -> Iterator[None]:
    """Delay Ctrl-C until the block is done."""
    heard: list[int] = []
    before = None
    if current_thread() is main_thread():
        before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
    if heard:
        signal.raise_signal(signal.SIGINT)
