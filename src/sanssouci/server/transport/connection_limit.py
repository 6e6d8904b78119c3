"""Limits open TCP connections, in total and per address, including idle ones.

Each connection uses a file descriptor. When the process runs out of them, nobody can connect and the store
cannot open files, so connections beyond the limit are closed on accept.

uvicorn has a limit for concurrent requests only, and none per address.
"""

import time
from collections import Counter
from collections.abc import Callable

import structlog

from ..limits.moving_windows import Clock
from ..limits.rate_limits import rate_limit_key
from ..middleware.proxy_headers import Network, is_trusted

RESERVED_FILES = 100
"""File descriptors for other purposes: the data file, the workers, the log."""
_LOG_INTERVAL = 60.0
"""Seconds between two log lines about refused connections, so a flood does not flood the log."""

_log = structlog.stdlib.get_logger("sanssouci.server.transport.connection_limit")


class ConnectionLimit:
    """Counts connections; for one event loop."""

    def __init__(
        self,
        max_connections: int,
        max_per_address: int,
        trusted: tuple[Network, ...] = (),
        clock: Clock = time.monotonic,
    ) -> None:
        """Trusted proxies have no limit per address, because they forward many clients."""
        self._max_connections = max_connections
        self._max_per_address = max_per_address
        self._trusted = trusted
        self._clock = clock
        self._by_address: Counter[str] = Counter()
        self._refused = 0
        self._logged_at: float | None = None

    def __len__(self) -> int:
        return self._by_address.total()

    def enter(self, address: str) -> bool:
        """Count a new connection; False if it exceeds a limit."""
        name = rate_limit_key(address)
        here = self._by_address[name]
        if len(self) >= self._max_connections or (
            here >= self._max_per_address and not is_trusted(address, self._trusted)
        ):
            self._refuse(address, here)
            return False
        self._by_address[name] += 1
        return True

    def leave(self, address: str) -> None:
        name = rate_limit_key(address)
        self._by_address[name] -= 1
        if self._by_address[name] <= 0:
            del self._by_address[name]

    def _refuse(self, address: str, here: int) -> None:
        self._refused += 1
        now = self._clock()
        if self._logged_at is None or now - self._logged_at >= _LOG_INTERVAL:
            _log.warning(
                "too_many_connections", address=address, here=here, all=len(self), refused=self._refused
            )
            self._logged_at, self._refused = now, 0


def max_connections(sockets: int, files: int | None) -> int:
    """Connections to allow: some more than sockets, for requests, but fewer than file descriptors."""
    wanted = sockets + 1000
    return wanted if files is None else max(1, min(wanted, files - RESERVED_FILES))


def raise_file_limit(sockets: int) -> int | None:
    """Raise the process's limit of open files (RLIMIT_NOFILE) and return it; None if unlimited or unknown.

    The default is often as low as 1024 or 256, and a process may raise its own.
    """
    try:
        import resource  # noqa: PLC0415 - not every system has it
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = sockets + 1000 + RESERVED_FILES if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < most:
        soft = _try_raise(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard)), soft, most)
    files = None if soft == resource.RLIM_INFINITY else soft
    if files is not None and files < sockets + RESERVED_FILES:
        _log.warning("file_limit_too_low", files=files, sockets=sockets)
    return files


def _try_raise(change: Callable[[], None], before: int, after: int) -> int:
    try:
        change()
    except (OSError, ValueError):
        return before
    return after
