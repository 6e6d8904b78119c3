"""Rate limits and quotas of several servers: they count together in Redis, and alone without it."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, make_url

from sanssouci.cluster import Denied, SharedLimits, Window, redis_limits
from sanssouci.server.rate_limits import read_rates

from ..harness.builders import legal_command, new_table
from ..harness.server import InProcessServer
from ..workers.pools import run_with_timeout
from .programs import Redis
from .shared_servers import at, started

Servers = list[InProcessServer]


@asynccontextmanager
async def counters(redis_server: Redis) -> AsyncIterator[SharedLimits]:
    limits = redis_limits(make_url(redis_server.url))
    try:
        yield limits
    finally:
        await limits.close()


@asynccontextmanager
async def servers(
    folder: Path, url: URL, redis_server: Redis, count: int = 2, **settings: Any
) -> AsyncIterator[Servers]:
    """Servers on one database, with one clock, that share their limits."""
    found: Servers = []
    async with AsyncExitStack() as stack:
        for number in range(count):
            server = InProcessServer(folder, name=f"server {number}", data=url, **settings)
            server.clock = found[0].clock if found else server.clock
            server.committed = found[0].committed if found else server.committed
            server.shared_limits = redis_limits(make_url(redis_server.url))
            await server.open()
            stack.push_async_callback(server.close)
            found.append(server)
        yield found


def test_a_window_counts_for_all_servers(redis_server: Redis) -> None:
    """Of 30 requests at three servers at once, ten are allowed, whatever other windows they count in."""

    async def scenario() -> None:
        async with counters(redis_server) as a, counters(redis_server) as b, counters(redis_server) as c:
            windows = [[Window("ann", 10, 3600), Window(f"other {n}", 100, 3600)] for n in range(3)]
            answers = await asyncio.gather(
                *(one.hit(each) for one, each in zip((a, b, c), windows, strict=True) for _ in range(10))
            )
            assert answers.count(None) == 10
            denied = [each for each in answers if each is not None]
            assert {each.window for each in denied} == {0}
            assert all(0 < each.seconds <= 7200 for each in denied)
            assert await a.hit([Window("bob", 10, 3600)]) is None

    run_with_timeout(scenario())


def test_denied_requests_count_nowhere(redis_server: Redis) -> None:
    """A request that one window denies takes nothing from the other."""

    async def scenario() -> None:
        async with counters(redis_server) as a, counters(redis_server) as b:
            assert await a.hit([Window("ann", 1, 3600)]) is None
            for limits in (a, b):
                denied = await limits.hit([Window("address", 2, 3600), Window("ann", 1, 3600)])
                assert isinstance(denied, Denied) and denied.window == 1
            assert [await a.hit([Window("address", 2, 3600)]) is None for _ in range(3)] == [
                True,
                True,
                False,
            ]

    run_with_timeout(scenario())


def test_a_window_moves(redis_server: Redis) -> None:
    """What was used counts at once, and the wait that is returned is long enough."""

    async def scenario() -> None:
        async with counters(redis_server) as limits:
            window = Window("ann", 5, 1)
            allowed = denied = 0
            while allowed < 15:
                answer = await limits.hit([window])
                if answer is None:
                    allowed += 1
                else:
                    denied += 1
                    assert 1 <= answer.seconds <= 2
                    await asyncio.sleep(answer.seconds)
            assert 2 <= denied <= 10
            used = Window("bytes", 100, 3600, taken=0, used=60)
            assert await limits.hit([used]) is None
            assert await limits.hit([used]) is not None, "120 of 100 bytes"
            assert await limits.hit([Window("bytes", 200, 3600, taken=0)]) is None

    run_with_timeout(scenario())


def test_a_guest_sends_no_more_with_more_servers(tmp_path: Path, url: URL, redis_server: Redis) -> None:
    """Requests alternate between two servers; together they accept what one would, by HTTP and by socket."""
    rates = read_rates("read=6/hour,command=4/hour,socket=100/hour")

    async def scenario() -> None:
        async with servers(tmp_path, url, redis_server, rates=rates, address_factor=1000) as both:
            table, ada, bob = await started(*both)
            sockets = [await at(one, ada).connect(table) for one in both]
            statuses = [
                (await at(both[number % 2], bob).request("GET", "/api/me")).status_code
                for number in range(10)
            ]
            assert 429 in statuses and statuses == sorted(statuses)
            answers = []
            for number in range(6):
                socket = sockets[number % 2]
                await socket.send_command("wear", 999, chair=0, colour="teal")
                answers.append((await socket.receive_until("refused"))["error"]["code"])
            assert answers[-1] == "server.too_often" and answers[0] != "server.too_often"

    run_with_timeout(scenario())


def test_an_address_stores_no_more_with_more_servers(tmp_path: Path, url: URL, redis_server: Redis) -> None:
    """The daily quota counts bytes of all servers, and its sentence is the same."""

    async def scenario() -> None:
        settings = {"megabytes_per_address": 1, "tables_per_guest": 1_000_000}
        async with servers(tmp_path, url, redis_server, **settings) as both:
            for server in both:
                server.services.limits.storage._max_bytes = 20_000
            ada = await both[0].guest("Ada")
            made = 0
            while (answer := await _new_table(at(both[made % 2], ada))).status_code == 201:
                made += 1
            assert answer.json()["error"]["code"] == "server.daily_quota"
            assert (await _new_table(at(both[(made + 1) % 2], ada))).status_code == 429
            stored = [server.services.limits.storage._added["127.0.0.1"][1] for server in both]
            assert max(stored) < 20_000 <= sum(stored) < 30_000

    run_with_timeout(scenario())


async def _new_table(client: Any) -> Any:
    return await client.request("POST", "/api/tables", new_table("person", "open"))


def test_a_guest_opens_no_more_tables_with_more_servers(
    tmp_path: Path, url: URL, redis_server: Redis
) -> None:
    """Of eight tables that are opened at two servers at once, three fit into the quota."""

    async def scenario() -> None:
        async with servers(tmp_path, url, redis_server, tables_per_guest=3) as both:
            ada = await both[0].guest("Ada")
            made = await asyncio.gather(*(_new_table(at(both[number % 2], ada)) for number in range(8)))
            assert sorted(answer.status_code for answer in made) == [201] * 3 + [409] * 5

    run_with_timeout(scenario())


def test_play_goes_on_with_limits_per_server(
    tmp_path: Path, url: URL, redis_server: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Redis is killed: each server counts alone, with one line in the log, and ``/ready`` says so."""

    async def scenario() -> None:
        async with servers(
            tmp_path, url, redis_server, rates=read_rates("hint=3/hour,read=1000/hour")
        ) as both:
            table, ada, _ = await started(*both)
            redis_server.stop()
            for number in range(6):
                await at(both[number % 2], ada).get("/api/me")
            ready = await both[0].client().request("GET", "/ready")
            assert (ready.status_code, ready.json()["limits"]) == (200, False)
            await ada.do(table, at=0, **legal_command(await ada.view(table, 0)))
            path = f"/api/tables/{table}/hint"
            hints = [await at(both[1], ada).request("POST", path, {}) for _ in range(4)]
            assert [hint.status_code == 429 for hint in hints] == [False, False, False, True]
            redis_server.start()
            for server in both:
                while not (await server.client().request("GET", "/ready")).json()["limits"]:
                    await asyncio.sleep(0.05)

    with caplog.at_level(logging.WARNING):
        run_with_timeout(scenario())
    assert caplog.messages.count("limits_per_server") == 2, "one line for each server"
    assert caplog.messages.count("limits_shared_again") == 2
