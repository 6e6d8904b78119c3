"""Connections to Redis, with short timeouts: nothing may wait long for it."""

from typing import TYPE_CHECKING

from sqlalchemy import URL

from sanssouci.locale import UserError

from .bus import Bus

if TYPE_CHECKING:
    from redis.asyncio import Redis

_TIMEOUT = 2.0
"""Seconds until a Redis that does not answer counts as away."""


def connect(url: URL) -> "Redis":
    """A client; it connects when it is used. ``UserError`` if the driver is not installed."""
    try:
        from redis.asyncio import Redis  # noqa: PLC0415 - it is optional
        from redis.asyncio.retry import Retry  # noqa: PLC0415
        from redis.backoff import NoBackoff  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UserError("cluster.no_driver") from None
    return Redis.from_url(
        url.render_as_string(hide_password=False),
        socket_connect_timeout=_TIMEOUT,
        socket_timeout=_TIMEOUT,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )


def redis_bus(url: URL) -> Bus:
    from .redis_bus import RedisBus  # noqa: PLC0415 - it needs the driver

    return RedisBus(connect(url))


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
