"""Processes that tests start, on any system, and what only some systems have."""

import socket
import sys

import psutil
import pytest

LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc, or writes to /dev/full")


def _has_other_loopback_addresses() -> bool:
    try:
        socket.create_server(("127.0.0.2", 0)).close()
    except OSError:
        return False
    return True


LOOPBACK_NETWORK = pytest.mark.skipif(
    not _has_other_loopback_addresses(), reason="it uses 127.0.0.2, and this system answers at 127.0.0.1 only"
)


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False
