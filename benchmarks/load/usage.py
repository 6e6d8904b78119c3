"""CPU time and memory of a process."""

import time
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Usage:
    """The usage of a process at a moment."""

    at: float
    cpu: float
    memory: int

    def share(self, before: "Usage") -> float:
        """The share of one core since an earlier moment."""
        return (self.cpu - before.cpu) / (self.at - before.at)


def usage_of(pid: int) -> Usage:
    """The current usage of a process, without its children."""
    process = psutil.Process(pid)
    with process.oneshot():
        times, memory = process.cpu_times(), process.memory_info()
    return Usage(time.perf_counter(), times.user + times.system, memory.rss)
