"""Computer players in processes of their own.

Every worker passes here on its way in, so nothing of the server is loaded.
"""

from .answer import Answer
from .employment import Employment
from .hint_answer import Expectation, HintAnswer, squares_of
from .workforce import Progress, Statistics, Workforce

__all__ = [
    "Answer",
    "Employment",
    "Expectation",
    "HintAnswer",
    "Progress",
    "Statistics",
    "Workforce",
    "squares_of",
]
