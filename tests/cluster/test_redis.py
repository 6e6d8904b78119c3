"""The bus on Redis: it carries versions of tables and nothing else, and play goes on without it."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, make_url

from sanssouci.cluster import News, TableNews, TablePresence, redis_bus
from sanssouci.cluster.bus import read_news
from sanssouci.server.tables import peer_sync, scheduler

from ..harness.builders import legal_command
from ..harness.server import InProcessServer
from ..workers.pools import run_with_timeout, until
from .programs import Redis
from .shared_servers import NEVER, check_sound, started

redis = pytest.importorskip("redis", reason="redis is not installed: pip install 'sanssouci-game[cluster]'")
HEALTH_CHECK = 0.5
"""Seconds between two pings."""


@asynccontextmanager
async def two_servers(folder: Path, url: URL, bus: Redis) -> AsyncIterator[list[InProcessServer]]:
    """Two servers whose buses are connected."""
    servers = [InProcessServer(folder, name=f"server {number}", data=url) for number in range(2)]
    for server in servers:
        server.clock, server.committed = servers[0].clock, servers[0].committed
        server.bus = redis_bus(make_url(bus.url))
        await server.open()
    try:
        await until(lambda: all(server.services.peer_sync.bus.connected for server in servers))
        yield servers
    finally:
        for server in servers:
            await server.close()


def test_events_arrive_by_redis_and_nothing_secret_does(
    tmp_path: Path, url: URL, redis_server: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that never asks the store learns of every event; messages name a table, version and chairs."""
    monkeypatch.setattr(peer_sync, "POLL_INTERVAL", NEVER)
    monkeypatch.setattr(scheduler, "SHARED_SWEEP_INTERVAL", NEVER)

    async def scenario() -> None:
        async with two_servers(tmp_path, url, redis_server) as (a, b):
            with redis.Redis(port=redis_server.port) as client, client.pubsub() as channel:
                channel.psubscribe("*")
                table, ada, bob = await started(a, b)
                socket = await bob.connect(table)
                await socket.receive()
                done = await ada.do(table, at=0, **legal_command(await ada.view(table, 0)))
                await socket.catch_up(done["seq"])
                messages = [message["data"] for _ in range(50) if (message := channel.get_message())]
            news = [read_news(data.decode()) for data in messages if isinstance(data, bytes)]
            changes = [one for one in news if isinstance(one, TableNews)]
            presence = [one for one in news if isinstance(one, TablePresence)]
            assert len(changes) + len(presence) == len(news) and changes
            assert all(one.seq <= done["seq"] and one.access < 10 for one in changes)
            assert {one.table for one in changes} | {one.table for one in presence} == {table.id}

    run_with_timeout(scenario())


def test_an_idle_bus_tests_its_connection_at_intervals(redis_server: Redis) -> None:
    """The answer to a ping is not taken for silence, which would cause the next ping at once."""

    async def scenario() -> None:
        bus, pings = redis_bus(make_url(redis_server.url)), 0
        running = asyncio.create_task(bus.run(lambda news: None))
        await until(lambda: bus.connected)
        with redis.Redis(port=redis_server.port) as client:
            client.config_resetstat()
            begun = time.monotonic()

            def is_tested() -> bool:
                nonlocal pings
                pings = client.info("commandstats").get("cmdstat_ping", {"calls": 0})["calls"]
                return bool(pings >= 3)

            await until(is_tested)
        most = 1 + (time.monotonic() - begun) / HEALTH_CHECK
        bus.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert pings <= most

    run_with_timeout(scenario())


def test_play_goes_on_without_redis(
    tmp_path: Path, url: URL, redis_server: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Redis is killed: events arrive within two seconds, ``/ready`` says so, and it comes back by itself."""

    async def scenario() -> None:
        async with two_servers(tmp_path, url, redis_server) as (a, b):
            table, ada, bob = await started(a, b)
            socket = await bob.connect(table)
            await socket.receive()
            redis_server.stop()
            await until(lambda: not a.services.peer_sync.bus.connected)
            ready = await a.client().request("GET", "/ready")
            assert (ready.status_code, ready.json()["bus"]) == (200, False)
            done = await ada.do(table, at=0, **legal_command(await ada.view(table, 0)))
            async with asyncio.timeout(2.0):
                await socket.catch_up(done["seq"])
            redis_server.start()
            await until(lambda: a.services.peer_sync.bus.connected)
            check_sound(b)

    with caplog.at_level(logging.WARNING):
        run_with_timeout(scenario())
    assert {"redis_away", "redis_back"} <= set(caplog.messages)


def test_messages_arrive_again_after_redis_was_restarted(redis_server: Redis) -> None:
    """The connection on which a bus has published is older than the restart, and is replaced."""

    async def scenario() -> None:
        bus, received = redis_bus(make_url(redis_server.url)), list[News]()
        running = asyncio.create_task(bus.run(received.append))
        for restarts in range(3):
            await until(lambda: bus.connected)
            news = TableNews("table", restarts, 0)
            bus.publish(news)
            await until(lambda news=news: news in received)  # type: ignore[misc]  # mypy infers no type
            assert bus.connected
            redis_server.stop()
            await until(lambda: not bus.connected)
            redis_server.start()
        bus.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    run_with_timeout(scenario())
