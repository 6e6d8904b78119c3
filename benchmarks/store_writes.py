"""Measures the store's writes: turns per second, waits and CPU time.

A turn is one event with the update of its game's row, in a new data file in the given folder or the current
one. Each player writes the next turn of a separate game as soon as the last one is on disk.
"""

import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter, process_time

from sanssouci.store import AddGame, AppendEvent, GameRow, Store, UpdateGame

BODY = '{"kind":"turn","turn":"36@2-g3/g3","chance":{"tile":"c","card":"45"},"at":1700000000.0}' * 5
SUMMARY = '{"players":["Wilhelmine","Friedrich"],"edition":"imperial","round":7}'


def row(game: str, seq: int) -> GameRow:
    """The row of a game."""
    return GameRow(game, 0.0, float(seq), "play", "open", 1 << seq % 2, None, seq, SUMMARY)


def turns(game: str) -> Iterator[tuple[AppendEvent, UpdateGame]]:
    """An endless sequence of turns."""
    seq = -1
    while True:
        seq += 1
        yield AppendEvent(game, seq, f"{game}-{seq:032x}", seq % 2, BODY, "0.1.0"), UpdateGame(row(game, seq))


def measure(store: Store, players: int, writes: int) -> tuple[float, float, list[float]]:
    """Wall seconds, CPU seconds, and the wait of every write."""
    games = {f"{players}-{player:030x}": perf_counter() for player in range(players)}
    for game in games:
        store.write(AddGame(row(game, -1), bytes(32))).result()
    upcoming = {game: turns(game) for game in games}
    done: SimpleQueue[str] = SimpleQueue()
    waits: list[float] = []

    def write(game: str) -> None:
        games[game] = perf_counter()
        future: Future[None] = store.write(*next(upcoming[game]))
        future.add_done_callback(lambda _: done.put(game))

    start, used = perf_counter(), process_time()
    for game in games:
        write(game)
    while len(waits) < writes:
        game = done.get()
        waits.append(perf_counter() - games[game])
        write(game)
    return perf_counter() - start, process_time() - used, sorted(waits)


def main() -> None:
    """Print a line for one player and one for a hundred."""
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    with tempfile.TemporaryDirectory(dir=folder) as place, Store.open(Path(place) / "games.db") as store:
        for players, writes in ((1, 3_000), (100, 15_000)):
            seconds, used, waits = measure(store, players, writes)
            p50, p99 = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
            print(
                f"{players:4} players: {writes / seconds:6.0f} turns/s, {used / writes * 1e6:4.0f} µs of CPU "
                f"time each, wait p50 {p50 * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, "
                f"max {waits[-1] * 1e3:.1f} ms (n = {writes})"
            )


if __name__ == "__main__":
    main()
