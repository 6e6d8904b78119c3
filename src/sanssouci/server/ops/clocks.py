"""Clocks: server time without jumps, and the time of a database that several servers share."""

import sys
import time

import structlog

from sanssouci.store import Store

from ..rate_limits import Clock

MAX_SLEW = 0.02
"""By how much server time may run faster or slower than real time to approach the wall clock."""
MIN_JUMP = 5.0
"""Seconds by which the wall clock must have been set to be logged."""
SETTLING_TIME = 600.0
"""Seconds after a start in which the wall clock may be set forward, as on machines that boot without one."""
_READINGS = 3
"""Readings of the database's time; the quickest is the most accurate."""

_log = structlog.get_logger("sanssouci.server")


class ServerClock:
    """Server time: the wall clock without its jumps. It never goes back.

    It starts at the wall clock, advances by real time, and approaches a wall clock that was set by at most
    ``MAX_SLEW``. So neither a wall clock that is set back stops time controls, nor one that is set forward
    ends them all at once.
    """

    def __init__(self, wall: Clock = time.time, elapsed: Clock | None = None) -> None:
        """``elapsed`` is monotonic and should count the time in which the machine is suspended."""
        self._wall, self._elapsed = wall, elapsed or _elapsed
        self._time, self._read_at = wall(), self._elapsed()
        self._settled_at = self._read_at + SETTLING_TIME
        self._last_error = 0.0

    def now(self) -> float:
        wall, read_at = self._wall(), self._elapsed()
        passed, self._read_at = read_at - self._read_at, read_at
        self._time += passed
        error, slew = wall - self._time, MAX_SLEW * passed
        set_by = error - self._last_error
        if abs(error) <= slew or (error > 0 and read_at < self._settled_at):
            self._time = wall
        else:
            self._time += slew if error > 0 else -slew
        self._last_error = wall - self._time
        if abs(set_by) >= MIN_JUMP:
            _log.warning("clock_set", by=round(set_by), server_time_off_by=round(-self._last_error))
        return self._time


def _elapsed() -> float:
    """Seconds since the machine was booted, including suspension where the system counts it."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class DatabaseClock:
    """The wall clock of the database's machine, so that all servers agree on deadlines."""

    def __init__(self, store: Store, wall: Clock = time.time, clock: Clock = time.monotonic) -> None:
        """Reads the database's time."""
        self._store, self._wall, self._clock = store, wall, clock
        self._offset = 0.0
        self.measure()

    def now(self) -> float:
        return self._wall() + self._offset

    def measure(self) -> None:
        """Compare the clocks; ``Unavailable`` if the database does not answer."""
        readings = [self._read() for _ in range(_READINGS)]
        self._offset = min(readings)[1]

    def _read(self) -> tuple[float, float]:
        """How long a reading took, and by how much the database's clock is ahead."""
        begun, before = self._clock(), self._wall()
        there = self._store.database_time()
        took = self._clock() - begun
        return took, there - (before + took / 2)
