"""The bus on Redis publish/subscribe, which stores nothing and delivers each message at most once."""

import asyncio
import logging
from collections.abc import Callable

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from .bus import News, read_news

_CHANNEL = "sanssouci:tables"
_MAX_QUEUED = 10_000
"""Messages that wait for Redis; more are dropped."""
_RETRY_DELAY = 0.5
"""Seconds between two attempts to connect."""
_HEALTH_CHECK = 0.5
"""Seconds after which a silent connection is tested."""

_log = logging.getLogger("sanssouci.cluster")


class RedisBus:
    def __init__(self, client: Redis) -> None:
        self._client = client
        self._queue: asyncio.Queue[News] = asyncio.Queue(_MAX_QUEUED)
        self._was_lost = False
        self._closed = False
        self.connected = False

    def close(self) -> None:
        self._closed = True

    def publish(self, news: News) -> None:
        if self.connected and not self._queue.full():
            self._queue.put_nowait(news)

    async def run(self, receive: Callable[[News], None]) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._send())
                tasks.create_task(self._receive(receive))
        finally:
            await self._client.aclose()

    async def _send(self) -> None:
        while True:
            news = await self._queue.get()
            try:
                await self._client.publish(_CHANNEL, news.write())
            except (RedisError, OSError):
                self._lost()

    async def _receive(self, receive: Callable[[News], None]) -> None:
        while not self._closed:  # redis-py may swallow a cancellation while it waits
            try:
                async with self._client.pubsub() as channel:
                    await channel.subscribe(_CHANNEL)
                    self._found()
                    await self._listen(channel, receive)
            except (RedisError, OSError):
                self._lost()
                await asyncio.sleep(_RETRY_DELAY)

    async def _listen(self, channel: PubSub, receive: Callable[[News], None]) -> None:
        while not self._closed:
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=_HEALTH_CHECK)
            if message is None:
                await channel.ping()
            elif message["type"] == "message" and (news := read_news(message["data"])) is not None:
                receive(news)

    def _found(self) -> None:
        self.connected = True
        if self._was_lost:
            _log.warning("redis_back")
        self._was_lost = False

    def _lost(self) -> None:
        """Log it once; the host need not do anything as long as the store works."""
        self.connected = False
        if not self._was_lost:
            _log.warning("redis_away")
        self._was_lost = True
