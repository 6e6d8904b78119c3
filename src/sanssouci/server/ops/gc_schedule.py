"""Tidying: when memory is searched for what nobody needs any more.

Python frees nearly everything at once; what refers to itself in a circle has to be searched for. A search
through everything takes a third of a second where hundreds of tables are open, and nobody is answered
meanwhile. So it waits for a moment at which there is little to do.
"""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

LOOK = 1.0
"""Seconds between two looks whether there is little to do."""
LITTLE = 0.05
"""The share of a core that the process takes when there is little to do."""
SOONEST, LATEST = 60.0, 900.0
"""Seconds after a search: before the first there is none, after the last there is one in any case."""
_NEVER = 1_000_000_000


class GcSchedule:
    """Decides when; told at each look how much the process has done until then."""

    def __init__(self, now: float, used: float) -> None:
        """The time, and the seconds of a core used until now."""
        self._last = self._looked = now
        self._used = used

    def is_due(self, now: float, used: float) -> bool:
        """Whether to search now."""
        idle = used - self._used <= LITTLE * (now - self._looked)
        self._looked, self._used = now, used
        if now - self._last < (SOONEST if idle else LATEST):
            return False
        self._last = now
        return True


@asynccontextmanager
async def scheduled_gc(search: Callable[[], object] = gc.collect) -> AsyncIterator[None]:
    """No search through everything by itself as long as this lasts, but one now and then."""
    usual = gc.get_threshold()
    gc.set_threshold(*usual[:2], _NEVER)
    task = asyncio.create_task(_tidy_for_ever(search))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.set_threshold(*usual)


async def _tidy_for_ever(search: Callable[[], object]) -> None:
    tidier = GcSchedule(time.monotonic(), time.process_time())
    while True:
        await asyncio.sleep(LOOK)
        if tidier.is_due(time.monotonic(), time.process_time()):
            search()
