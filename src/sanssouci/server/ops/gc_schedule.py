"""Garbage collection: full collections run while the process is idle.

CPython frees most objects by reference counting; only cycles need the collector. A full collection takes a
third of a second with hundreds of tables loaded, and blocks the event loop meanwhile. So automatic full
collections are disabled and run at quiet moments instead.
"""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

CHECK_INTERVAL = 1.0
"""Seconds between two checks whether the process is idle."""
IDLE_CPU_SHARE = 0.05
"""The process is idle if it uses at most this share of a core."""
MIN_INTERVAL, MAX_INTERVAL = 60.0, 900.0
"""Seconds between two full collections: at least, and at most even if the process is never idle."""
YOUNG_THRESHOLDS = (1_000, 3)
"""New objects between two collections of the youngest generation, and these between two of the next one. A
collection takes about 2.5 µs for each new object, most of it cache misses, so small thresholds mean short
pauses: at 300 turns/s and 500 tables, at most 15 ms instead of 230 ms with (20_000, 20).
"""
_DISABLED = 1_000_000_000


class GcSchedule:
    """Decides when to collect, from the CPU time used since the last check."""

    def __init__(self, now: float, cpu_seconds: float) -> None:
        self._collected_at = self._checked_at = now
        self._cpu_seconds = cpu_seconds

    def is_due(self, now: float, cpu_seconds: float) -> bool:
        idle = cpu_seconds - self._cpu_seconds <= IDLE_CPU_SHARE * (now - self._checked_at)
        self._checked_at, self._cpu_seconds = now, cpu_seconds
        if now - self._collected_at < (MIN_INTERVAL if idle else MAX_INTERVAL):
            return False
        self._collected_at = now
        return True


@asynccontextmanager
async def scheduled_gc(collect: Callable[[], object] = gc.collect) -> AsyncIterator[None]:
    """Replace automatic full collections by scheduled ones."""
    thresholds = gc.get_threshold()
    gc.set_threshold(*YOUNG_THRESHOLDS, _DISABLED)
    task = asyncio.create_task(_collect_when_idle(collect))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.set_threshold(*thresholds)


async def _collect_when_idle(collect: Callable[[], object]) -> None:
    schedule = GcSchedule(time.monotonic(), time.process_time())
    while True:
        await asyncio.sleep(CHECK_INTERVAL)
        if schedule.is_due(time.monotonic(), time.process_time()):
            collect()
