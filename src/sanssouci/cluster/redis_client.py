"""Connections to Redis, with short timeouts: nothing may wait long for it."""

from typing import TYPE_CHECKING

from sqlalchemy import URL

from sanssouci.locale import UserError

from .bus import Bus
from .shared_limits import SharedLimits

if TYPE_CHECKING:
    from redis.asyncio import Redis

_TIMEOUT = 2.0
"""Seconds until a Redis that does not answer counts as away."""
_LIMITS_TIMEOUT = 0.25
"""The same for rate limits, which requests wait for."""
_MAX_CONNECTIONS = 16


def connect(url: URL, timeout: float = _TIMEOUT) -> "Redis":
    """A client; it connects when it is used. ``UserError`` if the driver is not installed."""
    try:
        from redis.asyncio import BlockingConnectionPool, Redis  # noqa: PLC0415 - it is optional
        from redis.asyncio.retry import Retry  # noqa: PLC0415
        from redis.backoff import NoBackoff  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UserError("cluster.no_driver") from None
    pool = BlockingConnectionPool.from_url(
        url.render_as_string(hide_password=False),
        max_connections=_MAX_CONNECTIONS,
        timeout=timeout,
        socket_connect_timeout=timeout,
        socket_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )
    return Redis.from_pool(pool)


def redis_bus(url: URL) -> Bus:
    from .redis_bus import RedisBus  # noqa: PLC0415 - it needs the driver

    return RedisBus(connect(url))


def redis_limits(url: URL) -> SharedLimits:
    from .redis_limits import RedisLimits  # noqa: PLC0415 - it needs the driver

    return RedisLimits(connect(url, _LIMITS_TIMEOUT))


async def check_redis(url: URL) -> None:
    """``UserError`` if Redis cannot be used; the password is not shown."""
    client = connect(url)
    from redis.exceptions import RedisError  # noqa: PLC0415

    try:
        await client.ping()
    except (RedisError, OSError):
        raise UserError("cluster.no_redis", url=url) from None
    finally:
        await client.aclose()
