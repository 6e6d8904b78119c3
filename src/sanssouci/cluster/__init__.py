"""Messages and limits of several servers on one database, through Redis; games continue without it."""

from .bus import Bus, News, NoBus, Nudged, TableNews, TablePresence
from .redis_client import check_redis, redis_bus, redis_limits
from .shared_limits import Denied, LimitsUnavailable, NoSharedLimits, SharedLimits, Window

__all__ = [
    "Bus",
    "Denied",
    "LimitsUnavailable",
    "News",
    "NoBus",
    "NoSharedLimits",
    "Nudged",
    "SharedLimits",
    "TableNews",
    "TablePresence",
    "Window",
    "check_redis",
    "redis_bus",
    "redis_limits",
]
