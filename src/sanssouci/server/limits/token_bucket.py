"""A token bucket: allows bursts up to a capacity, refilled at a constant rate."""


class TokenBucket:
    """Limits what one connection may send; times are those of the event loop."""

    __slots__ = ("_left", "_rate", "_since", "_whole")

    def __init__(self, whole: float, rate: float, now: float) -> None:
        self._whole = self._left = whole
        self._rate = rate
        self._since = now

    def take(self, amount: float, now: float) -> bool:
        """Take tokens; False if there were not enough."""
        self._left = min(self._whole, self._left + (now - self._since) * self._rate) - amount
        self._since = now
        return self._left >= 0
