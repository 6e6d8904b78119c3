"""Messages between several servers on one database, through Redis; games continue without it."""

from .bus import Bus, NoBus, TableNews
from .redis_client import check_redis, redis_bus

__all__ = ["Bus", "NoBus", "TableNews", "check_redis", "redis_bus"]
