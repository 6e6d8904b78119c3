"""An allowance: so much at once, and then so much a second. What is not used is kept, up to the whole."""


class TokenBucket:
    """What one connection may still send; times are those of its event loop."""

    __slots__ = ("_left", "_rate", "_since", "_whole")

    def __init__(self, whole: float, rate: float, now: float) -> None:
        """All of it is there at first, and comes back at a rate."""
        self._whole = self._left = whole
        self._rate = rate
        self._since = now

    def take(self, amount: float, now: float) -> bool:
        """Use some of it; False if that was more than there is."""
        self._left = min(self._whole, self._left + (now - self._since) * self._rate) - amount
        self._since = now
        return self._left >= 0
