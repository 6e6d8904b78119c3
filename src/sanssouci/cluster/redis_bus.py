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
        self._receives = self._sends = False
        self._was_lost = False
        self._closed = False

    @property
    def connected(self) -> bool:
        return self._receives and self._sends

    def close(self) -> None:
        self._closed = True

    def publish(self, news: News) -> None:
        if self._receives and not self._queue.full():
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
            text = (await self._queue.get()).write()
            try:
                try:
                    await self._client.publish(_CHANNEL, text)
                except (RedisError, OSError):
                    # Redis was restarted, and the connection is older than that: try a new one.
                    await self._client.connection_pool.disconnect(inuse_connections=False)
                    await self._client.publish(_CHANNEL, text)
            except (RedisError, OSError):
                self._set(sends=False)
            else:
                self._set(sends=True)

    async def _receive(self, receive: Callable[[News], None]) -> None:
        while not self._closed:  # redis-py may swallow a cancellation while it waits
            try:
                async with self._client.pubsub() as channel:
                    await channel.subscribe(_CHANNEL)
                    self._set(receives=True, sends=True)  # the next message shows whether it sends
                    await self._listen(channel, receive)
            except (RedisError, OSError):
                self._set(receives=False)
                await asyncio.sleep(_RETRY_DELAY)

    async def _listen(self, channel: PubSub, receive: Callable[[News], None]) -> None:
        time = asyncio.get_running_loop().time
        tested = time()
        while not self._closed:
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=_HEALTH_CHECK)
            if message is None:
                # Also the answer to a ping, which must not cause the next one at once.
                if time() - tested >= _HEALTH_CHECK:
                    await channel.ping()
                    tested = time()
            elif message["type"] == "message" and (news := read_news(message["data"])) is not None:
                receive(news)

    def _set(self, *, receives: bool | None = None, sends: bool | None = None) -> None:
        """Log changes once; the host need not do anything as long as the store works."""
        self._receives = self._receives if receives is None else receives
        self._sends = self._sends if sends is None else sends
        if self.connected == self._was_lost:
            _log.warning("redis_back" if self.connected else "redis_away")
            self._was_lost = not self.connected
