"""In-memory moving-window storage for the ``limits`` library.

The library's own memory storage never forgets a key, starts threads, and uses the wall clock. This one is
bounded, needs no thread, and uses the clock that it is given.
"""

from collections import OrderedDict, deque
from collections.abc import Callable

from limits.storage import MovingWindowSupport, Storage

Clock = Callable[[], float]
"""Seconds, monotonic."""


class MovingWindows(Storage, MovingWindowSupport):
    """A storage for ``MovingWindowRateLimiter`` that holds at most ``max_hits`` timestamps.

    Beyond that, the least recently used keys are dropped.
    """

    STORAGE_SCHEME = None

    def __init__(self, clock: Clock, max_hits: int) -> None:
        super().__init__()
        self._clock = clock
        self._max_hits = max_hits
        self._hits: OrderedDict[str, tuple[int, deque[float]]] = OrderedDict()
        """Per key: the length of the window, and the times of its hits, oldest first."""
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Add hits if they fit into the window."""
        now = self._clock()
        times = self._in_window(key, expiry, now)
        if len(times) + amount > limit:
            return False
        times.extend([now] * amount)
        self._size += amount
        self._hits[key] = (expiry, times)
        self._forget(now)
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """The time of the first hit in the window, and the number of hits."""
        now = self._clock()
        times = self._in_window(key, expiry, now)
        return (times[0] if times else now), len(times)

    def _in_window(self, key: str, expiry: int, now: float) -> deque[float]:
        _, times = self._hits.get(key, (expiry, deque()))
        if times:
            self._hits.move_to_end(key)
        while times and times[0] <= now - expiry:
            times.popleft()
            self._size -= 1
        return times

    def _forget(self, now: float) -> None:
        """Drop keys whose hits have all expired, and the least recently used if there are too many."""
        while self._hits:
            expiry, times = next(iter(self._hits.values()))
            if times and times[-1] > now - expiry and self._size <= self._max_hits:
                return
            self._size -= len(times)
            self._hits.popitem(last=False)

    def clear(self, key: str) -> None:
        _, times = self._hits.pop(key, (0, deque()))
        self._size -= len(times)

    def reset(self) -> int:
        """Drop all keys and return their number."""
        count = len(self._hits)
        self._hits.clear()
        self._size = 0
        return count

    def check(self) -> bool:
        return True

    @property
    def base_exceptions(self) -> type[Exception]:
        """Required by ``Storage``; this storage raises no exceptions of its own."""
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Not used by moving windows."""
        raise NotImplementedError

    def get(self, key: str) -> int:
        """Not used by moving windows."""
        raise NotImplementedError

    def get_expiry(self, key: str) -> float:
        """Not used by moving windows."""
        raise NotImplementedError
