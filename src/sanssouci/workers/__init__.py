"""Computer players in worker processes.

Every worker process imports this package when it starts, so it must not import the server.
"""

from .answer import Answer
from .hint_result import HintResult, TurnForecast, squares_of
from .pool_config import PoolConfig
from .worker_pool import DoneJob, PoolStatistics, StartProgress, WorkerPool

__all__ = [
    "Answer",
    "DoneJob",
    "HintResult",
    "PoolConfig",
    "PoolStatistics",
    "StartProgress",
    "TurnForecast",
    "WorkerPool",
    "squares_of",
]
