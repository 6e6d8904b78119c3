"""What Ray costs: ``python -m benchmarks.ray_overhead [ray://HOST:PORT]``; by default a new local cluster.

Ray's share is the time that worker processes wait between two batches. The work is sleeping, so that other
programs on the machine do not change the figures much.
"""

import os
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sanssouci.arena import ExecutorFault
from sanssouci.arena.ray_executor import LOCAL, RayExecutor
from sanssouci.arena.signals import Interruption

PROCESSORS = 2
SECONDS = 60
WARM_UP = 8
"""Batches of each process that are not measured: batches grow to their size."""


@dataclass(frozen=True, slots=True)
class Span:
    """When a batch ran, on the clock of its process."""

    process: int
    start: float
    end: float


@dataclass(frozen=True)
class Sleep:
    """A ``Task`` that sleeps."""

    seconds: float
    most_items: int = 1 << 20

    def prepare(self) -> None:
        pass

    def run(self, items: Sequence[int]) -> Span:
        start = time.perf_counter()
        for _ in items:
            time.sleep(self.seconds)
        return Span(os.getpid(), start, time.perf_counter())

    def crash_fault(self, item: int) -> ExecutorFault:
        return ExecutorFault("simulate.game_kills_worker", game=item, times=0)


def measure(executor: RayExecutor, task: Sleep, items: int) -> tuple[int, float, float]:
    """The number of batches, the mean seconds of work in one, and the mean seconds between two."""
    processes: dict[int, list[Span]] = defaultdict(list)
    with Interruption() as interruption:
        for span in executor.run(task, range(items), interruption):
            processes[span.process].append(span)
    pairs = [
        pair
        for spans in processes.values()
        for pair in pairwise(sorted(spans, key=lambda span: span.start)[WARM_UP:])
    ]
    work = sum(span.end - span.start for span, _ in pairs)
    pause = sum(after.start - before.end for before, after in pairs)
    return len(pairs), work / len(pairs), pause / len(pairs)


def main() -> None:
    address = sys.argv[1] if len(sys.argv) > 1 else LOCAL
    with RayExecutor(address, PROCESSORS if address == LOCAL else None) as executor:
        started = time.perf_counter()
        measure(executor, Sleep(0.0, most_items=1), 1000)
        print(f"an empty batch: {time.perf_counter() - started:.1f} ms")
        for item in (0.01, 0.2):
            batches, work, pause = measure(executor, Sleep(item), int(PROCESSORS * SECONDS / item))
            share = pause / (work + pause)
            print(f"{batches} batches of {work:.2f} s: {1000 * pause:.1f} ms between two, {share:.1%}")


if __name__ == "__main__":
    main()
