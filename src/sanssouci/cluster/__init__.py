"""Messages and limits of several servers on one database, through Redis; games continue without it."""

from .bus import Bus, NoBus, TableNews
from .redis_client import check_redis, redis_bus, redis_limits
from .shared_limits import Denied, LimitsUnavailable, NoSharedLimits, SharedLimits, Window

__all__ = [
    "Bus",
    "Denied",
    "LimitsUnavailable",
    "NoBus",
    "NoSharedLimits",
    "SharedLimits",
    "TableNews",
    "Window",
    "check_redis",
    "redis_bus",
    "redis_limits",
]
