"""What several servers on one database tell each other through Redis; play goes on without it."""

from .bus import Bus, NoBus, TableNews
from .redis_client import check_redis, redis_bus

__all__ = ["Bus", "NoBus", "TableNews", "check_redis", "redis_bus"]
