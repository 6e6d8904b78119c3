"""Rate limits and quotas that count for all servers together."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Window:
    """At most ``amount`` in any ``seconds``."""

    key: str
    amount: int
    seconds: int
    taken: int = 1
    """What the request takes if it is allowed."""
    used: int = 0
    """What was used before; counted in any case."""


@dataclass(frozen=True, slots=True)
class Denied:
    window: int
    """The number of the window with the longest wait."""
    seconds: int


class SharedLimits(Protocol):
    @property
    def connected(self) -> bool:
        """Whether requests at other servers count at present."""

    async def hit(self, windows: Sequence[Window]) -> Denied | None:
        """Count a request in all windows, unless one of them is full.

        ``LimitsUnavailable`` if the counters cannot be reached: then each server counts alone.
        """

    def lock(self, name: str) -> AbstractAsyncContextManager[None]:
        """Keep other servers out for a few seconds at most; nobody is kept out if Redis is away."""

    async def close(self) -> None: ...


class LimitsUnavailable(Exception):
    """The shared counters cannot be reached."""


class NoSharedLimits:
    """For a server that counts alone."""

    connected = True

    async def hit(self, windows: Sequence[Window]) -> Denied | None:
        return None

    @asynccontextmanager
    async def lock(self, name: str) -> AsyncIterator[None]:
        yield

    async def close(self) -> None: ...
