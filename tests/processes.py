"""Checks on processes, and marks for tests that need features of some systems."""

import socket
import sys

import psutil
import pytest

LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc or /dev/full")


def _has_other_loopback_addresses() -> bool:
    try:
        socket.create_server(("127.0.0.2", 0)).close()
    except OSError:
        return False
    return True


LOOPBACK_NETWORK = pytest.mark.skipif(
    not _has_other_loopback_addresses(), reason="needs 127.0.0.2, which this system does not have"
)


def is_running(pid: int) -> bool:
    """Whether a process is running; a zombie is not."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False
