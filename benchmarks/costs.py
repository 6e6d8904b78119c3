"""What a game costs: memory, storage and thinking time, for docs/scaling.md: ``python -m benchmarks.costs``.

Plays games with random turns at a server on SQLite and, if PostgreSQL is installed, on PostgreSQL.
"""

import asyncio
import gzip
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from sanssouci.dealer import BulkGame
from sanssouci.kernel import search
from sanssouci.players import make_player
from sanssouci.rules import View
from sanssouci.server.tables.table_registry import read_events
from sanssouci.store import Store, export_games
from sanssouci.table import Table
from tests.cluster.programs import Postgres, missing, postgres
from tests.harness.builders import NONCE
from tests.harness.logs import captured_log
from tests.harness.server import InProcessServer, running_server

GAMES, COPIES = 20, 400
LEVELS = ("level:3", "level:4", "level:5", "level:6")


async def play(server: InProcessServer, games: int) -> list[str]:
    """Games of a person against a computer player that plays at random."""
    ada, tables = await server.guest("Ada"), []
    for _ in range(games):
        table = await ada.create_table("person", "random", edition="imperial", first=0)
        await ada.do(table, "ready", nonce=NONCE)
        await server.play_out(table, {0: ada})
        tables.append(table.id)
    return tables


async def on_sqlite() -> list[Table]:
    """Bytes of a stored game and of its export. Returns the games."""
    with TemporaryDirectory() as name, captured_log():
        folder = Path(name)
        async with running_server(folder, tables_per_guest=10_000) as server:
            ids = await play(server, GAMES)
            tables = [Table(one, read_events(server.store.events(one))) for one in ids]
        with Store.open(folder / "tables.db") as store:
            export_games(store, folder / "export")
        size, export = (folder / "tables.db").stat().st_size, (folder / "export").read_bytes()
    events = statistics.mean(table.seq + 1 for table in tables)
    packed = len(gzip.compress(export)) / GAMES
    print(f"a game has {events:.0f} events; on SQLite {size / GAMES / 1000:.0f} KB")
    print(f"its export has {len(export) / GAMES / 1000:.0f} KB, compressed {packed / 1000:.1f} KB")
    return tables


async def on_postgres(server: Postgres) -> None:
    url = server.new_database()
    sizes = "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables"
    with TemporaryDirectory() as name, captured_log():
        async with running_server(Path(name), data=url, tables_per_guest=10_000) as one:
            before = server.run(sizes, url.database or "")[0][0]
            log = server.run("SELECT pg_current_wal_lsn() - '0/0'")[0][0]
            await play(one, GAMES)
            written = server.run("SELECT pg_current_wal_lsn() - '0/0'")[0][0]
            after = server.run(sizes, url.database or "")[0][0]
    stored, logged = (int(str(new)) - int(str(old)) for new, old in ((after, before), (written, log)))
    print(f"on PostgreSQL {stored / GAMES / 1000:.0f} KB, and {logged / GAMES / 1000:.0f} KB of its log")


def memory(tables: list[Table]) -> None:
    """Of a finished game in memory, which has the most events."""
    logs = [(table.id, [table.event(seq) for seq in range(table.seq + 1)]) for table in tables]
    before, copies = psutil.Process().memory_info().rss, []
    for number in range(COPIES):
        copies.append(Table(*logs[number % len(logs)]))
    grown = psutil.Process().memory_info().rss - before
    print(f"a game in memory has {grown / COPIES / 1024:.0f} KiB")


@contextmanager
def cpu_seconds(times: list[float]) -> Iterator[None]:
    begun = time.process_time()
    yield
    times.append(time.process_time() - begun)


def thinking(tables: list[Table]) -> None:
    """CPU time of a turn of each level, and of a rollout."""
    views: list[View] = []
    for table in tables:
        for part in (3, 2):
            state = Table(table.id, [table.event(seq) for seq in range(table.seq // part)]).state.game
            if state is not None:
                views.append(state.view(state.to_move))
    for level in LEVELS:
        times: list[float] = []
        player = make_player(level, BulkGame(bytes(32), 1).stream(0))
        for view in views[:9]:
            with cpu_seconds(times):
                player.decide(view)
        print(f"a turn of {level}: {1000 * statistics.median(times[1:]):.0f} ms of a core (median)")
    times = []
    for view in views[:9]:
        with cpu_seconds(times):
            search(view, bytes(32), rollouts=5000)
    print(f"a rollout: {1e6 * statistics.median(times[1:]) / 5000:.0f} µs of a core")


if __name__ == "__main__":
    os.environ["NUMBA_NUM_THREADS"] = "1"
    played = asyncio.run(on_sqlite())
    if missing() is None:
        with postgres() as program:
            asyncio.run(on_postgres(program))
    memory(played)
    thinking(played)
