"""Limits open TCP connections, in total and per address, including idle ones.

Each connection uses a file descriptor. When the process runs out of them, nobody can connect and the store
cannot open files, so connections beyond the limit are closed on accept.

uvicorn has a limit for concurrent requests only, and none per address.
"""

import time
from collections import Counter
from contextlib import suppress

import structlog

from ..middleware.client_info import Network, is_trusted
from ..ops.logs import ThrottledWarning
from ..rate_limits import Clock, rate_limit_key

RESERVED_FILES = 100
"""File descriptors for other purposes: the data file, the workers, the log."""

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
        self._by_address: Counter[str] = Counter()
        self._warning = ThrottledWarning(_log, "too_many_connections", clock)

    def __len__(self) -> int:
        return self._by_address.total()

    def enter(self, address: str) -> bool:
        """Count a new connection; False if it exceeds a limit."""
        name = rate_limit_key(address)
        here = self._by_address[name]
        if len(self) >= self._max_connections or (
            here >= self._max_per_address and not is_trusted(address, self._trusted)
        ):
            self._warning.refuse(address=address, here=here, all=len(self))
            return False
        self._by_address[name] += 1
        return True

    def leave(self, address: str) -> None:
        name = rate_limit_key(address)
        self._by_address[name] -= 1
        if self._by_address[name] <= 0:
            del self._by_address[name]


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
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    files = None if soft == resource.RLIM_INFINITY else soft
    if files is not None and files < sockets + RESERVED_FILES:
        _log.warning("file_limit_too_low", files=files, sockets=sockets)
    return files
