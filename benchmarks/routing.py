"""What it gains to route all requests for a table to one server: ``python -m benchmarks.routing``.

Two servers on one PostgreSQL, with Redis. The two players of each game use the same server, or one each. A
server on SQLite plays the same games for comparison. CPU time is counted, not wall time, so other programs on
the machine matter less.
"""

import argparse
import asyncio
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import uvloop

from sanssouci.dealer import BulkStream
from sanssouci.store import Store
from tests.cluster.programs import Postgres, Program, Redis, free_port, postgres
from tests.faults.journal_clients import Journal, JournalledPlayer, PersistentClient
from tests.harness.process import ServerProcess

IDLE_SECONDS = 10.0


async def play(game: int, same: bool, journals: list[Journal]) -> None:
    """Play a game; its players are at the same server, or at two."""
    here = journals[game % len(journals)]
    there = here if same else journals[(game + 1) % len(journals)]
    ada, ben = await PersistentClient.guest(here, "Ada"), await PersistentClient.guest(there, "Ben")
    table = await ada.create_table("person", "open", edition="imperial")
    await ben.request("POST", f"/api/tables/{table}/seats", {"chair": 1}, x_sanssouci_key=table.join)
    try:
        await asyncio.gather(
            *(
                JournalledPlayer(one, table.id, chair).play()  # HTTP for one command in five
                for chair, one in enumerate((ada, ben))
            )
        )
    finally:
        await ada.close()
        await ben.close()


def cpu_seconds(program: Program) -> float:
    """Of a program and its processes, those that have ended too."""
    assert program._process is not None
    parent = psutil.Process(program._process.pid)
    ended = parent.cpu_times()
    times = [process.cpu_times() for process in (parent, *parent.children(recursive=True))]
    return sum(each.user + each.system for each in times) + ended.children_user + ended.children_system


async def measure(
    where: str, server: Postgres, redis: Redis, servers: list[ServerProcess], games: int, same: bool
) -> None:
    journals = [Journal(BulkStream(number), one.host) for number, one in enumerate(servers)]
    for journal in journals:
        journal.is_up.set()
    before = sum(one.cpu_seconds() for one in servers), cpu_seconds(server), cpu_seconds(redis)
    await asyncio.gather(*(play(game, same, journals) for game in range(games)))
    after = sum(one.cpu_seconds() for one in servers), cpu_seconds(server), cpu_seconds(redis)
    turns = sum(sent.acknowledged is not None for journal in journals for sent in journal.commands)
    used = [1000 * (new - old) / turns for new, old in zip(after, before, strict=True)]
    print(
        f"{where}: {turns:,} commands, {used[0]:.2f} ms of a core each at the servers,"
        f" {used[1]:.2f} at PostgreSQL, {used[2]:.2f} at Redis",
        flush=True,
    )


async def measure_idle(where: str, server: ServerProcess) -> None:
    before = server.cpu_seconds()
    await asyncio.sleep(IDLE_SECONDS)
    print(f"{where}: {(server.cpu_seconds() - before) / IDLE_SECONDS:.1%} of a core while idle", flush=True)


async def main(games: int, rounds: int) -> None:
    with ExitStack() as stack:
        server, redis = stack.enter_context(postgres()), Redis()
        stack.callback(redis.remove)
        url = server.new_database()
        Store.open(url).close()
        folder = Path(stack.enter_context(TemporaryDirectory()))
        environment = {
            "SANSSOUCI_DATA": url.render_as_string(hide_password=False),
            "SANSSOUCI_REDIS": redis.url,
        }
        servers = [
            stack.enter_context(ServerProcess(None, folder / f"log{port}", environment, port=port))
            for port in (free_port(), free_port())
        ]
        alone = stack.enter_context(ServerProcess(folder / "tables.db", folder / "log"))
        for one in (*servers, alone):
            one.start()
        for one in (*servers, alone):
            await one.listening()
            one.wait_until_ready()
        await asyncio.gather(measure_idle("SQLite", alone), measure_idle("PostgreSQL, Redis", servers[0]))
        ways = {
            "SQLite": ([alone], True),
            "one server for a table": (servers, True),
            "two servers for a table": (servers, False),
        }
        for number in range(rounds + 1):
            for name, way in ways.items():  # in the first round, caches are cold
                where = name if number else f"not counted: {name}"
                await measure(where, server, redis, way[0], games, way[1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="concurrent games")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(options.games, options.rounds))
