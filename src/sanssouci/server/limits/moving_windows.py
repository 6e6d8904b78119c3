"""Moving windows in memory: when each asker has asked, as far back as its limit looks.

The memory storage of ``limits`` keeps every asker for ever, starts a thread now and then, and reads the
clock of the wall. This one forgets, needs no thread, and goes by the clock that it is given.
"""

from collections import OrderedDict, deque
from collections.abc import Callable

from limits.storage import MovingWindowSupport, Storage

Clock = Callable[[], float]
"""Seconds; it never goes back."""


class MovingWindows(Storage, MovingWindowSupport):
    """A storage for ``MovingWindowRateLimiter`` that holds so many moments at most.

    Where there are more, those are forgotten first who have not asked for the longest time, denied or not.
    """

    STORAGE_SCHEME = None

    def __init__(self, clock: Clock, most: int) -> None:
        super().__init__()
        self._clock = clock
        self._most = most
        self._asked: OrderedDict[str, tuple[int, deque[float]]] = OrderedDict()
        """By key: how long a moment counts, and the moments, oldest first."""
        self._held = 0

    def __len__(self) -> int:
        """How many moments are held."""
        return self._held

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Whether there is room in the window, and if so, it is taken."""
        now = self._clock()
        moments = self._in_window(key, expiry, now)
        if len(moments) + amount > limit:
            return False
        moments.extend([now] * amount)
        self._held += amount
        self._asked[key] = (expiry, moments)
        self._forget(now)
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """The first moment in the window, and how many there are."""
        now = self._clock()
        moments = self._in_window(key, expiry, now)
        return (moments[0] if moments else now), len(moments)

    def _in_window(self, key: str, expiry: int, now: float) -> deque[float]:
        _, moments = self._asked.get(key, (expiry, deque()))
        if moments:
            self._asked.move_to_end(key)
        while moments and moments[0] <= now - expiry:
            moments.popleft()
            self._held -= 1
        return moments

    def _forget(self, now: float) -> None:
        """Keys whose last moment counts no more, and the oldest ones if there are too many."""
        while self._asked:
            expiry, moments = next(iter(self._asked.values()))
            if moments and moments[-1] > now - expiry and self._held <= self._most:
                return
            self._held -= len(moments)
            self._asked.popitem(last=False)

    def clear(self, key: str) -> None:
        """Forget one key."""
        _, moments = self._asked.pop(key, (0, deque()))
        self._held -= len(moments)

    def reset(self) -> int:
        """Forget all; how many keys there were."""
        count = len(self._asked)
        self._asked.clear()
        self._held = 0
        return count

    def check(self) -> bool:
        """Memory is always there."""
        return True

    @property
    def base_exceptions(self) -> type[Exception]:
        """Nothing goes wrong here that ``limits`` would have to wrap."""
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Not for moving windows."""
        raise NotImplementedError

    def get(self, key: str) -> int:
        """Not for moving windows."""
        raise NotImplementedError

    def get_expiry(self, key: str) -> float:
        """Not for moving windows."""
        raise NotImplementedError
