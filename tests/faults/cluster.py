"""Several servers on PostgreSQL: conflicts, kill -9, failures of the database and of Redis, and moving.

::

    clients --> load balancer --> server 1 ... server 3 --> PostgreSQL
                                       \\--- Redis ---/

Run as ``python -m tests.faults cluster``. The programs of PostgreSQL and Redis must be installed.
"""

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from unittest.mock import patch

import uvloop
from sqlalchemy import URL

from sanssouci.dealer import BulkStream
from sanssouci.server.tables.table_registry import Dependencies, TableRegistry
from sanssouci.store import (
    Add,
    AddGame,
    Change,
    Store,
    copy_games,
    export_games,
    open_snapshot,
)

from ..cluster.balancer import Balancer, balancing
from ..cluster.programs import Postgres, Redis, free_port, missing, missing_redis, postgres
from ..harness.client import Client
from ..harness.process import ServerProcess
from ..harness.transports import TcpTransport
from ..player_packages import install
from ..share import Share
from ..store.builders import SEED, a_game, a_guest, an_event
from .audit import Findings, audit
from .authorisation import at_two_servers
from .conflicts import MAX_CLIENTS, Rounds
from .conflicts import Report as ConflictReport
from .database_outages import outages
from .journal_clients import Journal, SentCommand, Wait
from .kill import ComputerCrowd, Crowd
from .redis_outages import redis_outages
from .report import Fault, Progress, Row
from .targets import Answer, RegistryTarget, ServerTarget, no_fault

T = TypeVar("T")
TEST = "several servers"
GOAL = "one winner each, nothing acknowledged lost, recovery ≤ 5 s"
SERVERS = 3
ROUNDS, KILLS, RESTARTS, GAMES, OUTAGES, COPIED = 20_000, 300, 30, 30, 5, 10_000
OVER_TCP = 4_000
"""Rounds of conflicts at server processes; in the registries a round takes a tenth of the time."""
REDIS_TURNS = 30
CLOCK_TURNS = 200
MAX_WAIT = 3.0
SLOW = 1.0
"""Seconds for a computer player's turn that had to be taken over."""
THINK_MS = 4000
"""Players think during rolling restarts: servers that are overloaded keep everyone waiting anyway."""
COMPUTER_GAMES, WORKERS = 4, 2
PONDERING = """
    import time

    from sanssouci.players import RandomPlayer


    class Pondering(RandomPlayer):
        def decide(self, view):
            time.sleep(0.3)
            return super().decide(view)
"""
"""A computer player whose turns last long enough for its worker to be killed meanwhile."""


class SharedTarget(RegistryTarget):
    """The registries of three servers on one database; each command goes to the next of them."""

    name = "at three servers"

    def __init__(self, url: URL, data: Path) -> None:
        self.data = data
        self.table = ""
        self._url = url
        self._seats = self._rounds = 0
        self._plant_fault = no_fault
        self._stores = [Store.open(url) for _ in range(SERVERS)]
        self._registries = [
            TableRegistry(store, Dependencies(), lambda live_table: None) for store in self._stores
        ]
        self._store, self._registry = self._stores[0], self._registries[0]

    def __exit__(self, *error: object) -> None:
        for store in self._stores:
            store.close()
        move_to_file(self._url, self.data)

    async def send(self, commands: list[SentCommand]) -> list[list[Answer]]:
        """Send all commands at once, one after the other to each server in turn."""
        tables = [await registry.table(self.table) for registry in self._registries]

        async def send(number: int, sent: SentCommand) -> list[Answer]:
            self._registry = self._registries[number % SERVERS]
            return await self._send(tables[number % SERVERS], sent)

        return await asyncio.gather(*(send(*each) for each in enumerate(commands)))


def move_to_file(url: URL, path: Path) -> None:
    """Copy a database to a data file, which the audit reads."""
    with open_snapshot(url) as snapshot, Store.open(path) as file:
        assert snapshot is not None, "it has the current schema"
        copy_games(snapshot, file)


def conflicts(server: Postgres, rounds: int, seed: int, progress: Progress) -> ConflictReport:
    """Rounds of conflicting commands at three servers."""
    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        with SharedTarget(server.new_database("template"), Path(folder, "tables.db")) as target:
            played = Rounds(target, BulkStream(seed))
            runner.run(played.play(rounds, progress))
        played.audit()
    return played.report


