"""Processes that tests start, on any system."""

import sys

import psutil
import pytest

LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc, or writes to /dev/full")


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False
