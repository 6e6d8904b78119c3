"""Messages between several servers on one database, through Redis; games continue without it."""

from .bus import Bus, News, NoBus, Nudged, TableNews, TablePresence
from .redis_client import check_redis, redis_bus

__all__ = ["Bus", "News", "NoBus", "Nudged", "TableNews", "TablePresence", "check_redis", "redis_bus"]
