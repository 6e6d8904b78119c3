"""Garbage collection runs while the server is idle, and after a maximum interval in any case."""

import asyncio
import gc

import pytest

from sanssouci.server.ops import gc_schedule
from sanssouci.server.ops.gc_schedule import (
    IDLE_CPU_SHARE,
    MAX_INTERVAL,
    MIN_INTERVAL,
    YOUNG_THRESHOLDS,
    GcSchedule,
    scheduled_gc,
)


def _collections(share: float, seconds: float) -> int:
    """How many collections are due if the process constantly uses this share of a core."""
    schedule = GcSchedule(0.0, 0.0)
    return sum(schedule.is_due(float(now), now * share) for now in range(1, int(seconds) + 1))


def test_collection_is_due_when_idle() -> None:
    """An idle process collects at the minimum interval, a busy one at the maximum interval."""
    assert _collections(IDLE_CPU_SHARE / 2, 3 * MIN_INTERVAL) == 3
    assert _collections(IDLE_CPU_SHARE * 2, MAX_INTERVAL - 1) == 0
    assert _collections(IDLE_CPU_SHARE * 2, MAX_INTERVAL) == 1


def test_collection_is_due_in_the_first_idle_second() -> None:
    """After minutes of load a collection is due in the first idle second."""
    schedule = GcSchedule(0.0, 0.0)
    assert not any(schedule.is_due(float(now), now * 0.5) for now in range(1, 300))
    assert schedule.is_due(300.0, 149.5)
    assert not schedule.is_due(301.0, 149.5)


def test_automatic_full_collections_are_disabled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Full collections run only on schedule, and the thresholds are restored even after an error."""
    usual, collected = gc.get_threshold(), asyncio.Event()
    monkeypatch.setattr(gc_schedule, "CHECK_INTERVAL", 0.0)
    monkeypatch.setattr(gc_schedule, "MIN_INTERVAL", 0.0)
    monkeypatch.setattr(gc_schedule, "IDLE_CPU_SHARE", float("inf"))

    async def serve() -> None:
        async with scheduled_gc(collected.set):
            assert gc.get_threshold()[:2] == YOUNG_THRESHOLDS and gc.get_threshold()[2] > 1_000_000
            await collected.wait()
            raise RuntimeError("something fails")

    with pytest.raises(RuntimeError, match="something fails"):
        asyncio.run(serve())
    assert gc.get_threshold() == usual