async def conflicts_over_tcp(server: Postgres, rounds: int, seed: int, progress: Progress) -> ConflictReport:
    """The same at three server processes; the load balancer gives each a third of the sockets."""
    url = server.new_database("template")
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with running_cluster(url, folder) as (_, balancer):
            client = await Client(TcpTransport(balancer.host)).as_guest("Ada")
            target = ServerTarget(folder / "tables.db", client, MAX_CLIENTS, "at three server processes")
            played = Rounds(target, BulkStream(seed))
            try:
                await played.play(rounds, progress)
            finally:
                await target.close()
        move_to_file(url, target.data)
        played.audit()
    return played.report


class Cluster:
    """Server processes on one database, behind a load balancer."""

    def __init__(
        self, balancer: Balancer, url: URL, folder: Path, redis: str | None, **settings: str
    ) -> None:
        environment = {
            **settings,
            "SANSSOUCI_DATA": url.render_as_string(hide_password=False),
            "SANSSOUCI_PUBLIC_URL": f"http://{balancer.host}",
            **({} if redis is None else {"SANSSOUCI_REDIS": redis}),
        }
        ports = [free_port() for _ in range(SERVERS)]
        self.balancer = balancer
        self.servers = [ServerProcess(None, folder / f"log{port}", environment, port=port) for port in ports]
        balancer.ports = ports

    async def start(self) -> None:
        for server in self.servers:
            server.start()
        for server in self.servers:
            await server.listening()


@asynccontextmanager
async def running_cluster(
    url: URL, folder: Path, redis: str | None = None, **settings: str
) -> AsyncIterator[tuple[Cluster, Balancer]]:
    """Three servers that accept connections, and their load balancer."""
    async with AsyncExitStack() as stack:
        balancer = await stack.enter_async_context(balancing())
        cluster = Cluster(balancer, url, folder, redis, **settings)
        for server in cluster.servers:
            stack.enter_context(server)
        await cluster.start()
        yield cluster, balancer


async def kill(
    server: Postgres, kills: int, games: int, seed: int, progress: Progress, timed: bool = True
) -> Row:
    """Kill a random server again and again while games are played at all of them."""
    chance, stalls = BulkStream(seed), [0.0]

    async def kill_servers(cluster: Cluster, crowd: Crowd) -> None:
        last = time.monotonic()

        def note(_: int) -> None:
            nonlocal last
            stalls.append(time.monotonic() - last)
            last = time.monotonic()

        crowd.journal.on_acknowledged = note
        for number in range(kills):
            victim = cluster.servers[chance.below(SERVERS)]
            victim.kill()
            victim.start()
            await victim.listening()
            await asyncio.sleep(chance.below(500) / 1000)
            progress(f"{number + 1} of {kills} kills, longest wait for a turn {max(stalls):.2f} s")

    played = await _under_load(server, games, chance, kill_servers)
    measured = f"{played}; no turn acknowledged for at most {max(stalls):.2f} s"
    in_time = not timed or max(stalls) <= MAX_WAIT
    return Row(
        "kill -9 of servers",
        kills,
        measured,
        "0 lost, 0 twice, 0 gaps; play goes on ≤ 3 s",
        played.sound and in_time,
    )


