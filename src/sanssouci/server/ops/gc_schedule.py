"""Tidying: when memory is searched for what nobody needs any more.

Python frees nearly everything at once; what refers to itself in a circle has to be searched for. A collect
through everything takes a third of a second where hundreds of tables are open, and nobody is answered
meanwhile. So it waits for a moment at which there is little to do.
"""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

CHECK_INTERVAL = 1.0
"""Seconds between two looks whether there is little to do."""
IDLE_CPU_SHARE = 0.05
"""The share of a core that the process takes when there is little to do."""
MIN_INTERVAL, MAX_INTERVAL = 60.0, 900.0
"""Seconds after a collect: before the first there is none, after the last there is one in any case."""
_DISABLED = 1_000_000_000


class GcSchedule:
    """Decides when; told at each look how much the process has done until then."""

    def __init__(self, now: float, cpu_seconds: float) -> None:
        """The time, and the seconds of a core cpu_seconds until now."""
        self._collected_at = self._checked_at = now
        self._cpu_seconds = cpu_seconds

    def is_due(self, now: float, cpu_seconds: float) -> bool:
        """Whether to collect now."""
        idle = cpu_seconds - self._cpu_seconds <= IDLE_CPU_SHARE * (now - self._checked_at)
        self._checked_at, self._cpu_seconds = now, cpu_seconds
        if now - self._collected_at < (MIN_INTERVAL if idle else MAX_INTERVAL):
            return False
        self._collected_at = now
        return True


@asynccontextmanager
async def scheduled_gc(collect: Callable[[], object] = gc.collect) -> AsyncIterator[None]:
    """No collect through everything by itself as long as this lasts, but one now and then."""
    thresholds = gc.get_threshold()
    gc.set_threshold(*thresholds[:2], _DISABLED)
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
