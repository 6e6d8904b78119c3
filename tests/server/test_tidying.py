"""Memory is searched when there is little to do, and now and then in any case."""

import asyncio
import gc

import pytest

from sanssouci.server.ops import gc_schedule
from sanssouci.server.ops.gc_schedule import (
    IDLE_CPU_SHARE,
    MAX_INTERVAL,
    MIN_INTERVAL,
    GcSchedule,
    scheduled_gc,
)


def _searches(share: float, seconds: float) -> int:
    """How often memory is searched if the process takes that share of a core all the time."""
    schedule = GcSchedule(0.0, 0.0)
    return sum(schedule.is_due(float(now), now * share) for now in range(1, int(seconds) + 1))


def test_it_waits_for_a_quiet_moment() -> None:
    """Idle: once a minute. Busy: only when it has not been done for long."""
    assert _searches(IDLE_CPU_SHARE / 2, 3 * MIN_INTERVAL) == 3
    assert _searches(IDLE_CPU_SHARE * 2, MAX_INTERVAL - 1) == 0
    assert _searches(IDLE_CPU_SHARE * 2, MAX_INTERVAL) == 1


def test_a_pause_is_taken() -> None:
    """It was busy for minutes; the first second without work is cpu_seconds."""
    schedule = GcSchedule(0.0, 0.0)
    assert not any(schedule.is_due(float(now), now * 0.5) for now in range(1, 300))
    assert schedule.is_due(300.0, 149.5)
    assert not schedule.is_due(301.0, 149.5)


def test_python_does_not_search_everything_by_itself_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """But is asked to when it is due; afterwards all is as it was, whatever has happened."""
    usual, searched = gc.get_threshold(), asyncio.Event()
    monkeypatch.setattr(gc_schedule, "CHECK_INTERVAL", 0.0)
    monkeypatch.setattr(gc_schedule, "MIN_INTERVAL", 0.0)
    monkeypatch.setattr(gc_schedule, "IDLE_CPU_SHARE", float("inf"))

    async def serve() -> None:
        async with scheduled_gc(searched.set):
            assert gc.get_threshold()[:2] == usual[:2] and gc.get_threshold()[2] > 1_000_000
            await searched.wait()
            raise RuntimeError("something fails")

    with pytest.raises(RuntimeError, match="something fails"):
        asyncio.run(serve())
    assert gc.get_threshold() == usual
