"""Connections: how many are open, of all and of each address, whether anything was said on them or not.

Each takes a file of the process, and a process has only so many. So those beyond a limit are ended as they
come; where files ran out, nobody could come any more, and the store could open nothing.
"""

import time
from collections import Counter
from collections.abc import Callable

import structlog

from ..limits.moving_windows import Clock
from ..limits.rate_limits import rate_limit_key
from ..middleware.proxy_headers import Network, is_trusted

OTHER_FILES = 100
"""Files that are no connections: the data, the workers, the log ..."""
_LINE_EVERY = 60.0
"""Seconds between two lines about connections that were refused: whoever floods would flood the log too."""

_log = structlog.stdlib.get_logger("sanssouci.server.transport.connection_limit")


class ConnectionLimit:
    """Counts connections; for one event loop."""

    def __init__(
        self, most: int, most_each: int, trusted: tuple[Network, ...] = (), clock: Clock = time.monotonic
    ) -> None:
        """So many of all, and of each address; a trusted proxy may have any number, for it brings others."""
        self._most = most
        self._most_each = most_each
        self._trusted = trusted
        self._clock = clock
        self._from: Counter[str] = Counter()
        self._refused = 0
        self._told: float | None = None

    def __len__(self) -> int:
        return self._from.total()

    def enter(self, address: str) -> bool:
        """One more is open, if it may be."""
        name = rate_limit_key(address)
        here = self._from[name]
        if len(self) >= self._most or (here >= self._most_each and not is_trusted(address, self._trusted)):
            self._refuse(address, here)
            return False
        self._from[name] += 1
        return True

    def leave(self, address: str) -> None:
        """One that was open is not."""
        name = rate_limit_key(address)
        self._from[name] -= 1
        if self._from[name] <= 0:
            del self._from[name]

    def _refuse(self, address: str, here: int) -> None:
        self._refused += 1
        now = self._clock()
        if self._told is None or now - self._told >= _LINE_EVERY:
            _log.warning(
                "too many connections", address=address, here=here, all=len(self), refused=self._refused
            )
            self._told, self._refused = now, 0


def room(sockets: int, files: int | None) -> int:
    """How many connections there may be: some more than sockets, for requests, but never more than files."""
    wanted = sockets + 1000
    return wanted if files is None else max(1, min(wanted, files - OTHER_FILES))


def raise_files(sockets: int) -> int | None:
    """Let the process open as many files as it may: how many; None where no system says so.

    What a process may open is little by custom, 1024 or 256, and any user can have it raised.
    """
    try:
        import resource  # noqa: PLC0415 - not every system has it
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = sockets + 1000 + OTHER_FILES if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < most:
        soft = _raised(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard)), soft, most)
    files = None if soft == resource.RLIM_INFINITY else soft
    if files is not None and files < sockets + OTHER_FILES:
        _log.warning("too few files for so many sockets", files=files, sockets=sockets)
    return files


def _raised(change: Callable[[], None], before: int, after: int) -> int:
    try:
        change()
    except (OSError, ValueError):
        return before
    return after