async def kill_workers(server: Postgres, kills: int, seed: int, progress: Progress, timed: bool) -> Row:
    """Kill a random server or worker again and again while people play against computer players.

    A turn may be hit by several kills, and each may cost it three seconds.
    """
    test, goal = "kill -9 of servers and workers", "0 lost, 0 twice, 0 gaps; a turn takes ≤ 3 s for each kill"
    reason = missing_redis()
    if reason is not None:
        return Row.not_run(test, goal, reason)
    from ..cluster.worker_program import WorkerProgram  # needs streaq

    chance, killed = BulkStream(seed), Counter[str]()
    waits: list[Wait] = []
    moments: list[float] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        install(folder, "pondering", PONDERING, pondering="Pondering")
        stack.enter_context(patch.dict(os.environ, PYTHONPATH=str(folder)))
        redis = Redis()
        stack.callback(redis.remove)
        workers = [WorkerProgram(redis, "pondering") for _ in range(WORKERS)]
        for worker in workers:
            stack.callback(worker.remove)
            worker.start()

        async def kill_any(cluster: Cluster, crowd: Crowd) -> None:
            crowd.journal.think_ms = THINK_MS // 2
            crowd.journal.other_turns.clear()  # the servers' own processes have just been started
            for number in range(kills):
                victim = chance.below(SERVERS + WORKERS)
                moments.append(time.monotonic())
                if victim < SERVERS:
                    killed["servers"] += 1
                    one = cluster.servers[victim]
                    one.kill()
                    one.start()
                    await one.listening()
                else:
                    killed["workers"] += 1
                    worker = workers[victim - SERVERS]
                    worker.stop()
                    await asyncio.to_thread(worker.start)
                await asyncio.sleep(chance.below(500) / 1000)
                longest = max((wait.seconds for wait in crowd.journal.other_turns), default=0.0)
                progress(f"{number + 1} of {kills} kills, longest turn of a computer player {longest:.2f} s")
            waits.extend(crowd.journal.other_turns)
            waits.extend(player.waits for player in crowd.players if player.waits is not None)

        played = await _under_load(
            server,
            COMPUTER_GAMES,
            chance,
            kill_any,
            ComputerCrowd,
            SANSSOUCI_REDIS=redis.url,
            SANSSOUCI_PLAYERS="pondering",
        )
    counts = " and ".join(f"{count} {name}" for name, count in sorted(killed.items()))
    longest: dict[int, float] = {}
    for wait in waits:
        hits = max(1, sum(wait.since < moment < wait.until for moment in moments))
        longest[hits] = max(longest.get(hits, 0.0), wait.seconds)
    measured = (
        f"{counts} killed: {played}; {len(waits):,} turns of computer players, "
        f"{sum(wait.seconds > SLOW for wait in waits)} above {SLOW:.0f} s; the slowest took "
        + ", ".join(f"{longest[hits]:.2f} s (kills during it: {hits})" for hits in sorted(longest))
    )
    in_time = all(seconds <= MAX_WAIT * hits for hits, seconds in longest.items())
    return Row(test, kills, measured, goal, played.sound and (not timed or in_time))


async def rolling_restarts(
    server: Postgres, restarts: int, games: int, seed: int, progress: Progress, timed: bool = True
) -> Row:
    """Stop one server after the other with SIGTERM, and start it again, while games are played at all."""
    waits = [0.0]

    async def restart_servers(cluster: Cluster, crowd: Crowd) -> None:
        checking = asyncio.create_task(cluster.balancer.check_health())
        try:
            for number in range(restarts):
                first = len(crowd.journal.commands)
                crowd.journal.think_ms = THINK_MS
                one = cluster.servers[number % SERVERS]
                status = await asyncio.to_thread(one.stop)
                one.start()
                await cluster.balancer.is_ready(one.port)
                if status:
                    crowd.journal.wrong_answers.append(f"exit status {status}")
                waits.extend(sent.waited for sent in crowd.journal.commands[first:] if sent.answered)
                progress(f"{number + 1} of {restarts} restarts, longest wait for a turn {max(waits):.2f} s")
        finally:
            checking.cancel()

    played = await _under_load(server, games, BulkStream(seed), restart_servers, SANSSOUCI_DRAIN_SECONDS="1")
    usual = sorted(waits)[int(len(waits) * 0.99)]
    measured = f"{played}; a player waited for an answer at most {max(waits):.2f} s (99 %: {usual:.2f} s)"
    sound = played.sound and (not timed or max(waits) <= MAX_WAIT)
    return Row(
        "rolling restarts", restarts, measured, "0 lost, 0 twice, 0 gaps; no player waits > 3 s", sound
    )


@dataclass(frozen=True)
class _Played:
    """What a crowd has noticed, compared with the database."""

    findings: Findings
    wrong: list[str]
    done: int
    games: int

    @property
    def sound(self) -> bool:
        return not self.findings and not self.wrong and self.done > 0

    def __str__(self) -> str:
        examples = f" ({'; '.join(self.wrong[:2])})" if self.wrong else ""
        return (
            f"{self.findings}, {len(self.wrong)} wrong answers{examples}, "
            f"of {self.done:,} acknowledged in {self.games} games"
        )


async def _under_load(
    server: Postgres,
    games: int,
    chance: BulkStream,
    act: Callable[["Cluster", Crowd], Awaitable[None]],
    kind: type[Crowd] = Crowd,
    **settings: str,
) -> _Played:
    """Play games at three servers while ``act`` does something to them."""
    url = server.new_database("template")
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with running_cluster(url, folder, **settings) as (cluster, balancer):
            journal = Journal(chance, balancer.host)
            journal.is_up.set()
            crowd = kind(journal, chance)
            async with crowd.playing(games):
                await crowd.wait_for(crowd.all_play)
                await act(cluster, crowd)
        move_to_file(url, folder / "tables.db")
        findings = audit(folder / "tables.db", journal.commands, crowd.players)
    findings.gaps += journal.gaps
    done = sum(sent.acknowledged is not None for sent in journal.commands)
    wrong = [text for text in journal.wrong_answers if "no ticket" not in text]
    return _Played(findings, wrong, done, games)


