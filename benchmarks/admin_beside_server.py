"""Measures how long a server's writes wait while admin commands prune and vacuum beside it.

A process writes small turns to a data file of about 100 MB and records how long each takes, first alone, then
while half of the file is pruned, then shrunk.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Thread

from sanssouci.store import AddGame, AppendEvent, GameRow, Store

from .store_writes import BODY, SUMMARY, turns

GAMES, EVENTS = 1400, 90
ADMIN = (sys.executable, "-m", "sanssouci", "admin")


def fill(store: Store) -> None:
    """Games of which every second one is so old that it is pruned."""
    for number in range(GAMES):
        at = 0.0 if number % 2 else time.time()
        row = GameRow(f"g{number:015d}", at, at, "playing", "open", 0, None, EVENTS - 1, SUMMARY)
        events = [AppendEvent(row.id, seq, f"c{seq}", 0, BODY, "1") for seq in range(EVENTS)]
        store.write(AddGame(row, b"x" * 32), *events).result()


class Writes(Thread):
    """Writes turns until it is stopped."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.waits: list[float] = []
        self._store, self._stopped = store, Event()

    def run(self) -> None:
        for event, update in turns("live"):
            if self._stopped.wait(0.002):
                return
            begun = time.perf_counter()
            self._store.write(event, update).result()
            self.waits.append(time.perf_counter() - begun)

    def stop(self) -> str:
        self._stopped.set()
        self.join()
        waits = sorted(1000 * wait for wait in self.waits)
        middle, late = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
        return f"p50 {middle:.1f} ms, p99 {late:.1f} ms, max {waits[-1]:.1f} ms (n = {len(waits)})"


def measure(store: Store, name: str, *command: str) -> None:
    writes = Writes(store)
    store.delete(["live"])
    store.write(AddGame(GameRow("live", 0.0, time.time(), "over", "open", 0, None, -1, ""), b"")).result()
    writes.start()
    begun = time.perf_counter()
    if command:
        line = [*ADMIN, *command, "--data", str(store.path)]
        done = subprocess.run(line, check=True, capture_output=True, text=True)
        told = (done.stdout.splitlines() or done.stderr.splitlines() or [""])[-1]
    else:
        time.sleep(5)
        told = ""
    print(f"{name:>7}: {time.perf_counter() - begun:5.1f} s, {writes.stop()}  {told[:80]}")


def main() -> None:
    parent = sys.argv[1] if len(sys.argv) > 1 else "."
    with tempfile.TemporaryDirectory(dir=parent) as folder, Store.open(Path(folder, "tables.db")) as store:
        fill(store)
        print(f"{store.path.stat().st_size / 1e6:.0f} MB")
        measure(store, "alone")
        measure(store, "prune", "prune", "--yes", "--games", "1", "--json")
        measure(store, "vacuum", "vacuum")


if __name__ == "__main__":
    main()
