"""Computer players in processes of their own.

Every worker passes here on its way in, so nothing of the server is loaded.
"""

from .answer import Answer
from .hint_result import Expectation, HintResult, squares_of
from .pool_config import PoolConfig
from .worker_pool import PoolStatistics, StartProgress, WorkerPool

__all__ = [
    "Answer",
    "Expectation",
    "HintResult",
    "PoolConfig",
    "PoolStatistics",
    "StartProgress",
    "WorkerPool",
    "squares_of",
]