def interference(server: Postgres, share: Share, progress: Progress) -> Row:
    from .interference.two_servers import PAIRS, compare_at_two_servers  # loading the server is slow

    return compare_at_two_servers(server, range(share.number - 1, PAIRS, share.of), 1, progress)


def different_clocks(server: Postgres, turns: int, progress: Progress) -> Row:
    from ..cluster.clocks import play_with_different_clocks  # loading the server is slow

    progress(f"{turns} turns")
    wrong = play_with_different_clocks(server.new_database("template"), turns)
    measured = "; ".join(wrong[:3]) if wrong else "deadlines equal at both servers, none early or late"
    goal = "no turn timed out early; deadlines use the database's time"
    return Row("clocks of two servers 5 s apart", turns, measured, goal, not wrong)


def copies(server: Postgres, games: int, progress: Progress) -> Row:
    """SQLite → PostgreSQL → SQLite."""
    progress(f"moving {games} games")
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        first = stack.enter_context(Store.open(folder / "first.db"))
        first.write_all(_many_games(games)).result()
        there = stack.enter_context(Store.open(server.new_database()))
        back = stack.enter_context(Store.open(folder / "back.db"))
        copy_games(first, there)
        copy_games(there, back)
        exports = [folder / f"{number}.jsonl" for number in range(3)]
        for store, path in zip((first, there, back), exports, strict=True):
            export_games(store, path)
        equal = len({path.read_bytes() for path in exports}) == 1
    measured = "byte-equal exports" if equal else "the exports differ"
    return Row("SQLite → PostgreSQL → SQLite", games, measured, "byte-equal", equal)


def _many_games(games: int) -> Iterator[Change]:
    yield Add(a_guest())
    for number in range(games):
        name = f"g{number:06}"
        yield AddGame(a_game(name, seq=39), SEED)
        for seq in range(40):
            yield an_event(seq, name)


def _run(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def _conflict_row(server: Postgres, progress: Progress, share: Share) -> Row:
    report = conflicts(server, share.part(ROUNDS - OVER_TCP), share.seed, progress)
    report.add(_run(conflicts_over_tcp(server, share.part(OVER_TCP), share.seed, progress)))
    return replace(report.row(), test="conflicts at three servers")


Part = Callable[[Postgres, Progress, Share], Row]
PARTS: dict[str, Part] = {
    "conflicts": _conflict_row,
    "kill": lambda server, progress, share: _run(
        kill(server, share.part(KILLS), GAMES, share.seed, progress, share.is_whole)
    ),
    "workers": lambda server, progress, share: _run(
        kill_workers(server, share.part(KILLS), share.seed, progress, share.is_whole)
    ),
    "restarts": lambda server, progress, share: _run(
        rolling_restarts(server, share.part(RESTARTS), GAMES, share.seed, progress, share.is_whole)
    ),
    "database": lambda server, progress, share: outages(
        server, share.part(OUTAGES), progress, share.is_whole
    ),
    "redis": lambda server, progress, share: redis_outages(
        server, share.part(REDIS_TURNS), share.is_whole, progress
    ),
    "clocks": lambda server, progress, share: different_clocks(server, share.part(CLOCK_TURNS), progress),
    "authorisation": at_two_servers,
    "interference": lambda server, progress, share: interference(server, share, progress),
    "copies": lambda server, progress, share: copies(server, share.part(COPIED), progress),
}


def rows(progress: Progress, share: Share, parts: Collection[str] = tuple(PARTS)) -> list[Row]:
    """The rows of some parts, or what is missing for them."""
    reason = missing()
    if reason is not None:
        return [Row.not_run(TEST, GOAL, reason)]
    with postgres() as server:
        server.run("CREATE DATABASE template")
        Store.open(server.url("template")).close()
        return [PARTS[part](server, progress, share) for part in parts]


FAULT = Fault("cluster", TEST, GOAL, rows, {part: partial(rows, parts=(part,)) for part in PARTS})
