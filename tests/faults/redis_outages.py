r"""Failures of Redis while a game is played at two servers: turns go on, and arrive within two seconds.

::

    server 1 --\               /--> PostgreSQL
                +-- TCP proxy +--> Redis
    server 2 --/
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from sanssouci.cluster import redis_bus, redis_limits

from ..cluster.programs import Postgres, Redis, missing_redis
from ..cluster.tcp_proxy import TcpProxy, tcp_proxy
from ..harness.builders import NONCE, legal_command
from ..harness.client import Client, CreatedTable
from .report import Progress, Row

if TYPE_CHECKING:
    from ..harness.server import InProcessServer

TEST = "Redis away"
GOAL = "every turn stored; no announcement missing after 2 s"
MAX_DELAY = 2.0
AWAY = 60.0
"""Seconds that Redis is away, in the long form."""
Break = Callable[[Redis, TcpProxy], object]

FAULTS: dict[str, tuple[Break, Break]] = {
    "killed": (lambda redis, proxy: redis.stop(), lambda redis, proxy: redis.start()),
    "flushed": (lambda redis, proxy: redis.flush(), lambda redis, proxy: None),
    "cut": (lambda redis, proxy: proxy.cut(), lambda redis, proxy: proxy.repair()),
    "silent": (lambda redis, proxy: proxy.silence(), lambda redis, proxy: proxy.repair()),
    "slow": (lambda redis, proxy: proxy.slow_down(0.2), lambda redis, proxy: proxy.repair()),
}
SILENT = frozenset({"cut", "silent"})
"""Networks that fail; most of their time is spent waiting."""


class RedisGame:
    """A game at two servers; each turn is given at one and announced at the other."""

    def __init__(self, servers: "list[InProcessServer]") -> None:
        self.refused: list[str] = []
        self.delays: list[float] = []
        self._servers = servers
        self._table: CreatedTable
        self._client: Client

    async def begin(self) -> None:
        self._client = await self._servers[0].guest("Ada")
        self._table = await self._client.create_table("person", "person", first=0)
        for chair in (0, 1):
            await self._client.do(self._table, "ready", at=chair, nonce=NONCE)

    async def turn(self, number: int) -> None:
        """One turn, and the seconds until a socket at the other server has received it."""
        here, there = self._servers[number % 2], self._servers[(number + 1) % 2]
        if (await self._client.view(self._table))["stage"] == "over":
            await self.begin()
        client = here.client(dict(self._client.headers))
        view = await client.view(self._table)
        socket = await there.client(dict(self._client.headers)).connect(self._table, 0)
        await socket.receive()
        chair = view["waiting"][0]
        command = legal_command(await client.view(self._table, chair))
        answer = await client.command(self._table, at=chair, seq=view["seq"], **command)
        begun = time.monotonic()
        if answer.status_code == 200:
            await socket.catch_up(answer.json()["seq"])
            self.delays.append(time.monotonic() - begun)
        else:
            self.refused.append(f"{answer.status_code} {answer.text}")
        await socket.close()


@asynccontextmanager
async def _servers(
    server: Postgres, folder: Path, redis: Redis, proxy: TcpProxy
) -> "AsyncIterator[list[InProcessServer]]":
    from ..harness.server import InProcessServer  # it imports pytest

    url, address = server.new_database("template"), make_url(redis.url).set(port=proxy.port)
    servers = [InProcessServer(folder, name=f"server {number}", data=url) for number in range(2)]
    try:
        for one in servers:
            one.clock, one.committed = servers[0].clock, servers[0].committed
            one.bus, one.shared_limits = redis_bus(address), redis_limits(address)
            await one.open()
        yield servers
    finally:
        for one in servers:
            await one.close()


async def play_without_redis(
    server: Postgres, name: str, turns: int, seconds: float = 0.0
) -> tuple[list[str], list[float]]:
    """Play turns, and for so many seconds, while Redis is away, then again when it is back.

    Returns what was refused, and the delays of announcements.
    """
    begin, end = FAULTS[name]
    redis = Redis()
    try:
        with tcp_proxy(redis.port) as proxy, TemporaryDirectory() as folder:
            async with _servers(server, Path(folder), redis, proxy) as servers:
                game = RedisGame(servers)
                await game.begin()
                await asyncio.to_thread(begin, redis, proxy)
                until, number = time.monotonic() + seconds, 0
                while number < turns or time.monotonic() < until:
                    await game.turn(number)
                    number += 1
                await asyncio.to_thread(end, redis, proxy)
                for _ in range(turns):
                    await game.turn(number)
                    number += 1
                return game.refused, game.delays
    finally:
        redis.remove()


def redis_outages(server: Postgres, turns: int, whole: bool, progress: Progress) -> Row:
    reason = missing_redis()
    if reason is not None:
        return Row.not_run(TEST, GOAL, reason)
    refused: list[str] = []
    delays: list[float] = []
    for name in FAULTS:
        seconds = AWAY if whole and name == "killed" else 0.0
        found, took = asyncio.run(play_without_redis(server, name, turns, seconds))
        refused += found
        delays += took
        progress(f"Redis {name}: {len(took)} turns, announced after at most {max(took):.2f} s")
    examples = f" ({', '.join(refused[:2])})" if refused else ""
    measured = (
        f"{', '.join(FAULTS)}: {len(refused)} turns refused{examples}; announced at another server after at"
        f" most {max(delays):.2f} s"
    )
    sound = not refused and (not whole or max(delays) <= MAX_DELAY)
    return Row(TEST, len(delays), measured, GOAL, sound)
